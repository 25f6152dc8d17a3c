// `npm run build`, first half: `dist` anew, with the process of the package in it: `main.js`, which keeps what Node compiles, and
// beside it what it loads, bundled and minified. The second half, `tsc`, adds the library.
import { build } from "esbuild"
import { rm } from "node:fs/promises"

await rm("dist", { recursive: true, force: true })

await build({
  entryPoints: ["src/main.ts"],
  outdir: "dist",
  // What a command loads only when it needs it is a file of its own.
  splitting: true,
  chunkNames: "process/[name]-[hash]",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22.19",
  minify: true,
  // `ws` asks for Node's own modules the old way.
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);'
  }
})
