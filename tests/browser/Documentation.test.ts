/** The built documentation site: in a browser it loads nothing from other machines, and its search, its tabs and its layout work. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import MiniSearch from "minisearch"
import * as SearchTerms from "../../tools/docs/src/site/SearchTerms.ts"
import { at, customer } from "./Browser.ts"
import * as Views from "./Views.ts"

const schemes = (["light", "dark"] as const).map((colorScheme) => ({ width: 1280, colorScheme }))
const program = join(import.meta.dirname, "../../tools/docs/src/main.ts")

const address = (child: ChildProcess) =>
  Effect.callback<string>((resume) => {
    const lines: Array<string> = []
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface(stream).on("line", (line) => {
        lines.push(line)
        const url = /is at (http:\/\/[\w.]+:\d+)/.exec(line)?.[1]
        if (url !== undefined) resume(Effect.succeed(url))
      })
    }
    child.on("exit", () => resume(Effect.die(new Error(lines.join("\n")))))
  })

/** The address of the site, which is built once into a folder of its own. */
class Site extends Context.Service<Site, { readonly folder: string; readonly url: string }>()("tests/browser/Site") {
  static readonly layer = Layer.effect(
    Site,
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "pay-site-"))
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [program, "--out", folder], {
            env: { ...process.env, DOCS_PORT: "0" },
            stdio: "pipe"
          })
        ),
        (process) =>
          Effect.sync(() => {
            process.kill()
            rmSync(folder, { recursive: true, force: true })
          })
      )
      return { folder, url: yield* address(child) }
    })
  )
}

/** Names that readers look up: fields, headers, settings, error codes, flags, endpoints, and names of the packages. */
const names = [
  ...[
    "client_orderid",
    "server_callback_url",
    "redirect_success_url",
    "notify_url",
    "credit_card_number",
    "order_desc"
  ],
  ...["paynet-order-id", "recurring-payment-id", "destination-card-no", "cardrefid", "threeDSServerTransID"],
  ...["customer_browser_color_depth", "merchant_data", "by-request-sn", "oauth_consumer_key", "oauth_timestamp"],
  ...["webhook-signature", "webhook-timestamp", "Idempotency-Key", "create-card-ref", "return"],
  ...[
    "PAY_BASE_URL",
    "PAY_CONTROL_KEY",
    "PAY_ENDPOINT_ID",
    "PAY_CONFIG",
    "SHOP_PORT",
    "actingControl",
    "callbackFormat"
  ],
  ...[
    "parameterRequired",
    "authenticationFailed",
    "contentDiffers",
    "repeatedWithoutKey",
    "nonceUsed",
    "rateLimited",
    "orderState"
  ],
  ...[
    "--other-ids",
    "--accept-loss",
    "--endpoint-id",
    "--harmless",
    "--write-profile",
    "--control-key",
    "vnd.pay+json",
    "51",
    "1001",
    "1101",
    "StillUnknown",
    "OutcomeUnknown",
    "verifyCallback"
  ]
]

/** Finds pages as the site's search does: by the index that it loads. */
const search = (folder: string) =>
  Effect.promise(async () => {
    const chunks = join(folder, "assets/chunks")
    const name = readdirSync(chunks).find((file) => file.startsWith("@localSearchIndex")) ?? ""
    const loaded: { readonly default: string } = await import(pathToFileURL(join(chunks, name)).href)
    return MiniSearch.loadJSON(loaded.default, SearchTerms.miniSearch)
  })

layer(Site.layer, { excludeTestServices: true })("the built documentation site", (it) => {
  it.effect("has a name that readers look up on the first page that its search finds", () =>
    Effect.gen(function* () {
      const { folder } = yield* Site
      const index = yield* search(folder)
      const missed = names.filter((name) => {
        const [first] = index.search(name, SearchTerms.searchOptions)
        const path = String(first?.id).replace(/\.html.*$|\/(#.*)?$/, "")
        const file = [`${path}.md`, `${path}/index.md`].map((each) => join(folder, each)).find(existsSync)
        return file === undefined || !readFileSync(file, "utf8").includes(name)
      })
      assert.isAtLeast(names.length, 40)
      assert.deepStrictEqual(missed, [])
    })
  )

  it.effect("is whole in windows of 1280 and of 320 pixels: long names, tabs, tables and diagrams", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const page = yield* customer({ javaScriptEnabled: false })
      const wide: Array<string> = []
      for (const width of [1280, 320]) {
        yield* at(page, () => page.setViewportSize({ width, height: 800 }))
        for (const path of [
          "",
          "merchants/callbacks",
          "merchants/lifecycle",
          "merchants/cli",
          "merchants/operations/sale"
        ]) {
          yield* at(page, () => page.goto(`${url}/${path}`))
          wide.push(...(yield* at(page, Views.excess)).map((excess) => `${path} at ${width}: ${excess}`))
        }
      }
      yield* at(page, () => page.setViewportSize({ width: 1280, height: 800 }))
      yield* at(page, () => page.goto(`${url}/`))
      const cut = ".vp-doc :is(table, pre)"
      const scrolled = yield* at(page, () =>
        page.locator(cut).evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length)
      )
      assert.deepStrictEqual([...wide, scrolled], [0])
    })
  )

  it.effect("gives the meaning of a field the width of a phone, and folds optional fields", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const page = yield* customer()
      yield* at(page, () => page.setViewportSize({ width: 375, height: 800 }))
      yield* at(page, () => page.goto(`${url}/merchants/operations/sale`))
      const height = yield* at(page, () => page.evaluate<number>("document.documentElement.scrollHeight"))
      assert.isAtMost(height, 6000)
      const row = page.locator("tr", { hasText: "customer_browser_color_depth" })
      assert.isFalse(yield* at(page, () => row.first().isVisible()))
      yield* at(page, () => page.locator("#optional-fields ~ details summary").first().click())
      const box = yield* at(page, () => row.first().boundingBox())
      assert.isAtLeast(box?.width ?? 0, 310)
      assert.isAtMost(box?.height ?? 0, 160)
    })
  )

  it.effect("searches, keeps the chosen programming language, draws states, and is accessible in light and dark", () =>
    Effect.gen(function* () {
      const { url } = yield* Site
      const page = yield* customer()
      const foreign: Array<string> = []
      page.on("request", (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith("data:")) foreign.push(request.url())
      })
      yield* at(page, () => page.goto(`${url}/merchants/operations/sale`))
      yield* at(page, () => page.getByRole("tab", { name: "Python" }).click())
      yield* at(page, () => page.getByRole("tabpanel").getByText("import hashlib").waitFor())
      assert.isFalse(yield* at(page, () => page.getByText("<?php").isVisible()))

      yield* at(page, () => page.getByRole("button", { name: "Search" }).click())
      yield* at(page, () => page.getByRole("searchbox").fill("webhook-signature"))
      yield* at(page, () => page.getByRole("option").first().getByText("webhook-signature").waitFor())
      yield* at(page, () => page.keyboard.press("Enter"))
      yield* at(page, () => page.waitForURL(`${url}/merchants/callback-format.html#webhook-signature`))
      // The language that was chosen on another page.
      yield* at(page, () => page.goto(`${url}/merchants/operations/return`))
      yield* at(page, () => page.getByRole("tabpanel").getByText("import hashlib").waitFor())

      const flaws: Array<string> = []
      for (const path of ["merchants/lifecycle", "merchants/operations/sale", ""]) {
        yield* at(page, () => page.goto(`${url}/${path}`))
        flaws.push(...(yield* at(page, () => Views.flawsIn(page, `documentation-${path.split("/").at(-1)}`, schemes))))
      }
      assert.deepStrictEqual([...flaws, ...foreign], [])
      yield* at(page, () => page.goto(`${url}/merchants/lifecycle`))
      yield* at(page, () => page.getByRole("img", { name: "authorized to settled: settle" }).waitFor())
    })
  )
})
