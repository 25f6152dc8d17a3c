// A headless Chromium and its pages, for the tests of what people see. One browser for all tests of a file; each page is in a
// context of its own (nothing cached), as a client with an address of its own, and keeps what it asked for and complained of.
import axe from "axe-core"
import { Context, Effect, Layer, type Scope } from "effect"
import { existsSync } from "node:fs"
import { stderr } from "node:process"
import { type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { RunningService } from "../RunningService.ts"

const EXECUTABLE = "/usr/bin/chromium"

/** Whether there is a browser. Where there is none, its tests are skipped, which is said beside the report. */
export const isInstalled = existsSync(EXECUTABLE)

if (!isInstalled) stderr.write(`\nSKIPPED: no ${EXECUTABLE}, so the page for people is NOT tested (see .ci/run)\n\n`)

/** How a page is opened. */
export interface View extends Pick<BrowserContextOptions, "colorScheme" | "javaScriptEnabled" | "permissions"> {
  /** Default 1440. */
  readonly width?: number
  /** The client's, as a trusted proxy tells it. Default: one that nobody else has. */
  readonly address?: string
  /** Is done before the page is gone to. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** A page that has shown all it shows by itself. */
export interface Opened {
  readonly page: Page
  /** Addresses asked for, in order. */
  readonly requests: ReadonlyArray<string>
  /** Errors and warnings of the console, and what was thrown. */
  readonly complaints: ReadonlyArray<string>
  /** Bytes that came over the network, heads included. */
  readonly transferred: () => number
}

/** The browser. */
export class Chromium extends Context.Service<
  Chromium,
  {
    readonly open: (view?: View) => Effect.Effect<Opened, never, RunningService | Scope.Scope>
  }
>()("test/http/Chromium") {
  static readonly layer = Layer.effect(
    Chromium,
    Effect.gen(function* () {
      const browser = yield* Effect.acquireRelease(
        Effect.promise(() => chromium.launch({ executablePath: EXECUTABLE, args: [...flags] })),
        (launched) => Effect.promise(() => launched.close())
      )
      let clients = 0
      return Chromium.of({
        open: Effect.fnUntraced(function* ({ address, prepare, width = 1440, ...options } = {}) {
          const { baseUrl } = yield* RunningService
          const context = yield* Effect.acquireRelease(
            Effect.promise(() =>
              browser.newContext({
                ...options,
                viewport: { width, height: 900 },
                extraHTTPHeaders: { "x-forwarded-for": address ?? `203.0.113.${clients++}` }
              })
            ),
            (opened) => Effect.promise(() => opened.close())
          )
          return yield* Effect.promise(async () => {
            const page = await context.newPage()
            const requests: Array<string> = []
            const complaints: Array<string> = []
            let transferred = 0
            page.on("request", (request) => requests.push(request.url()))
            page.on("pageerror", (error) => complaints.push(error.message))
            page.on("console", (message) => {
              if (["error", "warning"].includes(message.type())) complaints.push(message.text())
            })
            const network = await context.newCDPSession(page)
            await network.send("Network.enable")
            network.on("Network.loadingFinished", ({ encodedDataLength }) => (transferred += encodedDataLength))
            await prepare?.(page)
            await page.goto(baseUrl)
            if (options.javaScriptEnabled !== false) await settled(page)
            return { page, requests, complaints, transferred: () => transferred }
          })
        })
      })
    })
  )
}

/** Opens the page, and looks at it. */
export const seen = <A>(view: View, look: (opened: Opened) => Promise<A>) =>
  Effect.gen(function* () {
    const opened = yield* (yield* Chromium).open(view)
    return yield* Effect.promise(() => look(opened))
  })

/** What is read there, hidden parts left out. */
export const textOf = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText()

/** Has the answer to a path changed on its way, as text. */
export const rewritten = (path: string, change: (json: string) => string) => (page: Page) =>
  page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: change(await response.text()) })
  })

/** Has time go on by `page.clock` too. */
export const timed = (page: Page) => page.clock.install()

/** Whether the page has to be scrolled sideways, as an expression for the page. */
export const isWider = "document.documentElement.scrollWidth > window.innerWidth"

/** What is wrong by axe's rules, with everything unfolded. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
  await page.evaluate(axe.source)
  return page.evaluate(
    "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`)))"
  )
}

/** Until every panel that asks has its answer. */
export const settled = (page: Page) => page.locator("main:not(:has([aria-busy=true]))").waitFor()

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]
