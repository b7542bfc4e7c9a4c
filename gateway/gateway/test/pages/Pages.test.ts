import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as CardPage from "../../src/http/pages/CardPage.ts"
import * as DestinationPage from "../../src/http/pages/DestinationPage.ts"
import * as Language from "../../src/http/pages/Language.ts"
import * as Layout from "../../src/http/pages/Layout.ts"
import * as Payment from "../../src/http/pages/Payment.ts"
import * as StatePage from "../../src/http/pages/StatePage.ts"
import * as ThreeDSPage from "../../src/http/pages/ThreeDSPage.ts"
import * as Brand from "../../src/merchants/Brand.ts"
import * as Destination from "../../src/recipients/Destination.ts"

const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`
const payment = (text: string): Payment.Payment => ({
  merchant: text,
  order: { amountMinor: 1042, currency: "USD", description: text, kind: "sale" }
})
const payout = (text: string): Payment.Payment => ({
  ...payment(text),
  order: { ...payment(text).order, kind: "payout" }
})
const ask: StatePage.Ask = { state: "waiting", url: "token/state", next: "?then=return" }
const back = (text: string): StatePage.Return => ({
  url: `https://shop.example:8443/back?${encodeURIComponent(text)}&a='${text}`,
  fields: [
    ["status", "declined"],
    ["error_message", text]
  ]
})
const nothing = { flaws: {}, kept: { expiry: "", holder: "" } } as const
const shown = { failure: "refused", isEncrypted: true, isAuthenticated: true } as const
const open = { ...shown, attempts: 0, attemptsLeft: 3, asksReceiver: false, ...nothing }
const unfilled = {
  ...shown,
  ways: Destination.kinds,
  attempts: 0,
  attemptsLeft: 3,
  asksReceiver: false,
  flaws: {}
} as const
const acs = "https://acs.example/challenge"

/** Every page, with this text in each place for text from a merchant, a customer or an issuer. */
const pagesWith = (text: string): Readonly<Record<string, (language: Language.Language) => Layout.HtmlPage>> => ({
  card: (language) => CardPage.page(language, { payment: payment(text), ...open }),
  flawed: (language) =>
    CardPage.page(language, {
      payment: payment(text),
      ...open,
      flaws: { number: "numberWrong", code: "codeMissing" },
      kept: { expiry: text, holder: text }
    }),
  again: (language) =>
    CardPage.page(language, { payment: payment(text), ...open, attempts: 1, attemptsLeft: 2, asksReceiver: false }),
  destination: (language) =>
    DestinationPage.page(language, { payment: payout(text), ...unfilled, kept: { way: undefined, recipient: "" } }),
  flawedDestination: (language) =>
    DestinationPage.page(language, {
      payment: payout(text),
      ...unfilled,
      attempts: 1,
      flaws: { way: "wayMissing", account: "accountWrong", recipient: "recipientWrong" },
      kept: { way: "account", recipient: text }
    }),
  paidOut: (language) => StatePage.outcome(language, payout(text), "approved", back(text)),
  received: (language) => StatePage.outcome(language, payout(text), "received", back(text)),
  waiting: (language) => StatePage.waiting(language, payment(text), ask),
  unknown: (language) => StatePage.waiting(language, payment(text), ask, { back: back(text) }),
  approved: (language) => StatePage.outcome(language, payment(text), "approved", back(text)),
  refused: (language) => StatePage.outcome(language, payment(text), "refused", undefined),
  method: (language) => ThreeDSPage.method(language, payment(text), { url: acs, data: text }, ask),
  challenge: (language) => ThreeDSPage.onward(language, payment(text), acs, [["creq", text]]),
  missing: (language) => StatePage.notice(language, "missing")
})

const rendered = (page: Layout.HtmlPage) => Layout.render(page, "NONCE")
const tags = (body: string): ReadonlyArray<string> => (body.match(/<\/?[a-z][a-z0-9]*/g) ?? []).sort()

describe("text from merchants, customers and issuers", () => {
  const evilPages = pagesWith(evil)
  for (const [name, harmless] of Object.entries(pagesWith("harmless"))) {
    it(`adds no markup to the page ${name}`, () => {
      const page = evilPages[name]
      assert.isDefined(page)
      if (page === undefined) return
      const { body } = rendered(page("en"))
      assert.deepStrictEqual(tags(body), tags(rendered(harmless("en")).body))
      assert.notInclude(body, "<script>")
      assert.notMatch(body, /="[^"]*<[^"]*"/)
    })
  }
})

describe("each page", () => {
  for (const [name, page] of Object.entries(pagesWith("Books & more"))) {
    for (const language of Language.all) {
      it(`is small, accessible and protected by headers: ${name}, ${language}`, () => {
        const { body, headers } = rendered(page(language))
        assert.isAtMost(Buffer.byteLength(body), 30 * 1024)
        assert.include(body, `<html lang="${language}" dir="${Language.languages[language].direction}">`)
        assert.strictEqual(body.match(/<h1[ >]/g)?.length, 1)
        const policy = headers["content-security-policy"] ?? ""
        assert.match(policy, /^default-src 'none'; .*base-uri 'none'; frame-ancestors 'none'$/)
        assert.notMatch(policy, /unsafe|\*/)
        assert.deepInclude(headers, {
          "cache-control": "no-store",
          "referrer-policy": "no-referrer",
          "x-content-type-options": "nosniff",
          "content-language": language
        })
        assert.notProperty(headers, "set-cookie")
        assert.notMatch(body, / (on[a-z]+|style)=/)
        for (const [tag] of body.matchAll(/<(?:script|style)\b[^>]*>/g)) assert.include(tag, `nonce="NONCE"`)
        for (const [, id = ""] of body.matchAll(/<label for="([^"]*)"/g)) assert.include(body, `<input id="${id}"`)
        for (const [, ids = ""] of body.matchAll(/aria-describedby="([^"]*)"/g)) {
          for (const id of ids.split(" ")) assert.include(body, ` id="${id}"`)
        }
      })
    }
  }
})

describe("a page of an endpoint with a brand", () => {
  const logo = "data:image/svg+xml;base64,PHN2Zy8+"
  const brand = Result.getOrThrow(Brand.make({ name: "Foxglove", logo, color: "#7a2a63" }))
  const branded = { ...payment("Foxglove"), brand }
  const pages: ReadonlyArray<Layout.HtmlPage> = [
    CardPage.page("en", { payment: branded, ...open }),
    DestinationPage.page("en", {
      payment: { ...payout("Foxglove"), brand },
      ...unfilled,
      kept: { way: undefined, recipient: "" }
    }),
    StatePage.outcome("en", branded, "approved", undefined),
    StatePage.waiting("en", branded, ask),
    ThreeDSPage.onward("en", branded, acs, []),
    ThreeDSPage.refused("en", branded, acs)
  ]
  it("contains the logo as data, and the colour in a style with the page's nonce", () => {
    for (const { body, headers } of pages.map(rendered)) {
      assert.include(body, `<img class="logo" src="${logo}" alt="">`)
      assert.match(body, /<style nonce="NONCE">.*:root\{--accent:#7a2a63;.*<\/style>/)
      assert.include(headers["content-security-policy"] ?? "", "img-src data:; style-src 'nonce-NONCE'")
    }
  })
  it("shows the brand's name, or the merchant's if the brand has none", () => {
    const { order } = payment("")
    const named = (endpoint: Parameters<typeof Payment.of>[2]) => Payment.of(order, { name: "Shop" }, endpoint).merchant
    assert.deepStrictEqual(
      [named({ brand }), named({ brand: Brand.none }), named(undefined)],
      ["Foxglove", "Shop", "Shop"]
    )
  })
})

describe("the content security policy", () => {
  const pages = pagesWith("Shop")
  const rows: ReadonlyArray<readonly [name: string, directive: string]> = [
    ["card", "form-action 'self'"],
    ["waiting", "form-action 'none'"],
    ["refused", "form-action 'none'"],
    ["missing", "form-action 'none'"],
    ["approved", "form-action https: https://shop.example:8443"],
    ["challenge", "form-action https: https://acs.example"],
    ["method", "form-action https://acs.example"],
    ["method", "frame-src https://acs.example 'self'"],
    ["method", "connect-src 'self'"],
    ["card", "connect-src 'none'"],
    ["card", "frame-src 'none'"],
    ["missing", "script-src 'none'"]
  ]
  for (const [name, directive] of rows) {
    it(`of the page ${name} contains: ${directive}`, () => {
      const page = pages[name]
      const policy = page === undefined ? "" : rendered(page("en")).headers["content-security-policy"]
      assert.include(policy?.split("; ") ?? [], directive)
    })
  }
})

describe("the card form", () => {
  const { body } = rendered(pagesWith("Shop").flawed?.("en") ?? StatePage.notice("en", "missing"))

  it("labels every field for people, for autofill and for on-screen keyboards", () => {
    for (const markup of [
      `<label for="number">Card number</label>`,
      `autocomplete="cc-number"`,
      `autocomplete="cc-exp"`,
      `autocomplete="cc-csc"`,
      `autocomplete="cc-name"`,
      `inputmode="numeric"`
    ]) {
      assert.include(body, markup)
    }
  })

  it("focuses the first wrong field, and explains each error beside its field", () => {
    assert.strictEqual(body.match(/ autofocus/g)?.length, 1)
    assert.match(body, /id="number"[^>]* aria-invalid="true"[^>]* autofocus/)
    assert.include(body, `id="code-error">Enter the security code.</p>`)
    assert.include(body, `<p class="notice" role="alert">`)
  })
})
