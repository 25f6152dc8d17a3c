// No request changes what another one answers, and a request answers the same when it is repeated.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isDeepStrictEqual } from "node:util"
import { isWhole } from "../isWhole.ts"
import { friday } from "../RunningService.ts"
import { attacks } from "./Requests.ts"
import { TwinServices } from "./TwinServices.ts"

const RUNS = isWhole ? 2000 : 200

/** Asked after every attack, beside what it was aimed at. */
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

layer(TwinServices.layer(friday))("whatever is asked before", (it) => {
  it.effect(
    `${RUNS} attacks: every plain request answers as on a service that none of them reached, and each attack as before`,
    () =>
      Effect.gen(function* () {
        const { attacked, plain } = yield* TwinServices
        /** Both answers to a path, asked while nothing was refreshed: the plain one is the same before and after. */
        const pair = Effect.fnUntraced(function* (path: string) {
          let before = yield* plain(path)
          for (;;) {
            const found = yield* attacked(path)
            if (isDeepStrictEqual(found, before)) return [found, before] as const
            const after = yield* plain(path)
            if (isDeepStrictEqual(before, after)) return [found, after] as const
            before = after
          }
        })
        const { body } = yield* plain("/v1/coins?limit=250")
        const { data }: { readonly data: { readonly coins: ReadonlyArray<{ readonly id: string }> } } = JSON.parse(body)
        let count = 0
        let answered = 0
        for (const { init, target, victims } of attacks(
          20_261_123,
          data.coins.map(({ id }) => id)
        )) {
          if (count++ === RUNS) break
          const label = `attack ${count}: ${init.method} ${target} ${JSON.stringify(init.headers)}`
          const first = yield* attacked(target, init)
          if (first.status === 200) answered++
          for (const path of [...victims, ...everyday]) {
            const [found, expected] = yield* pair(path)
            assert.deepStrictEqual(found, expected, `${path} after ${label}`)
          }
          let [last, again] = [first, yield* attacked(target, init)]
          // A refresh in between changes an answer once.
          if (!isDeepStrictEqual(last, again)) [last, again] = [again, yield* attacked(target, init)]
          assert.deepStrictEqual(again, last, label)
        }
        assert.isAbove(answered, RUNS / 6, "attacks are answers, too, and not only refusals")
      }),
    isWhole ? 300_000 : 60_000
  )
})
