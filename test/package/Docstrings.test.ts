// Every public name says what it is, where it is declared: that is what an editor shows to who uses it.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const src = new URL("../../src/", import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, src), "utf8")

/** Names that an entry passes on, with where they come from; `as` another name or not. */
const passedOn = (entry: string): ReadonlyArray<readonly [file: string, name: string]> =>
  [...read(entry).matchAll(/export (?:type )?\{([^}]*)\} from "([^"]+)"/g)].flatMap(([, names = "", file = ""]) =>
    names.split(",").flatMap((name) => {
      const [declared = ""] = name
        .trim()
        .replace(/^type /, "")
        .split(" as ")
      return declared === "" ? [] : [[file, declared] as const]
    })
  )

/** Names that a file declares for all. */
const declared = (file: string): ReadonlyArray<readonly [file: string, name: string]> =>
  [...read(file).matchAll(/^export (?:declare )?(?:const|class|interface|type|function) (\w+)/gm)].map(
    ([, name = ""]) => [file, name] as const
  )

const whole = ["./domain/Decimal.ts", "./domain/Snapshot.ts", "./client/CryptoDataClient.ts", "./Server.ts"]

describe("public names", () => {
  const names = [...passedOn("index.ts"), ...passedOn("api.ts"), ...whole.flatMap(declared)]

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
