// `npm run build`, first half: `dist`, or the folder that is named, anew, with the process of the package in it: `main.js`, which
// keeps what Node compiles, and beside it what it loads, bundled and minified. The second half, `tsc`, adds the library.
import Http from "node:http"
import Process from "node:process"
import { build, type Plugin } from "rolldown"

/**
 * Node's `http` by its own names. Imported as it is, Node would read all it exports, among them what loads a whole HTTP client:
 * a tenth of the time of a start.
 */
const http: Plugin = {
  name: "http",
  resolveId: (id) => (id === "node:http" || id === "http" ? "\0http" : null),
  load: (id) => {
    if (id !== "\0http") return null
    const names = Object.keys(Http).filter((name) => Object.getOwnPropertyDescriptor(Http, name)?.get === undefined)
    const lines = names.map((name) => `export const ${name} = http.${name}`)
    return ['const http = process.getBuiltinModule("node:http")', "export default http", ...lines].join("\n")
  }
}

/** Text beyond ASCII in escapes: Node reads and keeps such a file in half the space. */
const ascii: Plugin = {
  name: "ascii",
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type !== "chunk") continue
      file.code = file.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
      )
    }
  }
}

await build({
  input: "src/main.ts",
  platform: "node",
  plugins: [http, ascii],
  output: {
    dir: Process.argv[2] ?? "dist",
    cleanDir: true,
    // What a command loads only when it needs it is a file of its own.
    chunkFileNames: "process/[name]-[hash].js",
    minify: true
  }
})
