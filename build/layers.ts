// `npm run layers`: writes the table in docs/embedding.md of what each service's `layerNoDeps` needs, by the types of the package. A test
// compares them. TypeScript 7 has no interface for programs, so this reads the types with TypeScript 5.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript-5"

const root = join(import.meta.dirname, "..")
const document = join(root, "docs/embedding.md")

/** The table, between its marks and below its two lines of head. */
const tableIn = /(?<=<!-- layers:begin -->\n\|.*\n\|.*\n)[^]*(?=<!-- layers:end -->)/

/** The rows of the table. A source needs an `HttpClient` alone, and has no row. */
export const rows = (): string => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram([join(root, "src/index.ts")], { ...options, noEmit: true })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(join(root, "src/index.ts"))
  const entry = source && checker.getSymbolAtLocation(source)
  if (entry === undefined) throw new Error("src/index.ts exports nothing")
  return checker
    .getExportsOfModule(entry)
    .flatMap((symbol) => {
      const exported = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
      const layer = checker.getTypeOfSymbol(exported).getProperty("layerNoDeps")
      const type = layer && checker.getTypeOfSymbol(layer)
      if (type === undefined || !isReference(type)) return []
      const needed = checker.getTypeArguments(type)[2]
      const names = (needed?.isUnion() ? needed.types : [needed]).flatMap((one) =>
        one === undefined ? [] : checker.typeToString(one)
      )
      return names.length === 1 && names[0] === "HttpClient"
        ? []
        : `| \`${symbol.name}\` | ${names.map((name) => `\`${name}\``).join(" ")} |\n`
    })
    .toSorted()
    .join("")
}

const isReference = (type: ts.Type): type is ts.TypeReference => "target" in type

/** The rows that the document has. */
export const written = (): string | undefined => tableIn.exec(readFileSync(document, "utf8"))?.[0]

if (import.meta.main) {
  writeFileSync(
    document,
    readFileSync(document, "utf8").replace(tableIn, () => rows())
  )
}
