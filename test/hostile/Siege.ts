// A real service under every attack in turn, while normal callers go on asking: what the attackers were answered, what the callers
// were, and what it cost in memory.
import { Effect, Ref } from "effect"
import { readFileSync } from "node:fs"
import { request, servingWith } from "../cli/ServingProcess.ts"
import { untilFine } from "../replicas/Endpoints.ts"
import { exchanges } from "../RunningService.ts"
import * as Attacks from "./Attacks.ts"

/** How much of each. */
export interface Scale {
  readonly idle: number
  /** Of the idle connections, so many are open at a time. */
  readonly room: number
  readonly pipelined: number
  readonly random: number
}

/** Resident memory in MiB, now and at its highest. */
export interface Memory {
  readonly now: number
  readonly highest: number
}

/** What an attack came to: what it was answered, and meanwhile the callers, with the longest that one of them waited (ms). */
export interface Outcome {
  readonly attack: string
  readonly answered: Attacks.Tally
  readonly callers: Attacks.Tally
  readonly longest: number
  readonly memory: Memory
}

const memoryOf = (pid: number | undefined): Memory => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
  return { now: of("VmRSS"), highest: of("VmHWM") }
}

/** All attacks on one service, whose log is empty of errors afterwards; it ends in order. */
export const run = Effect.fnUntraced(function* (scale: Scale) {
  // Candles of exchanges are fetched for minutes after a start, and their memory is not of the attacks.
  const { child, ended, port, written } = yield* servingWith({ LOG_FORMAT: "json", SOURCES_DISABLED: exchanges })
  yield* untilFine(port)
  const before = memoryOf(child.pid)

  const during = Effect.fnUntraced(function* (attack: string, effect: Effect.Effect<Attacks.Tally>) {
    const callers = yield* Ref.make<Attacks.Tally>({})
    const longest = yield* Ref.make(0)
    const caller = Effect.gen(function* () {
      const began = performance.now()
      // Clients of this attack alone, so that nobody's quota is spent.
      const { status } = yield* request(port, "/v1/price/bitcoin/ngn", 50_000 + (Math.floor(began) % 10_000))
      yield* Ref.update(longest, (most) => Math.max(most, Math.round(performance.now() - began)))
      yield* Ref.update(callers, (tally) => ({ ...tally, [status]: (tally[status] ?? 0) + 1 }))
      yield* Effect.sleep("50 millis")
    })
    const asking = yield* Effect.forkChild(Effect.forever(caller), { startImmediately: true })
    const answered = yield* effect
    yield* caller
    asking.interruptUnsafe()
    return {
      attack,
      answered,
      callers: yield* Ref.get(callers),
      longest: yield* Ref.get(longest),
      memory: memoryOf(child.pid)
    } satisfies Outcome
  })

  const outcomes = [
    yield* during(`${scale.idle} idle connections`, Attacks.idleKeepAlives(port, scale.idle, scale.room)),
    yield* during(`${scale.pipelined} requests in one write`, Attacks.pipelined(port, scale.pipelined)),
    yield* during(`${scale.random} random requests`, Attacks.randomRequests(port, scale.random, 1))
  ]
  const { statuses } = (yield* untilFine(port))[0]
  child.kill("SIGTERM")
  const { code } = yield* ended
  const errors = written.stdout.split("\n").filter((line) => /"level":"(ERROR|FATAL)/i.test(line))
  return { before, outcomes, statuses, code, errors, stderr: written.stderr }
})
