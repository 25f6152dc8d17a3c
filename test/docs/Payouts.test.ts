// The payout programs of docs/examples, in three languages, over a server that answers anything. They pay a rate that the service gave
// for the amount, and nothing else. `Commands.test.ts` runs one over the service.
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { execFile, spawnSync } from "node:child_process"
import * as Http from "node:http"
import { join } from "node:path"
import { env, execPath } from "node:process"
import { hasPrograms, isPresent } from "../isPresent.ts"
import { isWhole } from "../isWhole.ts"
import { listening } from "../resources.ts"
import { liveRule } from "../rulesOf.ts"

const folder = join(import.meta.dirname, "../../docs/examples")

const hasCurl = () => spawnSync("php", ["-m"], { encoding: "utf8" }).stdout.includes("curl")

const programs = [
  { file: "payout.mjs", command: execPath, isThere: true },
  { file: "payout.py", command: "python3", isThere: hasPrograms("python3") },
  {
    file: "payout.php",
    command: "php",
    isThere: hasPrograms("php") && isPresent("PHP's extension curl", hasCurl())
  }
].filter(({ isThere }) => isThere)

type Program = (typeof programs)[number]

/** The status with which a program ends, and what it prints. */
const run = ({ command, file }: Program, url: string, ...given: ReadonlyArray<string>) =>
  Effect.callback<readonly [number, string]>((resume) => {
    const options = { env: { ...env, RATES_URL: url, RATES_KEY: "" } }
    execFile(command, [join(folder, file), ...given], options, (error, out, errors) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
      resume(Effect.succeed([code, out.trim() + errors.trim()]))
    })
  })

type Answers = (request: Http.IncomingMessage, response: Http.ServerResponse) => void

/** The address of a server that answers so. */
const serverOf = (answers: Answers) =>
  Effect.map(listening(Http.createServer(answers)), (port) => `http://127.0.0.1:${port}`)

const sends =
  (status: number, body: unknown, type = "application/json"): Answers =>
  (_, response) =>
    void response
      .writeHead(status, { "content-type": type })
      .end(typeof body === "string" ? body : JSON.stringify(body))

/** An answer of the service to the question of 200 USD, with some members changed. The rate is `seconds` old. */
const quote = (data: object = {}, source = "Bybit P2P", seconds = 0) => ({
  data: { from: "USD", to: "NGN", amount: 200, rate: 1399.5, result: 279900, ...data },
  meta: { source, updated: DateTime.formatIso(DateTime.subtract(DateTime.nowUnsafe(), { seconds })) }
})
const problem = (code: string) => ({ code, detail: "The detail." })
const otherQuestion = "the answer is for another question"
const notOfNow = "the time of the rate is not within 300 s of now"
const noRate = "the answer has no rate for an amount"

const cutOff: Answers = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 1000 })
  response.write('{"data":', () => response.destroy())
}

/** A byte each second, so that no pause between two parts is long. */
const drips: Answers = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" })
  const timer = setInterval(() => response.write(" "), 1000)
  response.on("close", () => clearInterval(timer))
}

const refusals: ReadonlyArray<readonly [name: string, answers: Answers, reason: string | RegExp]> = [
  ["moved", sends(409, problem("rate_moved")), "rate_moved: The detail."],
  ["HTML with 502", sends(502, "<html>", "text/html"), "the answer is no JSON (status 502)"],
  ["HTML with 200", sends(200, "<html>", "text/html"), "the answer is no JSON (status 200)"],
  ["an error without a code", sends(500, {}), "status 500"],
  ["an error in two lines", sends(503, { detail: "One\ntwo" }), "One two"],
  ["an error that is a text", sends(500, '"x"'), "status 500"],
  ["null", sends(200, "null"), noRate],
  ["data that are a text", sends(200, { data: "x", meta: "x" }), noRate],
  ["a rate of zero", sends(200, quote({ rate: 0, result: 0 })), noRate],
  ["a rate without a result", sends(200, quote({ result: null })), noRate],
  ["figures as texts", sends(200, quote({ rate: "1399.5", result: "279900" })), noRate],
  [
    "an endless rate",
    sends(200, '{"data":{"from":"USD","to":"NGN","amount":200,"rate":1e999999,"result":1}}'),
    /^the answer/
  ],
  ["another currency", sends(200, quote({ to: "KES" })), otherQuestion],
  ["another amount", sends(200, quote({ amount: 2, result: 2799 })), otherQuestion],
  ["a result that is not the rate's", sends(200, quote({ result: 280900 })), otherQuestion],
  ["a rate far from the agreed one", sends(200, quote({ rate: 1407, result: 281400 })), "the rate has moved"],
  ["a rate of an hour ago", sends(200, quote({}, "Bybit P2P", 3600)), notOfNow],
  ["a rate of tomorrow", sends(200, quote({}, "Bybit P2P", -86_400)), notOfNow],
  ["a rate without a time", sends(200, { data: quote().data, meta: { updated: "now" } }), notOfNow],
  ["cut off", cutOff, /^no answer: /],
  ["refused", (request) => request.socket.destroy(), /^no answer: /],
  ["simulated", sends(200, quote({}, "CoinGecko (sandbox) + Bybit P2P (sandbox)")), "the rate is simulated"],
  ...(isWhole ? [["late", drips, "no answer within 10 s"] as const] : [])
]

/** A valid rate, but at another address than the one that has the key. */
const redirects: Answers = (request, response) =>
  request.url === "/elsewhere"
    ? sends(200, quote())(request, response)
    : void response.writeHead(302, { location: "/elsewhere" }).end()

const redirected = ["redirected", redirects, "the answer is no JSON (status 302)"] as const

/** Each program's part of the cases; with `TESTS=all` every one has all. */
const partOf = <A>(program: Program, cases: ReadonlyArray<A>) =>
  cases.filter((_, n) => isWhole || n % programs.length === programs.indexOf(program))

describe.each(programs)("the payout program $file", (program) => {
  liveRule("pays at the rate that was agreed to, and sends the limits", function* () {
    let asked = ""
    const url = yield* serverOf((request, response) => {
      asked = request.url ?? ""
      sends(200, quote())(request, response)
    })
    assert.deepStrictEqual(yield* run(program, `${url}/`, "200"), [0, "quote: 1399.5"])
    assert.deepStrictEqual(yield* run(program, url, "200", "1399"), [0, "pay: 279900.00 NGN at 1399.5"])
    const { pathname, searchParams } = new URL(asked, url)
    assert.strictEqual(pathname, "/v1/convert")
    assert.deepStrictEqual(Object.fromEntries(searchParams), {
      from: "USD",
      to: "NGN",
      amount: "200",
      basis: "customer",
      max_age: "300",
      min_confidence: "medium",
      expect: "1399",
      tolerance: "0.5"
    })
  })

  it.live("prints why it does not pay, and exits with 1", () =>
    Effect.forEach(
      [...partOf(program, refusals), redirected],
      Effect.fnUntraced(function* ([name, answers, reason]) {
        const [code, text] = yield* run(program, yield* serverOf(answers), "200", "1399")
        assert.strictEqual(code, 1, name)
        assert.match(text, /^do not pay: .+$/, name)
        const printed = text.slice("do not pay: ".length)
        if (typeof reason === "string") assert.strictEqual(printed, reason, name)
        else assert.match(printed, reason, name)
      }, Effect.scoped),
      { concurrency: isWhole ? 3 : 1 }
    )
  )

  it.live("without an amount, or with a rate that is none, prints how it is used", () =>
    Effect.forEach([...partOf(program, [[], ["many"], ["-1"]]), ["200", ""]], (given) =>
      Effect.map(run(program, "http://127.0.0.1:1", ...given), ([code, text]) => {
        assert.strictEqual(code, 1)
        assert.match(text, /^do not pay: usage: .+ AMOUNT_IN_USD \[AGREED_RATE\]$/)
      })
    )
  )
})
