// `/v1/why` and `/v1/why/{id}`.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { derived } from "../../domain/Decimal.ts"
import { Why } from "../../services/why/Why.ts"
import { answer, refusing } from "./Answer.ts"
import { using } from "./HandlerLayer.ts"

const disclaimer = "Reported coincidences, not proof of cause. Not financial advice." as const

export const WhyHandlers = HttpApiBuilder.group(
  Api,
  "why",
  Effect.fn(function* (handlers) {
    const why = yield* Why
    return handlers.handleAll({
      movers: () =>
        why.movers.pipe(
          Effect.flatMap(({ observedAt, source, value }) =>
            answer({ as_of: observedAt, window: "24h" as const, ...value, disclaimer }, { source, updated: observedAt })
          ),
          refusing
        ),
      mover: ({ params }) =>
        why.mover(params.id).pipe(
          Effect.flatMap(({ observedAt, source, value: { last, market, notAMover, view } }) =>
            answer(
              {
                ...view,
                change_24h: notAMover === null ? view.change_24h : notAMover.change,
                as_of: observedAt,
                market,
                not_a_mover: notAMover && {
                  reason: notAMover.reason,
                  threshold_pct: derived(notAMover.threshold),
                  sigma: notAMover.sigma === null ? null : derived(notAMover.sigma)
                },
                last_explanation: last,
                disclaimer
              },
              { source, updated: observedAt }
            )
          ),
          refusing
        )
    })
  })
).pipe(using(Why))
