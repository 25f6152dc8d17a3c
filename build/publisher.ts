// Part of `npm publish`: ends it while package.json has the placeholders of the publisher.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { exit, stderr } from "node:process"

const { bugs, homepage, repository } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"))

const open = Object.entries({ "repository.url": repository.url, "bugs.url": bugs.url, homepage }).filter(([, url]) =>
  /^(git\+)?https:\/\/publisher\.example\//.test(url)
)

if (open.length > 0) {
  stderr.write(`package.json still has placeholders. Fill them in:
  npm pkg set ${open.map(([field]) => `${field}=...`).join(" ")} && node build/release.ts\n`)
  exit(1)
}
