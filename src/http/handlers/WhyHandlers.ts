// `/v1/why` and `/v1/why/{id}`.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { derived } from "../../domain/Decimal.ts"
import { Why } from "../../services/why/Why.ts"
import { answer } from "./Envelope.ts"
import { refusing } from "./refusing.ts"
import { stampOf } from "./Stamp.ts"

const disclaimer = "Reported coincidences, not proof of cause. Not financial advice." as const

export const WhyHandlers = HttpApiBuilder.group(
  Api,
  "why",
  Effect.fn(function* (handlers) {
    const why = yield* Why
    return handlers.handleAll({
      movers: Effect.fnUntraced(function* () {
        const snapshot = yield* why.movers
        const data = { as_of: snapshot.observedAt, window: "24h" as const, ...snapshot.value, disclaimer }
        return yield* answer(data, stampOf(snapshot))
      }, refusing),
      mover: Effect.fnUntraced(function* ({ params }) {
        const snapshot = yield* why.mover(params.id)
        const { last, market, notAMover, view } = snapshot.value
        const data = {
          ...view,
          change_24h: notAMover === null ? view.change_24h : notAMover.change,
          as_of: snapshot.observedAt,
          market,
          not_a_mover: notAMover && {
            reason: notAMover.reason,
            threshold_pct: derived(notAMover.threshold),
            sigma: notAMover.sigma === null ? null : derived(notAMover.sigma)
          },
          last_explanation: last,
          disclaimer
        }
        return yield* answer(data, stampOf(snapshot))
      }, refusing)
    })
  })
)
