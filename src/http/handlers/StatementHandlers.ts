// `/v1/statement`.
import { Clock, DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { type Asset, nameOf, parseAsset } from "../../domain/Asset.ts"
import { dayIn, zoneOf } from "../../domain/Fixing.ts"
import { isoCurrencies } from "../../domain/Fiat.ts"
import { startOfDay } from "../../history/model/Interval.ts"
import { Histories } from "../../services/history/Histories.ts"
import { Past } from "../../services/history/Past.ts"
import * as Statements from "../../services/history/Statements.ts"
import { P2pMarkets } from "../../services/P2pMarkets.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { Signing } from "../response/Signature.ts"
import { signedBy } from "./Format.ts"
import { InvalidQuery, refusing, UnknownName } from "./refusing.ts"
import { joined, ownRecordAt } from "./Stamp.ts"
import { statementOf } from "./StatementData.ts"
import { statementCsv, statementText } from "./StatementTables.ts"

export const StatementHandlers = HttpApiBuilder.group(
  Api,
  "statement",
  Effect.fn(function* (handlers) {
    const partsOf = Statements.make(yield* Histories, yield* Past)
    const { followed } = yield* P2pMarkets
    const { origin, path } = yield* PublicUrl
    const root = origin + path
    const answered = signedBy(yield* Signing)
    return handlers.handleAll({
      statement: Effect.fnUntraced(function* ({ query }) {
        const { amount, format, on } = query
        const [from, to] = [parseAsset(query.from), parseAsset(query.to)]
        const fiat = yield* marketOf(from, to, [...followed.keys()])
        const zone = query.tz ?? zoneOf(fiat)
        const today = dayIn(zone, yield* Clock.currentTimeMillis)
        if (on > today) {
          return yield* new InvalidQuery({ parameter: "on", detail: `must not be after today, ${today} (${zone})` })
        }
        const parts = yield* partsOf({ from, to, fiat, on, zone }).pipe(
          Effect.catchTag("UnknownCoin", ({ id, suggestions }) =>
            Effect.fail(new UnknownName({ parameter: nameOf(from) === id ? "from" : "to", name: id, suggestions }))
          )
        )
        const data = statementOf({ from, to, amount, on, zone, fiat, root, parts })
        const known = parts.flatMap(({ observedAt, sources }) =>
          observedAt === null ? [] : [{ source: sources.join(" + "), updated: DateTime.makeUnsafe(observedAt) }]
        )
        return yield* answered(
          format,
          joined(known) ?? ownRecordAt(startOfDay(on)),
          () => data,
          (other) => (other === "csv" ? statementCsv(data) : statementText(data))
        )
      }, refusing)
    })
  })
)

/** The fiat whose market a statement is about: that of `from` or of `to`, but not of both. */
const marketOf = (from: Asset, to: Asset, followed: ReadonlyArray<string>): Effect.Effect<string, InvalidQuery> => {
  const codes = [from, to].flatMap((one) => (one._tag === "Fiat" ? one.code : []))
  const [fiat, ...others] = codes.filter((code) => followed.includes(code))
  return fiat !== undefined && others.length === 0 && codes.every((code) => isoCurrencies.has(code))
    ? Effect.succeed(fiat)
    : Effect.fail(
        new InvalidQuery({
          parameter: "to",
          detail: `or from must be a fiat whose P2P market is followed here (${followed.join(", ")}), and the other one a coin or another fiat`
        })
      )
}
