// Where `watch` delivers crossings: standard output, a web address, a command. A delivery that fails has a sentence.
import { Console, Data, Effect, Layer, Schema, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"
import { Crossing } from "./WatchCrossings.ts"

/** Why a delivery failed, as it follows the name of its target. */
export class Undelivered extends Data.TaggedError("Undelivered")<{ readonly detail: string }> {}

export interface Target {
  readonly name: "print" | "post" | "exec"
  readonly deliver: (crossing: Crossing) => Effect.Effect<void, Undelivered, ChildProcessSpawner.ChildProcessSpawner>
}

/** How long a delivery may take. */
const LIMITS = { post: "10 seconds", exec: "1 minute" } as const

const encode = Schema.encodeSync(Crossing)

const jsonOf = (crossing: Crossing): string => JSON.stringify(encode(crossing))

/** A line for each crossing, or its JSON. */
export const print = (isJson: boolean): Target => ({
  name: "print",
  deliver: (crossing) => Console.log(isJson ? jsonOf(crossing) : crossing.text)
})

const within = (name: keyof typeof LIMITS) =>
  Effect.timeoutOrElse({
    duration: LIMITS[name],
    orElse: () => Effect.fail(new Undelivered({ detail: `took longer than ${LIMITS[name]}` }))
  })

const withoutRedirects = Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })

/** Posts the JSON. Delivered is what is answered with 2xx by the address itself: redirects are not followed. */
export const post = (url: URL): Target => ({
  name: "post",
  deliver: (crossing) =>
    Effect.gen(function* () {
      const http = HttpClient.withScope(yield* HttpClient.HttpClient)
      const request = HttpClientRequest.post(url).pipe(HttpClientRequest.bodyText(jsonOf(crossing), "application/json"))
      const { status } = yield* Effect.mapError(
        http.execute(request),
        () => new Undelivered({ detail: `found no answer from ${url.origin}` })
      )
      const redirects = status >= 300 && status < 400 ? ", a redirect, which is not followed" : ""
      if (status < 200 || status > 299) {
        return yield* new Undelivered({ detail: `was answered by ${url.origin} with ${status}${redirects}` })
      }
    }).pipe(Effect.scoped, within("post"), Effect.provide(Layer.merge(FetchHttpClient.layer, withoutRedirects)))
})

/** `WATCH_CONDITION`, `WATCH_VALUE` and so on: the members of the JSON. */
const variablesOf = (crossing: Crossing): Record<string, string> =>
  Object.fromEntries(
    Object.entries(encode(crossing)).map(([name, member]) => [
      `WATCH_${name.toUpperCase()}`,
      typeof member === "string" ? member : JSON.stringify(member)
    ])
  )

/** Runs a command of the shell, with the crossing in its environment and as JSON on its standard input, and never in its text. */
export const exec = (command: string): Target => ({
  name: "exec",
  deliver: (crossing) =>
    Effect.gen(function* () {
      const running = yield* ChildProcess.make(command, {
        shell: true,
        env: variablesOf(crossing),
        extendEnv: true,
        stdin: Stream.succeed(new TextEncoder().encode(`${jsonOf(crossing)}\n`)),
        stdout: "ignore",
        stderr: "inherit",
        forceKillAfter: "2 seconds"
      })
      const code = yield* running.exitCode
      if (code !== 0) return yield* new Undelivered({ detail: `ended with the exit code ${code}` })
    }).pipe(
      Effect.scoped,
      within("exec"),
      Effect.catchTag("PlatformError", () => Effect.fail(new Undelivered({ detail: "could not be run" })))
    )
})
