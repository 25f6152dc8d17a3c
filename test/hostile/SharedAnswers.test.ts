// No request changes what another one answers, and a request answers the same when it is repeated.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { isDeepStrictEqual } from "node:util"
import { friday, type Init } from "../RunningService.ts"
import { type Attack, attacks } from "./Requests.ts"
import { TwinServices } from "./TwinServices.ts"
import { rulesIn } from "../rulesOf.ts"

const RUNS = 4000

/** Three of them are asked after every attack, beside what it was aimed at. */
const everyday = [
  "/v1/global",
  "/v1/coins?limit=10",
  "/v1/price/bitcoin/usd",
  "/v1/price/bitcoin/ngn",
  "/v1/convert?from=bitcoin&to=ngn",
  "/v1/naira",
  "/v1/fx",
  "/compat/coingecko/api/v3/ping",
  "/healthz"
]

/** What attacks do to answers: every plain one is compared with that of a service which none of them reached. */
const withstanding = Effect.fnUntraced(function* (attacks: Iterable<Attack>, keys: ReadonlyArray<string>) {
  const { attacked, plain } = yield* TwinServices
  /** Both answers to a path, asked while nothing was refreshed: the plain one is the same before and after. */
  const pair = Effect.fnUntraced(function* (path: string, init: Init) {
    let before = yield* plain(path, init)
    for (;;) {
      const found = yield* attacked(path, init)
      if (isDeepStrictEqual(found, before)) return [found, before] as const
      const after = yield* plain(path, init)
      if (isDeepStrictEqual(before, after)) return [found, after] as const
      before = after
    }
  })
  let count = 0
  let answered = 0
  for (const { init, target, victims } of attacks) {
    if (count++ === RUNS) break
    const label = `attack ${count}: ${init.method} ${target} ${JSON.stringify(init.headers)} ${init.body ?? ""}`
    const first = yield* attacked(target, init)
    assert.notStrictEqual(first.status, 500, label)
    if (first.status === 200) answered++
    const headers = count % 2 === 0 ? {} : { "x-api-key": keys[count % keys.length] ?? "" }
    for (const path of [...victims, ...everyday.slice(count % 3, (count % 3) + 3)]) {
      const [found, expected] = yield* pair(path, { headers })
      assert.deepStrictEqual(found, expected, `${path} after ${label}`)
    }
    let [last, again] = [first, yield* attacked(target, init)]
    // A refresh in between changes an answer once.
    if (!isDeepStrictEqual(last, again)) [last, again] = [again, yield* attacked(target, init)]
    assert.deepStrictEqual(again, last, label)
  }
  assert.isAbove(answered, RUNS / 12, "attacks are answers, too, and not only refusals")
})

rulesIn(TwinServices.layer(friday))("Requests: no request changes what another request answers", (rule) => {
  rule(
    `${RUNS} attacks on every endpoint: every plain request answers as on a service that none of them reached, and each attack as before`,
    function* () {
      const { keys, plain } = yield* TwinServices
      const { data } = JSON.parse((yield* plain("/v1/coins?limit=250")).body)
      const ids = data.coins.map(({ id }: { readonly id: string }) => id)
      yield* withstanding(attacks(20_261_123, keys, ids), keys)
    }
  )
})
