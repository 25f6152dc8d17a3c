// A headless Chromium for the tests of pages. A navigation costs about a second of processor time, so tests share a page where
// they can. Each page has a browser context of its own (nothing cached) and an IP address of its own (a quota of its own), and
// records its requests and what it logs to the console.
import axe from "axe-core"
import { Context, Effect, Layer, type Scope } from "effect"
import { type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { hasPrograms, pathOf } from "../isPresent.ts"
import { RunningService } from "../RunningService.ts"

/** Whether Chromium is installed. */
export const isInstalled = hasPrograms("chromium")

/** How a page is opened. */
export interface PageOptions extends Pick<BrowserContextOptions, "javaScriptEnabled" | "permissions"> {
  /** Default `/`. */
  readonly path?: string
  /** The client's IP address, as a trusted proxy forwards it. Default: one that no other page has. */
  readonly address?: string
  /** Whether it waits until every panel has its answer. Default: yes. */
  readonly isSettled?: boolean
  /** Runs before the navigation. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** A page whose panels have their answers. */
export interface OpenPage {
  readonly page: Page
  /** URLs in the order of the requests, without `data:`. */
  readonly requests: ReadonlyArray<string>
  /** Errors and warnings of the console, and uncaught exceptions. */
  readonly complaints: ReadonlyArray<string>
  /** Bytes received over the network, headers included. */
  readonly transferred: () => number
}

/** The browser. */
export class Chromium extends Context.Service<
  Chromium,
  {
    readonly open: (options?: PageOptions) => Effect.Effect<OpenPage, never, RunningService | Scope.Scope>
  }
>()("test/http/Chromium") {
  static readonly layer = Layer.effect(
    Chromium,
    Effect.gen(function* () {
      const browser = yield* Effect.acquireRelease(
        Effect.promise(() => chromium.launch({ executablePath: pathOf("chromium") ?? "", args: [...flags] })),
        (launched) => Effect.promise(() => launched.close())
      )
      let clients = 0
      return Chromium.of({
        open: Effect.fnUntraced(function* ({ address, isSettled = true, path = "/", prepare, ...options } = {}) {
          const { baseUrl } = yield* RunningService
          const context = yield* Effect.acquireRelease(
            Effect.promise(() =>
              browser.newContext({
                ...options,
                viewport: { width: 1440, height: 900 },
                extraHTTPHeaders: { "x-forwarded-for": address ?? `203.0.113.${clients++}` }
              })
            ),
            (opened) => Effect.promise(() => opened.close())
          )
          return yield* Effect.promise(async () => {
            context.setDefaultTimeout(200_000)
            const page = await context.newPage()
            const requests: Array<string> = []
            const complaints: Array<string> = []
            let transferred = 0
            page.on("request", (request) => {
              if (!request.url().startsWith("data:")) requests.push(request.url())
            })
            page.on("pageerror", (error) => complaints.push(error.message))
            page.on("console", (message) => {
              if (["error", "warning"].includes(message.type())) complaints.push(message.text())
            })
            const network = await context.newCDPSession(page)
            await network.send("Network.enable")
            network.on("Network.loadingFinished", ({ encodedDataLength }) => (transferred += encodedDataLength))
            await prepare?.(page)
            await page.goto(baseUrl + path)
            if (isSettled && options.javaScriptEnabled !== false) await settled(page)
            return { page, requests, complaints, transferred: () => transferred }
          })
        })
      })
    })
  )
}

/** The element's visible text. */
export const textOf = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText()

/** Waits until every panel that asks has its answer. */
export const settled = (page: Page) =>
  page.locator("main:not(:has(noscript)):not(:has([aria-busy=true]))").first().waitFor()

/** A colour scheme and a width in pixels. */
type View = readonly [colorScheme: "light" | "dark", width: number]

/** An expression for the page: whether it is wider than its window. */
export const scrollsSideways = "document.documentElement.scrollWidth > window.innerWidth"

/** What is wrong in this part of the page, with everything unfolded: violations of axe's rules, and sideways scrolling. */
export const violations = async (
  page: Page,
  part: string,
  ...views: ReadonlyArray<View>
): Promise<ReadonlyArray<string>> => {
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
  await page.evaluate(axe.source)
  const found: Array<string> = []
  for (const [colorScheme, width] of views) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const messages = await page.evaluate<ReadonlyArray<string>>(inspectionOf(part))
    found.push(...messages.map((message) => `${colorScheme}, ${width} px: ${message}`))
  }
  return found
}

// Rows, cards, sources and citations are alike: the first three of each are looked at, which takes a fifth of the time.
const alike = ["tbody tr", ".cards > li", ".strip li", "details ol li", "details ul li"].map(
  (each) => `${each}:nth-child(n + 4)`
)

const inspectionOf = (part: string) => `(async () => {
  const wide = ${scrollsSideways} ? ["scrolls sideways"] : []
  const { violations } = await axe.run({ include: ["${part}"], exclude: ${JSON.stringify(alike)} }, { resultTypes: ["violations"] })
  return [...wide, ...violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ": " + target + " " + failureSummary))]
})()`

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
