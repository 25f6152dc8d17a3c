// The page that tests in Chromium share, and ways to go about in it.
import { Context, Effect, Layer, Schedule } from "effect"
import { RunningService, get } from "../RunningService.ts"
import { Chromium, type OpenPage, settled } from "./Chromium.ts"

type Page = OpenPage["page"]

/** `/`, opened once the service tells movers: it finds them by hourly prices, which come some seconds after a start. */
export class SharedPage extends Context.Service<SharedPage, OpenPage>()("test/http/SharedPage") {
  static readonly layer = Layer.effect(
    SharedPage,
    Effect.gen(function* () {
      yield* get("/v1/why").pipe(
        Effect.repeat({
          until: ({ status, text }) => status === 200 && JSON.parse(text).data.movers.length > 1,
          schedule: Schedule.spaced("200 millis"),
          times: 100
        })
      )
      return yield* (yield* Chromium).open({ permissions: ["clipboard-read", "clipboard-write"] })
    })
  )
}

/** Looks at the shared page. */
export const look = (test: (opened: OpenPage) => Promise<void>) =>
  Effect.flatMap(SharedPage, (opened) => Effect.promise(() => test(opened)))

/** Goes to an address of the page by its own links, without a load. */
export const goTo = async (page: Page, path: string) => {
  await page.evaluate(`{
    const link = document.createElement("a")
    link.href = "${path === "" ? "./" : path}"
    document.body.append(link)
    link.click()
    link.remove()
  }`)
  await settled(page)
}

export const pathOf = (page: Page): string => new URL(page.url()).pathname

export const origin = (page: Page): string => new URL(page.url()).origin

/** A service with a record, which begins with it. All tests are within one quota. */
export const withRecord = RunningService.layer({ config: { HISTORY: "on", PLAN_FREE: "600" } })
