/** A real browser, one for each test file, and customers in it who share nothing. */
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import * as Chromium from "../../scripts/Chromium.ts"

/**
 * Parts of the browser that are off: those that Playwright turns off by the same flag, of which only the last one counts; and the
 * pop-ups of the address bar, which are pages of their own that start with every window, though nobody sees them.
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
  "WebUIOmniboxFullPopup"
]

/** Without these it would ask its maker's servers all sorts of things; the sandbox cannot start as root. */
const quiet = [
  `--disable-features=${featuresOff.join(",")}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

const opened = Effect.acquireRelease(
  Effect.promise(() =>
    chromium.launch({ executablePath: Chromium.find() ?? "no browser", headless: true, args: quiet })
  ),
  (browser) => Effect.promise(() => browser.close())
)

const newContext = (options: BrowserContextOptions) =>
  Effect.flatMap(Browser, (browser) =>
    Effect.acquireRelease(
      Effect.promise(() => browser({ locale: "en", ...options })),
      (context) => Effect.promise(() => context.close())
    )
  )

export class Browser extends Context.Service<Browser, (options: BrowserContextOptions) => Promise<BrowserContext>>()(
  "tests/browser/Browser"
) {
  /** Its folder is new, and gone afterwards. */
  static readonly layer = Layer.effect(
    Browser,
    Effect.map(opened, (browser) => (options) => browser.newContext(options))
  )
}

/** To a browser these are two sites. */
const isHere = (hostname: string | undefined) => hostname === "127.0.0.1" || hostname === "localhost"

/** Past this, what is waited for does not come. */
const longestMs = 60_000

/**
 * Somebody at a fresh browser. What the pages must never do ends the test: an error or a breach of policy on the console, a
 * request to anywhere but this machine.
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
    if (!isHere(url?.hostname) && url?.protocol !== "data:") wrong.push(`asks elsewhere: ${request.url()}`)
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => assert.deepStrictEqual(wrong, [])))
  return page
})

/** What a person does at the page: as a promise, which Playwright speaks. */
export const at = <A>(page: Page, act: (page: Page) => Promise<A>) => Effect.promise(() => act(page))
