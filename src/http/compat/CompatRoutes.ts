// The routes of the compat APIs. Yadio's and BTCPay Server's exist once without and once with each basis as a path segment.
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { bases } from "../../api/compat/bases.ts"
import { btcPayAt } from "../../api/compat/BtcPayApi.ts"
import { FrankfurterApi } from "../../api/compat/FrankfurterApi.ts"
import { yadioAt } from "../../api/compat/YadioApi.ts"
import { CoinGeckoApi } from "../../api/coingecko/CoinGeckoApi.ts"
import { EndpointMiddleware } from "../handlers/EndpointMiddleware.ts"
import { btcPayHandlers } from "./BtcPayHandlers.ts"
import { FrankfurterHandlers } from "./FrankfurterHandlers.ts"
import { NowHandlers } from "./NowHandlers.ts"
import { PastHandlers } from "./PastHandlers.ts"
import { yadioHandlers } from "./YadioHandlers.ts"

const CoinGeckoRoutes = HttpApiBuilder.layer(CoinGeckoApi).pipe(Layer.provide([NowHandlers, PastHandlers]))

const FrankfurterRoutes = HttpApiBuilder.layer(FrankfurterApi).pipe(Layer.provide(FrankfurterHandlers))

export const CompatRoutes = bases
  .map((basis) =>
    Layer.mergeAll(
      HttpApiBuilder.layer(yadioAt(basis)).pipe(Layer.provide(yadioHandlers(basis))),
      HttpApiBuilder.layer(btcPayAt(basis)).pipe(Layer.provide(btcPayHandlers(basis)))
    )
  )
  .reduce((all, routes) => Layer.merge(all, routes))
  .pipe(Layer.merge(CoinGeckoRoutes), Layer.merge(FrankfurterRoutes), Layer.provide(EndpointMiddleware))
