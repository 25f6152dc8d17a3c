// Every fenced command of the documents is run as it is shown, in order, and every answer beside a command is compared with what the
// command returns. What cannot be run here is in `notRun` with the reason.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { isWhole } from "../isWhole.ts"
import { answerDifferences } from "./answerDifferences.ts"
import { Clone } from "./Clone.ts"
import { type Block, blocks, blocksOf, documents, read } from "./Markdown.ts"

/** The tests run on what `npm ci` installed, and CI runs it. */
const sandbox = { shown: "npm ci && npm run sandbox", run: "npm run sandbox" }

/** Runs until the test has asked it. */
const live = "npm start"

/** Commands that start a process for several seconds, and that other tests start too. They run with `TESTS=all`. */
const slow: ReadonlySet<string> = new Set([
  live,
  "npx node src/main.ts doctor",
  "npm run why:eval -- build/why/bench/dev.json"
])

/** Blocks by their first line, with the reason why they are not run here. */
const notRun: Readonly<Record<string, string>> = {
  "git clone https://publisher.example/crypto-data-api.git && cd crypto-data-api":
    "the address is filled in by the publisher (package/Manifest.test.ts)",
  "npm run truth -- --worlds 1000 --seed 1 --days 7": "takes minutes; truth/Truth.test.ts plays a share",
  "npm test": "runs this test; the other scripts take minutes, and are compared with package.json below",
  "useradd --system crypto-data-api": "changes the machine; the unit is tested in Deploy.test.ts",
  "npx --yes --package ./crypto-data-api-*.tgz crypto-data-api sandbox":
    "needs the tarball; package/Package.test.ts serves from one",
  "docker build -f deploy/Containerfile -t crypto-data-api .":
    "needs a container engine; the Containerfile is tested in Deploy.test.ts",
  'sed "s/^POSTGRES_PASSWORD=$/&$(openssl rand -hex 16)/" deploy/.env.example > deploy/.env':
    "needs a container engine; compose.yaml and its settings are tested in Deploy.test.ts",
  "REDIS_URL=redis://redis.internal:6379 npm start": "needs that Redis; replicas/RedisFaults.test.ts has one",
  "git pull && npm ci && systemctl stop crypto-data-api && npm run build && systemctl start crypto-data-api":
    "changes the machine and the clone"
}

/** What a command without an answer beside it prints, by its beginning. */
const prints: Readonly<Record<string, RegExp>> = {
  "curl --etag-save": /304\n$/,
  "curl 'http://localhost:3000/v1/statement?": /^STATEMENT OF OBSERVED RATES\n1000 USD in NGN on 2026-11-20 /,
  "curl 'http://localhost:3000/v1/naira/history?format=csv'": /^date,time,[^]*\r\n\d{4}-/,
  "KEY=": /  Acme\n[^]*"tier":"developer"[^]*Revoked [0-9a-f]{12} \(Acme\)\.\n$/,
  "rate=$(curl": /^1 USDT = [\d.]+ NGN\n$/,
  "curl 'http://localhost:3000/v1/convert?from=tether&to=ngn&amount=250":
    /"amount":250,[^]*"basis":"customer"[^]*"symbol":"BTC","fiat":"NGN"/,
  "curl http://localhost:3000/readyz": /"status":"pass"/,
  "npx node src/main.ts doctor": /explanations/,
  tar: /^keys\/[0-9a-f]+.*\.json$/m,
  "curl http://localhost:3000/mcp": /\\"pair\\":\\"USDT\/NGN\\"/,
  echo: /"result":\{\}/,
  "RATES_URL=": /^quote: [\d.]+ \(simulated\)$/m,
  "npm run why:eval": /"verdict": "coin_specific"/
}

const printedBy = (text: string): RegExp => {
  const [, words] = Object.entries(prints).find(([beginning]) => text.startsWith(beginning)) ?? []
  if (words === undefined) throw new Error(`prints has no entry for: ${text}`)
  return words
}

const firstLine = ({ text }: Block): string => text.split("\n")[0] ?? ""

const isRun = (block: Block): boolean =>
  block.language === "sh" && block.text !== sandbox.shown && !(firstLine(block) in notRun)

/** Whether the block is for another program: `Integrations.test.ts` does with it what that program does. */
const isPasted = ({ document, language }: Block): boolean =>
  (document === "docs/integrations.md" && /^(text|env|js|json|yaml|sh) [a-z0-9-]+$/.test(language)) ||
  // `test/proxies/Recipes.test.ts` runs or reads these.
  (document === "docs/proxies.md" && /^(nginx|nginx path|apache|caddy|yaml [a-z]+)$/.test(language)) ||
  (document === "docs/running.md" && language === "text restore")

/** A header line without what changes from one response to the next. */
const timeless = (line: string): string =>
  line
    .replaceAll(/\d+/g, "0")
    .replace(/W\/".*"/, "tag")
    .trim()
    .toLowerCase()

/** Data of the past and explanations take a moment after the start, and a refresh may come between two requests. */
const patience = Schedule.spaced("500 millis").pipe(Schedule.upTo({ times: 30 }))

/** Waits for an answer of the shape shown. */
const answersAs = <R>(answer: Effect.Effect<string, Error, R>, shown: string) =>
  answer.pipe(
    Effect.flatMap((text) => Effect.try(() => answerDifferences(JSON.parse(shown), JSON.parse(text)).join("\n"))),
    Effect.filterOrFail(
      (differing) => differing === "",
      (differing) => new Error(differing)
    ),
    Effect.retry(patience)
  )

describe("the comparison of answers", () => {
  const shown = {
    price: 1,
    at: "2026-01-01T00:00:00Z",
    list: [{ id: "a" }],
    rates: { EUR: 1, "...": "..." },
    reason: null
  }
  const answer = { ...shown, price: 2, list: [{ id: "b" }, { id: "c" }], rates: { EUR: 3, NGN: 4 }, reason: "because" }

  it("accepts other values, more items, fields left out and a value for null", () => {
    assert.deepStrictEqual(answerDifferences(shown, answer), [])
  })

  it("finds a field too many, a field missing, another type, and a list without such an item", () => {
    const { price: _, ...without } = answer
    const changed = [{ ...answer, more: 1 }, without, { ...answer, at: "now" }, { ...answer, list: [{ id: 1 }] }, null]
    for (const other of [...changed, { ...answer, list: [] }, { ...answer, rates: { NGN: 4 } }]) {
      assert.lengthOf(answerDifferences(shown, other), 1, JSON.stringify(other))
    }
  })
})

describe("blocks that are not run", () => {
  it("are in the documents", () => {
    const lines = blocks.map(firstLine)
    for (const line of [...Object.keys(notRun), sandbox.shown, ...slow]) assert.include(lines, line)
  })

  it("are answers beside the request that returns them, programs run in package/, or for other programs", () => {
    for (const document of documents) {
      const all = blocksOf(document)
      for (const [index, block] of all.entries()) {
        const { language, text } = block
        assert.isTrue(
          ["sh", "json", "http", "ts embed", "json markets"].includes(language) || isPasted(block),
          language
        )
        if (language !== "json" && language !== "http") continue
        const before = all[index - 1]
        const isAnswer = before?.language === "sh" && /^curl .*localhost:3000[^\n]*$/.test(before.text)
        assert.isTrue(isAnswer, text)
      }
    }
  })

  it("name scripts of the package, those of CI among them", () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read("package.json"))
    const commands = blocks.filter((block) => firstLine(block) === "npm test").flatMap(({ text }) => text.split("\n"))
    const ci = read(".ci/run").replaceAll(" || alone", "").split("\n")
    for (const command of ci.filter((line) => /^npm (test|run)/.test(line))) assert.include(commands, command)
    for (const command of commands) assert.property(scripts, command.replace(/^npm (run )?/, "").split(" ")[0] ?? "")
  })
})

layer(Clone.layerWith(sandbox.run), { excludeTestServices: true })((it) => {
  const run = Effect.fnUntraced(function* (block: Block, next: Block | undefined) {
    const { address, shell, start } = yield* Clone
    if (block.text === live) {
      const page = yield* shell(`curl -fsS -H 'accept: text/html' ${yield* start(live)}/`)
      return assert.include(page, "<!doctype html>")
    }
    const answer = shell(block.text.replaceAll("curl ", "curl -sS ").replaceAll("http://localhost:3000", address))
    if (next?.language === "json") return yield* answersAs(answer, next.text)
    if (next?.language === "http") {
      const lines = (yield* answer).split("\n").map(timeless)
      for (const line of next.text.split("\n")) assert.include(lines, timeless(line))
      return
    }
    const words = printedBy(block.text)
    const output = yield* Effect.repeat(answer, { until: (written) => words.test(written), schedule: patience })
    return assert.match(output, words)
  })

  for (const document of documents) {
    const all = blocksOf(document)
    if (!all.some(isRun)) continue
    describe(`the commands of ${document}`, () => {
      for (const [index, block] of all.entries()) {
        if (!isRun(block)) continue
        it.effect.skipIf(!isWhole && slow.has(firstLine(block)))(firstLine(block), () =>
          Effect.scoped(run(block, all[index + 1]))
        )
      }
    })
  }
})
