import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import * as Http from "node:http"
import * as Net from "node:net"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { layerWorld, request, serving } from "../cli/ServingProcess.ts"

const OPEN = 200

/** 200 requests that wait for a first answer from a source, each on a connection of its own. */
const twoHundred = (port: number, agent?: Http.Agent) =>
  Effect.all(
    Array.from({ length: OPEN }, (_, client) => request(port, "/v1/coins?limit=1", client, agent)),
    { concurrency: "unbounded" }
  )

const readiness = (port: number) => Effect.map(request(port, "/readyz", 9998), ({ status }) => status)

describe("asked to stop", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it.live(
      `${signal} under ${OPEN} open requests: not ready at once, all of them answered, no new ones taken, exit code 0`,
      () =>
        Effect.gen(function* () {
          const { setFault } = yield* Sandbox
          for (const name of ["COINGECKO", "COINPAPRIKA", "COINLORE"] as const) {
            yield* setFault(name, { fault: "slow", seconds: 4 })
          }
          const { child, ended, port, written } = yield* serving
          const agent = new Http.Agent({ keepAlive: true, maxSockets: OPEN })
          const open = yield* Effect.forkChild(twoHundred(port, agent), { startImmediately: true })
          yield* Effect.sleep("700 millis")
          assert.isUndefined(open.pollUnsafe(), "the requests are to be open when the signal comes")

          const began = performance.now()
          child.kill(signal)
          yield* readiness(port).pipe(
            Effect.repeat({ until: (status) => status === 503, schedule: Schedule.spaced(20) })
          )
          assert.isBelow(performance.now() - began, 400, "milliseconds until it was not ready")
          yield* readiness(port).pipe(
            Effect.repeat({ until: (status) => status === "ECONNREFUSED", schedule: Schedule.spaced(20) }),
            Effect.timeout("3 seconds")
          )

          const statuses = (yield* Fiber.join(open)).map(({ status }) => status)
          assert.deepStrictEqual(
            statuses.filter((status) => status !== 200),
            []
          )
          const answered = performance.now()
          const end = yield* Effect.timeout(ended, "15 seconds")
          assert.deepStrictEqual(end, { code: 0, signal: null }, written.stdout + written.stderr)
          assert.isBelow(performance.now() - answered, 2_000, "milliseconds from the last answer to the end")
          agent.destroy()
        }).pipe(Effect.scoped, Effect.provide(layerWorld)),
      { timeout: 60_000, retry: 1 }
    )
  }

  it.live(
    "requests that never arrive whole, and connections kept open, hold it up for no more than the grace, a second signal or not",
    () =>
      Effect.gen(function* () {
        const { child, ended, port, written } = yield* serving
        const half = Net.connect(port, "127.0.0.1", () => half.write("GET /v1/coins HTTP/1.1\r\nhost: x\r\nx-slow: "))
        const idle = Net.connect(port, "127.0.0.1", () => idle.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"))
        for (const socket of [half, idle]) socket.on("error", () => socket.destroy()).resume()
        yield* Effect.sleep("300 millis")

        const began = performance.now()
        child.kill("SIGTERM")
        yield* Effect.sleep("100 millis")
        child.kill("SIGINT")
        yield* Effect.sleep("1 second")
        child.kill("SIGTERM")
        const end = yield* Effect.timeout(ended, "20 seconds")
        assert.deepStrictEqual(end, { code: 0, signal: null }, written.stdout + written.stderr)
        assert.isBelow(performance.now() - began, 13_000, "milliseconds to the end")
        half.destroy()
        idle.destroy()
      }).pipe(Effect.scoped, Effect.provide(layerWorld)),
    { timeout: 60_000, retry: 1 }
  )

  it.live(
    "with nothing to do it ends within two seconds",
    () =>
      Effect.gen(function* () {
        const { child, ended, written } = yield* serving
        const began = performance.now()
        child.kill("SIGTERM")
        const end = yield* Effect.timeout(ended, "15 seconds")
        assert.deepStrictEqual(end, { code: 0, signal: null }, written.stdout + written.stderr)
        assert.isBelow(performance.now() - began, 2_000)
      }).pipe(Effect.scoped, Effect.provide(layerWorld)),
    { timeout: 60_000, retry: 2 }
  )
})
