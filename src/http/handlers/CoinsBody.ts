// The bodies about coins: of a list, in JSON or CSV, and of one.
import { Effect, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Coin, CoinsAnswer } from "../../api/MarketApi.ts"
import type { Coin as DomainCoin } from "../../domain/Coin.ts"
import type { CoinList } from "../../domain/CoinList.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import type { Coins } from "../../services/Coins.ts"
import { csv } from "../response/Csv.ts"
import * as Format from "../response/Format.ts"
import { answer, joined, type Stamp, stampOf } from "./Answer.ts"

const encode = Schema.encodeSync(CoinsAnswer)

const COLUMNS = Object.keys(Coin.fields)

/** The stamp of some coins: of the list, and of those that were looked up beside it. */
export const stampOfCoins = (list: Snapshot<CoinList>, coins: ReadonlyArray<Snapshot<DomainCoin>>): Stamp =>
  joined([list, ...coins.filter(({ value }) => list.value.byId.get(value.id) !== value)].map(stampOf)) ?? stampOf(list)

/** `{ data, meta }` for the current caller. CSV has a row for each coin; ids that are missing have none. */
export const coinsBody = (
  list: (typeof CoinsAnswer.Type)["data"],
  stamp: Stamp,
  format: Format.TableFormat
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(answer(list, stamp), (answered) => {
    const { data, meta } = encode(answered)
    return format === "csv" ? Format.text(format, csv(COLUMNS, data.coins), meta) : Format.json({ data, meta })
  })

/** A coin with its contract addresses, stamped with its own time. */
export const coinDetail = (coins: Coins["Service"], coin: Snapshot<DomainCoin>) =>
  Effect.flatMap(coins.platforms(coin.value.id), (platforms) => answer({ ...coin.value, platforms }, stampOf(coin)))
