// `npm run bench:path`: what a request costs on the service's own path, as a share of what it costs on Fastify's, both without
// sockets and in turn in the same run. Exits with 1 when a share is more than 25 % worse than `path.baseline.json` says; what
// looks worse is measured once more at length before that is said. `--record` writes the baseline.
import "effect/schema/SchemaJITCompiler/enable"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PRICE } from "./Cases.ts"
import { compatAgainstOwn, reordering } from "./CompatPath.ts"
import { type Asked, cost } from "./Direct.ts"
import * as PathServers from "./PathServers.ts"
import { spread } from "./Report.ts"

/** How much worse than the baseline is no fault: the same code has shares up to 17 % apart on two machines. */
const SLACK = 1.25

const ROUNDS = 24

/** Rounds that are not counted: what is measured is compiled by then. */
const WARM_UP = 24

/** When what looks worse is measured again. */
const ROUNDS_AGAIN = 60

const baselineFile = join(import.meta.dirname, "path.baseline.json")

/** It is slower than it was. */
class Slower extends Data.TaggedError("Slower")<{ readonly message: string }> {}

type Pair<A> = Readonly<Record<"service" | "fastify", A>>

interface Kind {
  readonly name: string
  readonly asked: (round: number) => Pair<Asked>
  /** Requests of one measurement; so many that what the other server left to collect does not weigh. */
  readonly times: Pair<number>
}

const kinds = (keys: ReadonlyArray<string>, tags: Pair<string>): ReadonlyArray<Kind> => {
  let count = 0
  let amount = 0
  let address = 0
  const key = () => ({ "x-api-key": keys[count++ % keys.length] ?? "" })
  const same = (name: string, asked: Asked, service: number, fastify = service): Kind => ({
    name,
    asked: () => ({ service: asked, fastify: asked }),
    times: { service, fastify }
  })
  const conditional = (tag: string): Asked => ({
    path: () => PRICE,
    headers: () => ({ ...key(), "if-none-match": tag }),
    status: 304
  })
  /** Another address each time: no window may end in the middle of a measurement. */
  const flood = (round: number): Asked => {
    const headers = { "x-forwarded-for": `198.51.${(round >> 8) & 255}.${round & 255}` }
    return { path: () => PRICE, headers: () => headers, status: 429, spends: 60 }
  }
  const proxied = () => {
    const n = address++ % 50_000
    return { "x-forwarded-for": `198.18.${n >> 8}.${n & 255}` }
  }
  const convert = () => `/v1/convert?from=bitcoin&to=ngn&amount=${amount++}.25`
  return [
    same("price", { path: () => PRICE, headers: key, status: 200 }, 1000),
    {
      name: "price, 304",
      asked: () => ({ service: conditional(tags.service), fastify: conditional(tags.fastify) }),
      times: { service: 1000, fastify: 1000 }
    },
    same("list of 250", { path: () => "/v1/coins?limit=250", headers: key, status: 200 }, 1000, 20),
    same("price, behind a proxy", { path: () => PRICE, headers: proxied, status: 200 }, 1000),
    same(
      "convert, same amount",
      { path: () => "/v1/convert?from=bitcoin&to=ngn&amount=3", headers: key, status: 200 },
      500
    ),
    same("convert, each amount new", { path: convert, headers: key, status: 200 }, 500),
    {
      name: "flood, 429",
      asked: (round) => ({ service: flood(round), fastify: flood(round) }),
      times: { service: 1000, fastify: 1000 }
    },
    same("unknown path, 404", { path: () => "/v1/nothing/here", headers: key, status: 404 }, 500),
    same("bad parameter, 400", { path: () => "/v1/coins?limit=9999", headers: key, status: 400 }, 500)
  ]
}

interface Figure extends Pair<number> {
  readonly ratio: number
}

let round = 0

const measure = (kind: Kind, servers: Pair<Server>, rounds: number): Effect.Effect<Figure> =>
  Effect.promise(async () => {
    let least: Pair<number> = { service: Infinity, fastify: Infinity }
    for (let n = -WARM_UP; n < rounds; n++) {
      const asked = kind.asked(round++)
      const service = await cost(servers.service, asked.service, kind.times.service)
      const fastify = await cost(servers.fastify, asked.fastify, kind.times.fastify)
      // The least: other work on the machine only adds to a round, and to a short one not as much as to a long one.
      if (n >= 0) least = { service: Math.min(least.service, service), fastify: Math.min(least.fastify, fastify) }
    }
    const written = (value: number) => Number(value.toPrecision(3))
    const { fastify, service } = least
    return { service: written(service), fastify: written(fastify), ratio: written(service / fastify) }
  })

const COMPAT_NAME = "compat"

const MANY_NAME = "prices, 50 x 2"

/** How many times cheaper one request for 50 coins in two fiats has to be than 100 requests. */
const MANY_LEAST = 25

/** Processor time of 100 requests for a price over that of one for the same prices: the median of the rounds. */
const manyAgainstSingle = (server: Server, ids: ReadonlyArray<string>, key: Asked["headers"]) =>
  Effect.promise(async () => {
    const fiats = ["usd", "ngn"]
    const singles = ids.flatMap((id) => fiats.map((fiat) => `/v1/price/${encodeURIComponent(id)}/${fiat}`))
    const together = `/v1/prices?ids=${ids.map(encodeURIComponent).join(",")}&fiats=${fiats.join(",")}`
    let next = 0
    const single = { path: () => singles[next++ % singles.length] ?? PRICE, headers: key, status: 200 }
    const many = { path: () => together, headers: key, status: 200 }
    const inAnotherOrder = reordering(ids)
    const computed = { ...many, path: () => `/v1/prices?ids=${inAnotherOrder()}&fiats=${fiats.join(",")}` }
    const samples: Array<readonly [singles: number, many: number, computed: number]> = []
    for (let n = -WARM_UP; n < ROUNDS; n++) {
      const apart = (await cost(server, single, 10 * singles.length)) * singles.length
      const one = await cost(server, many, 100)
      const anew = await cost(server, computed, 20)
      if (n >= 0) samples.push([apart, one, anew])
    }
    const middle = (values: ReadonlyArray<number>) => Number(spread(values).median.toPrecision(3))
    return {
      singles: middle(samples.map(([apart]) => apart)),
      many: middle(samples.map(([, one]) => one)),
      computed: middle(samples.map(([, , anew]) => anew)),
      ratio: middle(samples.map(([apart, one]) => apart / one))
    }
  })

const only = Flag.String("only").pipe(
  Flag.withDescription("Measure only what has this in its name"),
  Flag.withDefault("")
)

const record = Flag.Boolean("record").pipe(Flag.withDescription("Write the baseline"), Flag.withDefault(false))

const path = Command.make(
  "path",
  { only, record },
  Effect.fnUntraced(function* ({ only, record }) {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "crypto-data-api-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const { ids, keys, servers, tags } = yield* PathServers.make(folder)
    const baseline: Record<string, number> = JSON.parse(readFileSync(baselineFile, "utf8"))
    const found = { ...baseline }
    const slower: Array<string> = []
    for (const kind of kinds(keys, tags).filter(({ name }) => name.includes(only))) {
      const wanted = record ? Number.POSITIVE_INFINITY : (baseline[kind.name] ?? 0)
      let figure = yield* measure(kind, servers, record ? ROUNDS_AGAIN : ROUNDS)
      if (figure.ratio > wanted * SLACK) figure = yield* measure(kind, servers, ROUNDS_AGAIN)
      const isSlower = figure.ratio > wanted * SLACK
      if (isSlower) slower.push(kind.name)
      found[kind.name] = figure.ratio
      yield* Console.log(
        `${kind.name.padEnd(26)} ${figure.service} us, fastify ${figure.fastify} us, ratio ${figure.ratio}` +
          (record ? "" : ` (baseline ${wanted}${isSlower ? ": TOO SLOW" : ""})`)
      )
    }
    if (MANY_NAME.includes(only)) {
      let asked = 0
      const figure = yield* manyAgainstSingle(servers.service, ids, () => ({
        "x-api-key": keys[asked++ % keys.length] ?? ""
      }))
      yield* Console.log(
        `${MANY_NAME}: ${figure.many} us (computed ${figure.computed} us), 100 prices ${figure.singles} us, ${figure.ratio} times cheaper`
      )
      if (figure.ratio < MANY_LEAST) slower.push(MANY_NAME)
    }
    if (COMPAT_NAME.includes(only)) {
      let asked = 0
      const headers = () => ({ "x-api-key": keys[asked++ % keys.length] ?? "" })
      for (const { compat, most, name, own, share } of yield* compatAgainstOwn(servers.service, ids, headers)) {
        yield* Console.log(`${COMPAT_NAME}: ${name}: ${compat} us, /v1 ${own} us, share ${share} (at most ${most})`)
        if (share > most) slower.push(`${COMPAT_NAME}: ${name}`)
      }
    }
    if (record) writeFileSync(baselineFile, `${JSON.stringify(found, null, 2)}\n`)
    if (slower.length > 0) {
      return yield* new Slower({
        message: `More than 25 % slower against Fastify than the baseline: ${slower.join("; ")}`
      })
    }
  }, Effect.scoped)
).pipe(Command.withDescription("Measure the path without sockets against Fastify's"))

Command.run(path, { version: "1" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
