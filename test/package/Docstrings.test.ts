// Every public name has a docstring where it is declared, which editors show to users of the package.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const src = new URL("../../src/", import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, src), "utf8")

/** The names that an entry re-exports, with the file and the name of their declaration. */
const reexported = (entry: string): ReadonlyArray<readonly [file: string, name: string]> =>
  [...read(entry).matchAll(/export (?:type )?\{([^}]*)\} from "([^"]+)"/g)].flatMap(([, names = "", file = ""]) =>
    names.split(",").flatMap((name) => {
      const [declared = ""] = name
        .trim()
        .replace(/^type /, "")
        .split(" as ")
      return declared === "" ? [] : [[file, declared] as const]
    })
  )

/** The names that a file exports. */
const declared = (file: string): ReadonlyArray<readonly [file: string, name: string]> =>
  [...read(file).matchAll(/^export (?:declare )?(?:const|class|interface|type|function) (\w+)/gm)].map(
    ([, name = ""]) => [file, name] as const
  )

const whole = ["./domain/Decimal.ts", "./domain/Snapshot.ts", "./client/CryptoDataClient.ts", "./Server.ts"]

describe("public names", () => {
  const names = [...reexported("index.ts"), ...reexported("api.ts"), ...whole.flatMap(declared)]

  it("are found", () => {
    for (const name of ["Coin", "Naira", "Conversions", "Api", "RateLimited", "CryptoDataClient", "layerRoutes"]) {
      assert.isTrue(
        names.some(([, found]) => found === name),
        name
      )
    }
  })

  for (const [file, name] of names) {
    it(`${name} of ${file} has a docstring`, () => {
      assert.match(read(file), new RegExp(`\\*/\\nexport (?:const|class|interface|type|function) ${name}\\b`))
    })
  }
})
