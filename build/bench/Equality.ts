// No figure without this: every server answers what is measured with the same status, the same body and the same headers, as far
// as those matter to a caller. Where one differs, the difference is told.
import { Data, Effect } from "effect"
import { isDeepStrictEqual } from "node:util"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { type Case, PRICE } from "./Cases.ts"
import { ask, type Response } from "./Processes.ts"
import type { Keys } from "./Servers.ts"

/** Servers that should be equal are not. */
export class Unequal extends Data.TaggedError("Unequal")<{ readonly message: string }> {}

/** Of one answer. */
const MOST_TOLD = 8

interface Question {
  readonly name: string
  readonly path: string
  readonly method?: string
  readonly headers: Record<string, string>
  /** Asked this often; the last answer counts. */
  readonly times?: number
}

const names = (list: string | undefined): ReadonlyArray<string> =>
  [...new Set((list ?? "").split(",").map((item) => item.trim().toLowerCase().split("=")[0] ?? ""))]
    .filter((item) => item !== "")
    .sort()

const decoded = ({ body, headers }: Response): string => {
  const encoding = headers["content-encoding"]
  if (body.length === 0) return ""
  return (encoding === "br" ? brotliDecompressSync(body) : encoding === "gzip" ? gunzipSync(body) : body).toString()
}

/** What has to be the same. Ids, tags and times of reset are a server's own; that they are there is not. */
const essence = (response: Response) => {
  const { headers, status } = response
  const id = headers["x-request-id"]
  const text = decoded(response).replace(/Ask again in \d+ s/, "Ask again in some s")
  const body = text === "" ? "" : JSON.parse(text)
  return {
    status,
    type: status === 304 ? undefined : headers["content-type"]?.split(";")[0],
    encoding: headers["content-encoding"],
    tagged: headers.etag?.startsWith("W/") === true && status < 400,
    caching: names(headers["cache-control"]),
    // The peers answer JSON alone: that a response varies by format is the service's own.
    vary: names(headers.vary).filter((name) => name !== "accept"),
    origin: headers["access-control-allow-origin"],
    exposed: names(headers["access-control-expose-headers"]?.toString()),
    sniffing: headers["x-content-type-options"],
    link: headers["link"],
    limit: headers["x-ratelimit-limit"],
    remaining: headers["x-ratelimit-remaining"],
    reset: Number(headers["x-ratelimit-reset"]) > 0,
    retryAfter: headers["retry-after"] !== undefined,
    identified: id !== undefined && id !== "",
    body:
      body.instance === undefined ? body : { ...body, instance: body.instance === id ? "the request's id" : "another" }
  }
}

/** Each place where two values differ, as lines. */
const differences = (ours: unknown, theirs: unknown, at = ""): ReadonlyArray<string> => {
  if (isDeepStrictEqual(ours, theirs)) return []
  if (!isNested(ours) || !isNested(theirs)) return [`    ${at}: ${show(ours)}, here ${show(theirs)}`]
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...names].flatMap((name) => differences(ours[name], theirs[name], at === "" ? name : `${at}.${name}`))
}

const isNested = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const show = (value: unknown): string => JSON.stringify(value) ?? "nothing"

/** Callers that have not asked yet, so that what is left to them can be compared. */
export interface Callers {
  readonly business: () => Record<string, string>
  readonly developer: () => Record<string, string>
  readonly address: () => Record<string, string>
}

/** Callers who take turns, from the keys given. */
export const makeCallers = (keys: Keys): Callers => {
  let count = 0
  return {
    business: () => ({ "x-api-key": keys.business[count++] ?? "" }),
    developer: () => ({ "x-api-key": keys.developer[count++ % keys.developer.length] ?? "" }),
    address: () => ({ "x-forwarded-for": `203.0.113.${count++ % 256}` })
  }
}

const questions = (cases: ReadonlyArray<Case>, callers: Callers): ReadonlyArray<Question> => {
  const { address, business, developer } = callers
  const paths = [
    ...new Set(
      cases
        .filter(({ isOwn }) => isOwn !== true)
        .map(({ path }) => (path === "all" ? PRICE : path.replace("{n}", "1234")))
    )
  ]
  const list = "/v1/coins?limit=250"
  return [
    ...paths.map((path) => ({ name: `GET ${path}`, path, headers: business() })),
    ...paths.map((path) => ({ name: `HEAD ${path}`, path, method: "HEAD", headers: business() })),
    { name: "free plan, by address", path: PRICE, headers: address() },
    { name: "developer plan", path: PRICE, headers: developer() },
    { name: "price in euro", path: "/v1/price/bitcoin/eur", headers: business() },
    { name: "price in naira", path: "/v1/price/ethereum/ngn", headers: business() },
    // Peers count in doubles: right to 12 digits, which is what a rate of several legs has.
    {
      name: "conversion of several legs",
      path: "/v1/convert?from=ethereum&to=ngn&amount=1.2345678",
      headers: business()
    },
    { name: "third page", path: "/v1/coins?limit=250&page=3", headers: business() },
    { name: "gzip", path: list, headers: { ...business(), "accept-encoding": "gzip" } },
    { name: "over the limit", path: PRICE, headers: address(), times: 61 }
  ]
}

/** Compares a peer with the service. */
export const check = Effect.fnUntraced(function* (
  ports: { readonly service: number; readonly peer: number; readonly name: string },
  cases: ReadonlyArray<Case>,
  callers: Callers
) {
  const faults: Array<string> = []
  const compare = Effect.fnUntraced(function* (name: string, answer: (port: number) => Promise<Response>) {
    const [ours, theirs] = yield* Effect.promise(() => Promise.all([answer(ports.service), answer(ports.peer)]))
    const different = differences(essence(ours), essence(theirs))
    if (different.length > 0) faults.push(`  ${name}`, ...different.slice(0, MOST_TOLD))
  })
  for (const { headers, method = "GET", name, path, times = 1 } of questions(cases, callers)) {
    yield* compare(name, async (port) => {
      for (let n = 1; n < times; n++) await ask(port, path, { method, headers })
      return ask(port, path, { method, headers })
    })
  }
  const headers = callers.developer()
  yield* compare("If-None-Match", async (port) => {
    const first = await ask(port, PRICE, { headers })
    return ask(port, PRICE, { headers: { ...headers, "if-none-match": first.headers.etag ?? "" } })
  })
  if (faults.length === 0) return
  const message = [`${ports.name} does not answer as the service does ("here" is the peer):`, ...faults].join("\n")
  return yield* new Unequal({ message })
})
