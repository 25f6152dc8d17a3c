// What holds of every endpoint, on one service that has everything: its start costs more than most of the requests.
import { layer } from "@effect/vitest"
import { everything, ready } from "../api/endpoints.ts"
import { RunningService } from "../RunningService.ts"
import { caching } from "./endpoints/caching.ts"
import { compatPast } from "./endpoints/compatPast.ts"
import { conforming } from "./endpoints/conforming.ts"
import { each } from "./endpoints/each.ts"
import { historyTables } from "./endpoints/historyTables.ts"
import { methods } from "./endpoints/methods.ts"
import { officialNaira } from "./endpoints/officialNaira.ts"
import { originals } from "./endpoints/originals.ts"
import { past } from "./endpoints/past.ts"
import { recorded } from "./endpoints/recorded.ts"
import { requests } from "./endpoints/requests.ts"

layer(RunningService.layer(everything))((it) => {
  it.effect("every endpoint answers", () => ready)
  recorded(it)
  each(it)
  requests(it)
  conforming(it)
  methods(it)
  caching(it)
  originals(it)
  officialNaira(it)
  past(it)
  compatPast(it)
  historyTables(it)
})
