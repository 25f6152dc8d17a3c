// The API's answers as the page gets them: those of one view in one text, so that a load and each refresh cost
// its visitor one request.
import { Clock, Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Patience from "../../services/refresh/Patience.ts"
import * as InProcess from "../InProcess.ts"
import * as Paths from "../request/Paths.ts"
import * as Target from "../request/Target.ts"
import { api } from "./browser/Route.ts"

/** The longest that a document waits for an answer: what is late by then is asked for by the page. */
const LATEST = "1 second"

/** What every view shows. */
const common: ReadonlySet<string> = new Set([api.markets, api.coins, api.weeks, api.movers, api.global, api.sources])

/** What else a view shows, by what it is about: the group of each form. */
const forms: ReadonlyArray<readonly [kind: string, form: RegExp]> = [
  ["coin", /^v1\/coins\/([^/?]+)$/],
  ["coin", /^v1\/coins\/([^/?]+)\/tickers$/],
  ["coin", /^v1\/why\/([^/?]+)$/],
  ["coin", /^v1\/price\/([^/?]+)\/\w+\/history(?:\?|$)/],
  ["market", /^v1\/(naira|p2p\/[^/?]+)$/],
  ["market", /^v1\/(naira|p2p\/[^/]+)\/history$/],
  ["market", /^v1\/(naira|p2p\/[^/?]+)\/history\?/],
  ["conversion", /^v1\/convert\?(from=[^&]*&to=[^&]*)(?:&basis=p2p)?$/],
  ["conversion", /^v1\/convert\?(from=[^&]*&to=[^&]*)&amount=[^&]*&basis=customer$/],
  ["conversion", /^v1\/convert\?(from=[^&]*&to=[^&]*)&basis=official$/],
  ["search", /^v1\/search\?(q=[^&]*)&limit=6$/],
  ["prices", /^v1\/prices\?(ids=[^&]*)&fiats=\w+$/]
]

/**
 * The paths that one view shows: of each form one, and all of a kind about the same. A program that asks for several coins or conversions
 * needs a request for each, as elsewhere.
 */
export const ofOneView = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const subjects = new Map<string, string | undefined>()
  const taken = new Set<RegExp>()
  return [...new Set(paths)].filter((path) => {
    if (common.has(path)) return true
    const [kind, form] = forms.find(([, form]) => form.test(path)) ?? []
    if (kind === undefined || form === undefined || taken.has(form)) return false
    const subject = form.exec(path)?.[1]
    if (subjects.has(kind) && subjects.get(kind) !== subject) return false
    subjects.set(kind, subject)
    taken.add(form)
    return true
  })
}

/** An answer under its path. Undefined for what is no JSON, such as CSV. */
const entryOf = (path: string, { headers, status, text }: InProcess.TextResponse): string | undefined => {
  if (!text.startsWith("{")) return undefined
  const retry = headers["retry-after"]
  return `${JSON.stringify(path)}:{"status":${status}${retry === undefined ? "" : `,"retryAfter":${Number(retry)}`},"body":${text}}`
}

const isLate = ({ headers, status }: InProcess.TextResponse): boolean =>
  status === 503 && headers["retry-after"] !== undefined

/** Answers by path. */
export interface AnswersText {
  /** JSON: `{ now, answers: { path: { status, retryAfter, body } } }`, `now` in epoch milliseconds. */
  readonly text: string
  /** Those of 404s. */
  readonly unknown: ReadonlyArray<string>
}

export class PageAnswers extends Context.Service<
  PageAnswers,
  {
    /** The answers of these paths. */
    readonly all: (paths: ReadonlyArray<string>) => Effect.Effect<AnswersText>
    /** Those that are there within a moment. */
    readonly ready: (paths: ReadonlyArray<string>) => Effect.Effect<AnswersText>
  }
>()("crypto-data-api/http/page/PageAnswers") {
  static readonly layer = Layer.effect(
    PageAnswers,
    Effect.gen(function* () {
      const endpoints = yield* InProcess.Endpoints

      const collected = Effect.fnUntraced(function* (
        paths: ReadonlyArray<string>,
        get: (path: string) => Effect.Effect<InProcess.TextResponse | undefined>
      ) {
        const asked = ofOneView(paths)
        const got = yield* Effect.forEach(asked, get, { concurrency: "unbounded" })
        const now = yield* Clock.currentTimeMillis
        const entries = asked.flatMap((path, n) => {
          const response = got[n]
          return (response && entryOf(path, response)) ?? []
        })
        return {
          text: `{"now":${now},"answers":{${entries.join(",")}}}`,
          unknown: asked.filter((_, n) => got[n]?.status === 404)
        }
      })

      return PageAnswers.of({
        all: (paths) => Patience.shared(collected(paths, (path) => endpoints.get(`/${path}`))),
        ready: (paths) =>
          Patience.briefly(
            collected(paths, (path) =>
              Effect.map(Effect.timeoutOption(endpoints.get(`/${path}`), LATEST), (response) =>
                response._tag === "None" || isLate(response.value) ? undefined : response.value
              )
            )
          )
      })
    })
  )
}

/** `/page/answers?paths=`: the answers of paths, which are separated by blanks. */
export const Answers = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const answers = yield* PageAnswers
    yield* router.add(
      "GET",
      Paths.otherPaths.answers,
      Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const { parameters } = Target.parseQuery(Target.parse(url).query)
        const { text } = yield* answers.all((parameters.get("paths") ?? "").split(" "))
        return HttpServerResponse.text(text, {
          contentType: "application/json",
          headers: { "cache-control": "no-store" }
        })
      })
    )
  })
)
