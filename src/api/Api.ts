// The whole contract. Handlers, validation, the OpenAPI document and typed clients derive from this.
import { HttpApi, OpenApi } from "effect/http-api"
import { Access } from "./Access.ts"
import { ConversionApi } from "./ConversionApi.ts"
import { FixingApi } from "./FixingApi.ts"
import { forClients } from "./forClients.ts"
import { HistoryApi } from "./HistoryApi.ts"
import { MarketApi } from "./MarketApi.ts"
import { NairaApi, P2pApi } from "./P2pApi.ts"
import { PricesApi } from "./PricesApi.ts"
import { SearchApi } from "./SearchApi.ts"
import { SourcesApi } from "./SourcesApi.ts"
import { StatementApi } from "./StatementApi.ts"
import { document } from "./OpenApiDocument.ts"
import { parametersIn } from "./Parameter.ts"
import { description, summary } from "./Terms.ts"
import { Validation } from "./Validation.ts"
import { WhyApi } from "./WhyApi.ts"

const { groups } = HttpApi.make("v1")
  .add(
    MarketApi,
    PricesApi,
    SearchApi,
    NairaApi,
    P2pApi,
    ConversionApi,
    HistoryApi,
    FixingApi,
    StatementApi,
    WhyApi,
    SourcesApi
  )
  .prefix("/v1")
  .middleware(Validation)
  .middleware(Access)

const endpoints = HttpApi.make("crypto-data-api").add(
  forClients(groups.market),
  forClients(groups.prices),
  forClients(groups.search),
  forClients(groups.naira),
  forClients(groups.p2p),
  forClients(groups.conversion),
  forClients(groups.history),
  forClients(groups.fixing),
  forClients(groups.statement),
  forClients(groups.why),
  forClients(groups.sources)
)

/** crypto-data-api, version 1. */
export class Api extends endpoints.annotateMerge(
  OpenApi.annotations({
    title: "crypto-data-api",
    version: "1",
    summary,
    description,
    license: { name: "MIT", identifier: "MIT" },
    servers: [{ url: "/" }],
    transform: (spec) => document(spec, parametersIn(endpoints))
  })
) {}
