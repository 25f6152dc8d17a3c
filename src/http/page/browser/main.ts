// The page's script: starts the panels. Those first in the page ask first.
import { startConverter } from "./ConverterPanel.ts"
import { startHistory } from "./HistoryPanel.ts"
import { startCoins, startGlobal } from "./MarketPanels.ts"
import { startMarket } from "./MarketPanel.ts"
import { startCoin, startWhy } from "./WhyPanels.ts"

const showHistory = startHistory(startMarket())
startConverter()
startGlobal()
startCoins(showHistory)
startWhy()
startCoin()
