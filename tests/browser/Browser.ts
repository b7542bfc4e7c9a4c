/** A real browser, one process for all test files of a worker, and customers in it who share nothing. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import * as Chromium from "../../scripts/Chromium.ts"

/**
 * Parts of the browser that are off: those that Playwright turns off by the same flag, of which only the last one counts; and the
 * pop-ups of the address bar, which are pages of their own that start with every window, though no test sees them; and processes that
 * are started in advance.
 */
const featuresOff = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "SpareRendererForSitePerProcess"
]

/**
 * Without these it would send requests to its maker's servers; the sandbox cannot start as root. Pages share two processes, because the
 * start of a process costs as much as a page.
 */
const quiet = [
  `--disable-features=${featuresOff.join(",")}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--renderer-process-limit=2"
]

let launched: Promise<Browser> | undefined

/** The browser starts with the first test of the worker, in a new folder. Playwright ends both with the worker. */
const browser = (): Promise<Browser> => {
  launched ??= chromium.launch({ executablePath: Chromium.find() ?? "no browser", headless: true, args: quiet })
  return launched
}

const newContext = (options: BrowserContextOptions) =>
  Effect.acquireRelease(
    Effect.promise(async () => (await browser()).newContext({ locale: "en", ...options })),
    (context) => Effect.promise(() => context.close())
  )

/** To a browser these are two sites. */
const isHere = (hostname: string | undefined) => hostname === "127.0.0.1" || hostname === "localhost"

/** A page that is not there after this time does not come. */
const longestMs = 60_000

/**
 * Opens a page in a browser context of its own. The test fails if a page reports an error or a breach of its policy on the console, or
 * sends a request to another machine.
 */
export const customer = Effect.fnUntraced(function* (options: BrowserContextOptions = {}, status = 422) {
  const context = yield* newContext(options)
  context.setDefaultTimeout(longestMs)
  const page = yield* Effect.promise(() => context.newPage())
  const wrong: Array<string> = []
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`))
  page.on("console", (message) => {
    // The browser reports a page with such a status as a failed load: a form with mistakes comes back with 422.
    if (message.type() === "error" && !message.text().includes(`status of ${status}`))
      wrong.push(`console: ${message.text()}`)
  })
  page.on("request", (request) => {
    const url = URL.parse(request.url())
    if (!isHere(url?.hostname) && url?.protocol !== "data:") wrong.push(`request elsewhere: ${request.url()}`)
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => assert.deepStrictEqual(wrong, [])))
  return page
})

/** Acts on a page, as an effect: Playwright returns promises. */
export const at = <A>(page: Page, act: (page: Page) => Promise<A>) => Effect.promise(() => act(page))
