import { Cbn, DataSet, Frankfurter, OfficialRates, Snapshot, SourceError, Unreachable } from "crypto-data-api"
import { Config, Console, DateTime, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"

const source = "My bank"
const Rate = Schema.Struct({ rate: Schema.Finite, date: Schema.String })

/** The address answers `{ "rate": 1500.5, "date": "2026-11-20" }`: NGN per USD. It takes the place of the central bank. */
const myBank = Effect.gen(function* () {
  const address = yield* Config.String("MY_BANK_URL")
  const fetch = HttpClient.get(address).pipe(
    Effect.flatMap(HttpClientResponse.schemaBodyJson(Rate)),
    Effect.timeout("10 seconds"),
    Effect.mapError(({ _tag }) => new SourceError({ source, reason: new Unreachable({ detail: _tag }) })),
    Effect.zipWith(DateTime.now, (value, retrievedAt) =>
      Snapshot.make({ value, source, observedAt: DateTime.makeUnsafe(value.date), retrievedAt })
    ),
    Effect.provide(FetchHttpClient.layer)
  )
  const nfem = yield* DataSet.make({ key: "my-bank", source, every: "10 minutes", fetch })
  const all_rates = yield* DataSet.make({ key: "none", source, every: "1 day", fetch, isOff: true })
  const noPast = new SourceError({ source, reason: new Unreachable({ detail: "it has no past" }) })
  return Cbn.of({ nfem, all_rates, days: () => noPast })
})

const rates = OfficialRates.layerNoDeps.pipe(Layer.provide([Layer.effect(Cbn, myBank), Frankfurter.layer]))

const program = Effect.flatMap(OfficialRates, ({ current }) => current).pipe(
  Effect.flatMap((rate) =>
    Console.log(
      rate._tag === "Published" ? `${rate.snapshot.value.rate} NGN, says ${rate.snapshot.source}` : rate.reason
    )
  )
)

await Effect.runPromise(Effect.provide(program, rates))
