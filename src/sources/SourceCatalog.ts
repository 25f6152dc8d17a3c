// Every source there is, by its terms. What is public about them (names, credits, licences) is read from here.
import { BitgetAnnouncements } from "./BitgetAnnouncements.ts"
import { BitgetP2p } from "./BitgetP2p.ts"
import { BybitAnnouncements } from "./BybitAnnouncements.ts"
import { BybitP2p } from "./BybitP2p.ts"
import { Cbn } from "./Cbn.ts"
import { CoinGecko } from "./CoinGecko.ts"
import { CoinLore } from "./CoinLore.ts"
import { CoinPaprika } from "./CoinPaprika.ts"
import { CurrencyApi } from "./CurrencyApi.ts"
import { DefiLlama } from "./DefiLlama.ts"
import { Frankfurter } from "./Frankfurter.ts"
import { Gdelt } from "./Gdelt.ts"
import { KucoinAnnouncements } from "./KucoinAnnouncements.ts"
import { Luno } from "./Luno.ts"
import { NewsFeeds } from "./NewsFeeds.ts"
import { OkxAnnouncements } from "./OkxAnnouncements.ts"
import { Quidax } from "./Quidax.ts"
import type { SourceTerms } from "./SourceTerms.ts"

/** The sources, in the order of the questions they answer. */
export const sourceCatalog: ReadonlyArray<SourceTerms> = [
  CoinGecko.terms,
  CoinPaprika.terms,
  CoinLore.terms,
  BybitP2p.terms,
  BitgetP2p.terms,
  Quidax.terms,
  Luno.terms,
  Cbn.terms,
  Frankfurter.terms,
  CurrencyApi.terms,
  OkxAnnouncements.terms,
  KucoinAnnouncements.terms,
  BitgetAnnouncements.terms,
  BybitAnnouncements.terms,
  ...NewsFeeds.terms,
  DefiLlama.terms,
  Gdelt.terms
]
