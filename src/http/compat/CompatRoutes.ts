// The routes of the compat APIs.
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BisqApi } from "../../api/compat/BisqApi.ts"
import { BtcPayApi } from "../../api/compat/BtcPayApi.ts"
import { FrankfurterApi } from "../../api/compat/FrankfurterApi.ts"
import { YadioApi } from "../../api/compat/YadioApi.ts"
import { CoinGeckoApi } from "../../api/coingecko/CoinGeckoApi.ts"
import { EndpointMiddleware } from "../handlers/EndpointMiddleware.ts"
import { BisqHandlers } from "./BisqHandlers.ts"
import { BtcPayHandlers } from "./BtcPayHandlers.ts"
import { FrankfurterHandlers } from "./FrankfurterHandlers.ts"
import { NowHandlers } from "./NowHandlers.ts"
import { PastHandlers } from "./PastHandlers.ts"
import { YadioHandlers } from "./YadioHandlers.ts"

export const CompatRoutes = Layer.mergeAll(
  HttpApiBuilder.layer(CoinGeckoApi).pipe(Layer.provide([NowHandlers, PastHandlers])),
  HttpApiBuilder.layer(YadioApi).pipe(Layer.provide(YadioHandlers)),
  HttpApiBuilder.layer(BtcPayApi).pipe(Layer.provide(BtcPayHandlers)),
  HttpApiBuilder.layer(FrankfurterApi).pipe(Layer.provide(FrankfurterHandlers)),
  HttpApiBuilder.layer(BisqApi).pipe(Layer.provide(BisqHandlers))
).pipe(Layer.provide(EndpointMiddleware))
