// Every contract for programs made for another service. Routes, limits, errors and documents derive from this list.
import { type HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import type { Basis } from "../../domain/Conversion.ts"
import { CoinGeckoApi } from "../coingecko/CoinGeckoApi.ts"
import { coinGecko } from "../coingecko/CoinGeckoDialect.ts"
import type { Dialect } from "../Dialect.ts"
import { endpointsOf } from "../Parameter.ts"
import { bases } from "./bases.ts"
import { btcPay, btcPayAt } from "./BtcPayApi.ts"
import { FrankfurterApi } from "./FrankfurterApi.ts"
import { frankfurter } from "./FrankfurterDialect.ts"
import { yadio, yadioAt } from "./YadioApi.ts"

interface CompatApi {
  /** Whose programs it is for. */
  readonly name: string
  readonly dialect: Dialect
  /** The document, which has the endpoints whose paths begin without a basis. */
  readonly describe: () => OpenApi.OpenAPISpec
  /** The endpoints, once for each first segment of their paths. */
  readonly endpoints: ReadonlyArray<HttpApiEndpoint.Top>
}

const compatApi = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  name: string,
  dialect: Dialect,
  apiAt: (basis: Basis | undefined) => HttpApi.HttpApi<Id, Groups>,
  segments: ReadonlyArray<Basis | undefined> = bases
): CompatApi => ({
  name,
  dialect,
  describe: () => OpenApi.fromApi(apiAt(undefined)),
  endpoints: segments.flatMap((basis) => endpointsOf(apiAt(basis)))
})

export const compatApis: ReadonlyArray<CompatApi> = [
  compatApi("CoinGecko", coinGecko, () => CoinGeckoApi, [undefined]),
  compatApi("Yadio", yadio, yadioAt),
  compatApi("BTCPay Server", btcPay, btcPayAt),
  compatApi("Frankfurter", frankfurter, () => FrankfurterApi, [undefined])
]
