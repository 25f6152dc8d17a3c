// First half of `npm run build`: bundles the process of the package, minified, into `dist` or the folder given as an argument, which
// is emptied first unless `--keep` follows. `main.js` holds what every start loads; each command's own code is a file beside it. The second half, `tsc`,
// adds the library.
import Process from "node:process"
import { build } from "rolldown"
import { notices } from "./notices.ts"

await build({
  input: "src/main.ts",
  platform: "node",
  // The one of the browser's files extends another, which the container's build does not have.
  tsconfig: false,
  plugins: [notices],
  output: {
    dir: Process.argv[2] ?? "dist",
    cleanDir: Process.argv[3] !== "--keep",
    chunkFileNames: "process/[name]-[hash].js",
    minify: true
  }
})
