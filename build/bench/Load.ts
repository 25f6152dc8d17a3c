// Load by wrk, on the second core: as many requests as a server answers, over 64 connections. Nobody's limit is lifted: callers
// take turns, and a round in which any answer was not what was asked for is no figure.
import { Data, Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Case, idsIn } from "./Cases.ts"
import { ask, cpuMicros, onLoadCore, type Running } from "./Processes.ts"

const CONNECTIONS = 64

/** Clients behind the proxy. */
const ADDRESSES = 50_000

/** What a round showed. */
export interface Round {
  /** Requests a second. */
  readonly rate: number
  /** Processor time of the server for a request, in microseconds. */
  readonly cpu: number
  /** Bytes read for a counted answer: more than its size by what was on its way when the round ended. */
  readonly bytes: number
  readonly requests: number
}

/** The files that `load.lua` reads. */
export interface LoadFiles {
  readonly folder: string
  readonly keys: ReadonlyArray<string>
  /** By market cap. */
  readonly ids: ReadonlyArray<string>
}

/** Writes who asks, and what. */
export const writeFiles = (
  folder: string,
  keys: ReadonlyArray<string>,
  pairs: ReadonlyArray<readonly [id: string, fiat: string]>,
  ids: ReadonlyArray<string> = []
): LoadFiles => {
  const write = (name: string, lines: ReadonlyArray<string>) => writeFileSync(join(folder, name), lines.join("\n"))
  write(
    "keys",
    keys.map((key) => `x-api-key: ${key}`)
  )
  write(
    "addresses",
    Array.from({ length: ADDRESSES }, (_, n) => `x-forwarded-for: 198.18.${n >> 8}.${n & 255}`)
  )
  write("flood", ["x-forwarded-for: 198.51.100.7"])
  write("all", shuffled(pairs.map(([id, fiat]) => `/v1/price/${id}/${fiat.toLowerCase()}`)))
  return { folder, keys, ids }
}

/** The same order each time. */
const shuffled = (items: ReadonlyArray<string>): ReadonlyArray<string> => {
  let seed = 1
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const DAY = 86_400_000

/** The path with what the case leaves open: ids, and days counted back from today. */
const pathOf = ({ path }: Case, ids: ReadonlyArray<string>): string =>
  path
    .replace(/\{ids:\d+\}/, ids.slice(0, idsIn(path)).map(encodeURIComponent).join(","))
    .replaceAll(/\{day:(\d+)\}/g, (_, back) =>
      new Date(performance.timeOrigin + performance.now() - Number(back) * DAY).toISOString().slice(0, 10)
    )

const headerOf = async (
  { callers, header, path }: Case,
  { port }: Running,
  keys: ReadonlyArray<string>
): Promise<string> => {
  if (header === undefined) return "-"
  const [name, value] = header
  if (value !== "tag") return `${name}: ${value}`
  // An answer names the plan, so each plan has its own tag.
  const who = callers === "keys" ? { "x-api-key": keys[0] ?? "" } : { "x-forwarded-for": "198.51.100.200" }
  const { headers } = await ask(port, path, { headers: who })
  return `${name}: ${headers.etag ?? '"none"'}`
}

const run = Effect.fnUntraced(function* (
  server: Running,
  files: LoadFiles,
  asked: Case,
  options: { readonly seconds: number; readonly isCounting: boolean }
) {
  const paths = join(files.folder, asked.path === "all" ? "all" : "path")
  if (asked.path !== "all") writeFileSync(paths, pathOf(asked, files.ids))
  const header = yield* Effect.promise(() => headerOf(asked, server, files.keys))
  const before = cpuMicros(server.pid)
  const script = join(import.meta.dirname, "load.lua")
  const how = ["-t", "1", "-c", String(CONNECTIONS), "-d", String(options.seconds), "--timeout", "10", "-s", script]
  const what = [join(files.folder, asked.callers), paths, header, options.isCounting ? "count" : "-"]
  const text = yield* onLoadCore("wrk", [...how, `http://127.0.0.1:${server.port}/`, "--", ...what])
  const used = cpuMicros(server.pid) - before
  const found = /^RESULT (.*)$/m.exec(text)?.[1]
  if (found === undefined) return yield* Effect.die(new Error(`wrk said: ${text}`))
  const { bytes, counted, failed, micros, refused, requests } = JSON.parse(found)
  return {
    counted: String(counted).trim(),
    failed: Number(failed),
    refused: Number(refused),
    requests: Number(requests),
    round: {
      rate: (requests / micros) * 1e6,
      cpu: used / requests,
      bytes: bytes / requests,
      requests: Number(requests)
    } satisfies Round
  }
})

/** How many of the first answers may be 200s before a flood is over its limit, for every window that a round touches. */
const BEFORE_FLOOD = 120

/** A round that is no figure. */
export class WrongAnswers extends Data.TaggedError("WrongAnswers")<{ readonly message: string }> {}

/** Warms up, and looks at each status. */
export const warmUp = Effect.fnUntraced(function* (server: Running, files: LoadFiles, asked: Case, seconds: number) {
  const { counted, failed, round } = yield* run(server, files, asked, { seconds, isCounting: true })
  const others = counted.split(" ").filter((entry) => {
    const [status, times] = entry.split(":").map(Number)
    const isBeforeFlood = asked.callers === "flood" && status === 200 && (times ?? 0) <= BEFORE_FLOOD
    return status !== asked.status && !isBeforeFlood
  })
  if (others.length > 0 || failed > 0) {
    const message = `${asked.name}: answered with ${counted}, ${failed} failed; wanted ${asked.status}`
    return yield* new WrongAnswers({ message })
  }
  return round
})

/** Measures. `warm` is what the warm-up showed: bodies of another size would be other answers. */
export const measure = Effect.fnUntraced(function* (
  server: Running,
  files: LoadFiles,
  asked: Case,
  options: { readonly seconds: number; readonly warm: Round }
) {
  const { failed, refused, requests, round } = yield* run(server, files, asked, { ...options, isCounting: false })
  const least = asked.status < 400 ? 0 : requests - (asked.callers === "flood" ? BEFORE_FLOOD : 0)
  const isCounted = asked.status < 400 ? refused === 0 : refused >= least
  // What was on its way at the end, of this round and of the warm-up, is counted in bytes and not in requests.
  const slack = 0.05 + CONNECTIONS / requests + CONNECTIONS / options.warm.requests
  const isSameSize = asked.path === "all" || Math.abs(round.bytes / options.warm.bytes - 1) < slack
  if (failed > 0 || !isCounted || !isSameSize) {
    const { bytes, requests: warmed } = options.warm
    const sizes = `${round.bytes} bytes an answer, ${bytes} in the ${warmed} of the warm-up`
    const message = `${asked.name}, port ${server.port}: ${refused} of ${requests} refused, ${failed} failed, ${sizes}`
    return yield* new WrongAnswers({ message })
  }
  return round
})
