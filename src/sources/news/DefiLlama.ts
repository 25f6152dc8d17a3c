// DefiLlama's record of hacks: one unsorted list of all of them, without coin ids. Times are days, and amounts may be null. Some rows
// name the wrong version of a protocol, so an item says only that DefiLlama records it.
import { DateTime, Effect, Schema } from "effect"
import type { EvidenceItem } from "../../domain/Evidence.ts"
import type { DataSet } from "../dataset/DataSet.ts"
import * as sanitize from "./sanitize.ts"
import * as ItemHistory from "./ItemHistory.ts"
import { SourceService } from "../client/SourceService.ts"
import { Unusable } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"

const Row = Schema.Struct({
  date: WireFormat.EpochSeconds,
  name: WireFormat.Id,
  classification: WireFormat.NullishText,
  technique: WireFormat.NullishText,
  amount: WireFormat.Nullish,
  chain: Schema.optionalKey(Schema.NullOr(WireFormat.Texts)),
  returnedFunds: WireFormat.Nullish
})

/** DefiLlama's record of hacks, as evidence items. */
export class DefiLlama extends SourceService<
  DefiLlama,
  {
    /** Incidents of the last days, newest first, with a precision of a day. */
    readonly hacks: DataSet<ReadonlyArray<EvidenceItem>>
  }
>()("crypto-data-api/sources/news/DefiLlama", catalog.DEFILLAMA, function* (connect) {
  const client = yield* connect()
  const history = yield* ItemHistory.make(Effect.suspend(() => hacks.last))
  const publication: ItemHistory.Publication = {
    prefix: "defillama",
    id: "hacks",
    type: "incident_record",
    tier: "primary",
    publisher: client.name,
    sharesUrl: true
  }

  const fetch = Effect.gen(function* () {
    const { body, observedAt, retrievedAt } = yield* client.get("/hacks", WireFormat.Rows(2_000))
    const good = yield* client.usable("incidents", WireFormat.rows(Row, body))
    if (good.length === 0) return yield* client.error(new Unusable({ detail: "a record without incidents" }))
    // The list goes back years; only items within the window are kept.
    const oldest = DateTime.toEpochMillis(DateTime.subtract(retrievedAt, { hours: ItemHistory.KEPT_HOURS + 24 })) / 1000
    const sightings = good.filter((row) => row.date > oldest).flatMap(toSighting)
    const value = yield* history.see(publication, sightings, retrievedAt)
    return { value, observedAt, retrievedAt }
  })

  const hacks: DataSet<ReadonlyArray<EvidenceItem>> = yield* client.dataSet("hacks", {
    every: "1 hour",
    fetch,
    schema: ItemHistory.Items
  })
  return { hacks }
}) {}

const dollars = (amount: number): string => `$${Math.round(amount).toLocaleString("en-US")}`

const toSighting = (row: typeof Row.Type): ReadonlyArray<ItemHistory.RawItem> => {
  const at = DateTime.startOf(DateTime.makeUnsafe(row.date * 1000), "day")
  const day = DateTime.formatIsoDateUtc(at)
  const amount = WireFormat.positive(row.amount)
  const returned = WireFormat.positive(row.returnedFunds)
  const how = [row.classification, row.technique].filter((text) => text !== null && text !== undefined && text !== "")
  const chains = row.chain ?? []
  const where = chains.length === 0 ? "" : ` on ${chains.join(", ")}`
  const text = sanitize.text({
    title: `${row.name} hacked${amount === null ? "" : `, ${dollars(amount)} lost`}`,
    summary: [
      `DefiLlama records a hack of ${row.name}${where} on ${day}`,
      ...how,
      amount === null ? "amount not stated" : `${dollars(amount)} lost`,
      ...(returned === null ? [] : [`${dollars(returned)} returned`])
    ].join("; ")
  })
  if (text === null) return []
  return [{ key: `${day} ${row.name}`, ...text, url: catalog.DEFILLAMA.link, publishedAt: at, precision: "day" }]
}
