// Every contract for programs made for another service. Routes, limits, errors and documents derive from this list.
import { type HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { CoinGeckoApi } from "../coingecko/CoinGeckoApi.ts"
import { coinGecko } from "../coingecko/CoinGeckoDialect.ts"
import type { Dialect } from "../Dialect.ts"
import { endpointsOf } from "../Parameter.ts"
import { bisq, BisqApi } from "./BisqApi.ts"
import { btcPay, BtcPayApi } from "./BtcPayApi.ts"
import { FrankfurterApi } from "./FrankfurterApi.ts"
import { frankfurter } from "./FrankfurterDialect.ts"
import { yadio, YadioApi } from "./YadioApi.ts"

interface CompatApi {
  /** Whose programs it is for. */
  readonly name: string
  readonly dialect: Dialect
  readonly describe: () => OpenApi.OpenAPISpec
  readonly endpoints: ReadonlyArray<HttpApiEndpoint.Top>
}

const compatApi = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  name: string,
  dialect: Dialect,
  api: HttpApi.HttpApi<Id, Groups>
): CompatApi => ({ name, dialect, describe: () => OpenApi.fromApi(api), endpoints: endpointsOf(api) })

export const compatApis: ReadonlyArray<CompatApi> = [
  compatApi("CoinGecko", coinGecko, CoinGeckoApi),
  compatApi("Yadio", yadio, YadioApi),
  compatApi("BTCPay Server", btcPay, BtcPayApi),
  compatApi("Frankfurter", frankfurter, FrankfurterApi),
  compatApi("Bisq", bisq, BisqApi)
]
