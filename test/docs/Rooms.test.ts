// Imports of `src` run one way: the lint rule of `build/rooms.ts` with the table of `.oxlintrc.json`.
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { refusal } from "../../build/rooms.ts"

const config = JSON.parse(readFileSync(new URL("../../.oxlintrc.json", import.meta.url), "utf8"))
const rooms: Readonly<Record<string, string>> = config.rules["rooms/imports"][1]

/** Each may import those before it. */
const order = ["domain/A.ts", "sources/Sources.ts", "services/A.ts", "http/a/A.ts", "Server.ts", "cli/A.ts", "main.ts"]

const refused: ReadonlyArray<readonly [from: string, to: string]> = [
  ...order.flatMap((from, n) => order.slice(n + 1).map((to) => [from, to] as const)),
  ["history/store/History.ts", "services/Coins.ts"],
  ["history/model/Point.ts", "history/store/History.ts"],
  ["http/handlers/A.ts", "history/store/History.ts"],
  ["api/Api.ts", "services/Coins.ts"],
  ["client/A.ts", "domain/Coin.ts"],
  ["sandbox/World.ts", "sources/catalog/SourceCatalog.ts"],
  ["why/Movers.ts", "sources/news/NewsFeeds.ts"],
  ["access/Plan.ts", "persistence/FileStore.ts"],
  ["index.ts", "node/Serve.ts"],
  ["sources/client/A.ts", "sources/market/CoinGecko.ts"],
  ["sources/market/CoinGecko.ts", "sources/market/CoinPaprika.ts"],
  ["sources/market/CoinGecko.ts", "sources/fx/Cbn.ts"],
  ["http/page/browser/A.ts", "domain/Coin.ts"],
  ["sources/p2p/Luno.ts", "sources/p2p/Valr.ts"],
  ["domain/Coin.ts", "effect/http"],
  ["services/Coins.ts", "node:fs"],
  ["http/a/A.ts", "@effect/platform-node"]
]

describe("imports", () => {
  for (const [from, to] of refused)
    it(`${from} must not import ${to}`, () => assert.isDefined(refusal(rooms, from, to)))

  it("may be made along the way, within a room, and of types by a browser", () => {
    const allowed = [
      ["services/Coins.ts", "history/model/Point.ts"],
      ["sources/market/CoinGecko.ts", "sources/market/CoinGeckoPlan.ts"],
      ["sources/p2p/Luno.ts", "sources/p2p/p2pBooks.ts"],
      ["cli/A.ts", "@effect/platform-node"],
      ["domain/Coin.ts", "effect"]
    ] as const
    for (const [from, to] of allowed) assert.isUndefined(refusal(rooms, from, to), `${from} ${to}`)
    assert.isUndefined(refusal(rooms, "http/page/browser/A.ts", "api/Api.ts", true))
  })

  it("have a row for each folder and file of src, and no other", () => {
    const found = readdirSync(new URL("../../src", import.meta.url))
    const named = Object.keys(rooms).map((room) => room.split("/")[0] ?? "")
    const packages = new Set(["node:", "effect", "@effect"])
    assert.sameMembers(
      [...new Set(named)].filter((name) => !packages.has(name)),
      found
    )
  })
})
