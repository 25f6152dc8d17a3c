// Every source there is, by its terms. What is public about them (names, credits, licences) is read from here.
import { BitgetAnnouncements } from "../news/BitgetAnnouncements.ts"
import { BitgetP2p } from "../naira/BitgetP2p.ts"
import { BybitAnnouncements } from "../news/BybitAnnouncements.ts"
import { BybitP2p } from "../naira/BybitP2p.ts"
import { Cbn } from "../naira/Cbn.ts"
import { CoinGecko } from "../market/CoinGecko.ts"
import { CoinLore } from "../market/CoinLore.ts"
import { CoinPaprika } from "../market/CoinPaprika.ts"
import { CurrencyApi } from "../fx/CurrencyApi.ts"
import { DefiLlama } from "../news/DefiLlama.ts"
import { Frankfurter } from "../fx/Frankfurter.ts"
import { Gdelt } from "../news/Gdelt.ts"
import { KucoinAnnouncements } from "../news/KucoinAnnouncements.ts"
import { Luno } from "../naira/Luno.ts"
import { NewsFeeds } from "../news/NewsFeeds.ts"
import { OkxAnnouncements } from "../news/OkxAnnouncements.ts"
import { Quidax } from "../naira/Quidax.ts"
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
