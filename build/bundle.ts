// First half of `npm run build`: bundles the process of the package, minified, into `dist` or the folder given as an argument, which
// is emptied first unless `--keep` follows. `main.js` holds what every start loads; each command's own code is a file beside it. The second half, `tsc`,
// adds the library.
import Http from "node:http"
import Process from "node:process"
import { build, type Plugin } from "rolldown"
import { notices } from "./notices.ts"

/**
 * Replaces `import "node:http"`. A plain import reads every export of the module, and one of them is a getter that loads a whole
 * HTTP client: a tenth of the start's time.
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

/** Escapes text beyond ASCII: Node then keeps the file in one byte a character instead of two. */
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
  plugins: [http, ascii, notices],
  output: {
    dir: Process.argv[2] ?? "dist",
    cleanDir: Process.argv[3] !== "--keep",
    chunkFileNames: "process/[name]-[hash].js",
    minify: true
  }
})
