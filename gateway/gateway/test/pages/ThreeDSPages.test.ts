import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as CardPage from "../../src/http/pages/CardPage.ts"
import * as Issuer from "../threeds/Issuer.ts"
import * as ScriptedGateway from "../threeds/ScriptedGateway.ts"
import { visit } from "./TestBrowser.ts"

const { endpoints } = ScriptedGateway
const { SALEFORM } = PayApi.operations

/** Starts a sale, and returns the page that continues it. */
const saleBegun = Effect.gen(function* () {
  yield* ScriptedGateway.sale(endpoints.gateway)
  return String((yield* ScriptedGateway.status(endpoints.gateway))["redirect-to"])
})

const formBegun = Effect.gen(function* () {
  const fields = {
    ...Sample.request(SALEFORM),
    client_orderid: "sale-1",
    redirect_url: ScriptedGateway.returnUrl,
    server_callback_url: "https://shop.example/callback"
  }
  return String((yield* ScriptedGateway.post(SALEFORM, fields, endpoints.gateway)).body["redirect-url"])
})

const card = { number: "4444333322221111", expiry: "12/30", code: "123", holder: "Jane Doe", action: "pay" }
const facts = {
  browserJavascriptEnabled: "true",
  browserJavaEnabled: "false",
  browserScreenWidth: "390.4",
  browserScreenHeight: "844",
  browserColorDepth: "30",
  browserTZ: "-60"
}

const urlOf = ({ path }: { readonly path: string }) => ScriptedGateway.baseUrl + path

describe("3-D Secure on the gateway's pages", () => {
  it.effect("leads a sale through the hidden frame and the challenge, and back to the shop", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const url = yield* saleBegun
      const method = yield* visit(url)
      assert.deepInclude(method, { status: 200, action: Issuer.methodUrl })
      assert.property(method.hidden, "threeDSMethodData")
      assert.include(method.headers["content-security-policy"], "frame-src https://acs.example 'self'")
      assert.strictEqual((yield* visit(`${url}/state`)).body, "Method")

      const framed = yield* visit(`${url}/method`, { threeDSMethodData: "e30" })
      assert.include(framed.headers["content-security-policy"], "frame-ancestors 'self'")
      assert.deepInclude(scripted.issuer.requests[0], { completionIndicator: "Y" })
      assert.deepInclude(scripted.issuer.requests[0]?.browser, { userAgent: "Test browser", acceptHeader: "text/html" })

      const challenge = yield* visit(url)
      assert.deepInclude(challenge, { action: Issuer.acsUrl, hidden: { creq: Issuer.creq } })
      const over = yield* visit(`${url}/challenge`, { cres: ScriptedGateway.cres() })
      assert.strictEqual(urlOf(over), url)
      const done = yield* visit(url)
      assert.deepInclude(done, { title: "Payment successful", action: ScriptedGateway.returnUrl })
      assert.deepInclude(done.hidden, { status: "approved", client_orderid: "sale-1" })
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("follows a hosted page, with the browser's data from that page", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const form = yield* formBegun
      assert.strictEqual((yield* visit(form)).title, "Pay to Example Shop")
      const method = yield* visit(form, { ...card, ...facts, attempts: "0" })
      assert.match(method.path, /^\/3ds\//)
      yield* visit(`${urlOf(method)}/method`, {})
      assert.deepInclude(scripted.issuer.requests[0]?.browser, {
        javascriptEnabled: true,
        screenWidth: 390,
        colorDepth: 24,
        timeZoneMinutes: -60,
        userAgent: "Test browser"
      })
      assert.strictEqual((yield* visit(form)).action, Issuer.acsUrl)
      yield* visit(`${urlOf(method)}/challenge`, { cres: ScriptedGateway.cres() })
      const done = yield* visit(urlOf(method))
      assert.deepInclude(done, { title: "Payment successful", path: form.slice(ScriptedGateway.baseUrl.length) })
      assert.strictEqual(scripted.authorized[0]?.authentication?.transStatus, "Y")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("keeps the chosen language through the issuer", () => {
    const scripted = ScriptedGateway.make({ report: Issuer.verdict("N") })
    return Effect.gen(function* () {
      const form = yield* formBegun
      const method = yield* visit(`${form}?lang=de`, { ...card, ...facts, attempts: "0" })
      yield* visit(`${urlOf(method)}/method`, {})
      const onward = yield* visit(`${urlOf(method)}?lang=de`)
      assert.strictEqual(onward.title, "Ihre Bank möchte sichergehen, dass Sie es sind")
      const { threeDSSessionData = "" } = onward.hidden
      const back = yield* visit(`${urlOf(method)}/challenge`, { cres: ScriptedGateway.cres(), threeDSSessionData })
      assert.strictEqual(back.title, "Zahlung an Example Shop")
      assert.include(back.body, "Zahlung nicht bestätigt")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("says that the card details are encrypted only under TLS", () =>
    Effect.gen(function* () {
      const { body } = yield* visit(yield* formBegun)
      assert.include(body, "are encrypted and never shown to the shop")
      assert.notInclude(
        CardPage.page("en", {
          payment: { merchant: "Shop", order: { amountMinor: 100, currency: "USD", description: "", kind: "sale" } },
          ...{ attempts: 0, attemptsLeft: 3, asksReceiver: false, flaws: {}, kept: { expiry: "", holder: "" } },
          ...{ failure: "refused", isEncrypted: false, isAuthenticated: true }
        }).main.text,
        "encrypted"
      )
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )

  it.effect("leaves the hosted page open after a refused attempt, and the next one has its own address", () => {
    const scripted = ScriptedGateway.make({ report: Issuer.verdict("N") })
    return Effect.gen(function* () {
      const form = yield* formBegun
      const first = yield* visit(form, { ...card, attempts: "0" })
      yield* visit(`${urlOf(first)}/method`, {})
      yield* visit(`${urlOf(first)}/challenge`, { cres: ScriptedGateway.cres() })
      const again = yield* visit(form)
      assert.include(again.body, "You can try 2 more times")
      assert.include(again.body, "Payment not confirmed")
      assert.notInclude(again.body, "Your bank declined")
      assert.lengthOf(scripted.authorized, 0)

      scripted.issuer.report = Issuer.verdict("Y")
      const second = yield* visit(form, { ...card, attempts: "1" })
      assert.notStrictEqual(second.path, first.path)
      assert.strictEqual((yield* visit(urlOf(first))).status, 404)
      yield* visit(`${urlOf(second)}/method`, {})
      yield* visit(`${urlOf(second)}/challenge`, { cres: ScriptedGateway.cres() })
      assert.strictEqual((yield* visit(form)).title, "Payment successful")
      assert.lengthOf(scripted.callbacks, 1)
      assert.deepStrictEqual(
        scripted.issuer.lookups.map(({ reference }) => reference.replace(/^\d+/, "order")),
        ["order-threeds-1", "order-threeds-2"]
      )
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  for (const [verdict, title] of [
    ["Y", "Payment successful"],
    ["N", "Payment not confirmed"]
  ] as const) {
    it.effect(`decides the payment although the hosted page expires meanwhile: ${verdict}`, () => {
      const scripted = ScriptedGateway.make({ report: Issuer.verdict(verdict) })
      return Effect.gen(function* () {
        const form = yield* formBegun
        yield* ScriptedGateway.pass("25 minutes")
        const issuer = yield* visit(form, { ...card, attempts: "0" })
        yield* visit(`${urlOf(issuer)}/method`, {})
        yield* ScriptedGateway.pass("6 minutes")
        assert.strictEqual((yield* visit(form)).action, Issuer.acsUrl)
        yield* visit(`${urlOf(issuer)}/challenge`, { cres: ScriptedGateway.cres() })
        assert.strictEqual((yield* visit(form)).title, title)
        yield* ScriptedGateway.pass("1 hour")
        assert.strictEqual((yield* visit(form)).title, title)
        assert.lengthOf(scripted.callbacks, 1)
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
    })
  }

  it.effect("continues without the hidden frame after ten seconds", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const url = yield* saleBegun
      yield* ScriptedGateway.pass("10 seconds")
      assert.deepInclude(scripted.issuer.requests[0], { completionIndicator: "N" })
      assert.strictEqual((yield* visit(url)).action, Issuer.acsUrl)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("sends PaReq, MD and TermUrl in version 1.0.2", () => {
    const scripted = ScriptedGateway.make({
      enrolment: { _tag: "Version1", acsUrl: "https://acs.example/pareq", pareq: "PAREQ", md: "MD-1", xid: "X" }
    })
    return Effect.gen(function* () {
      const url = yield* saleBegun
      assert.deepInclude(yield* visit(url), {
        action: "https://acs.example/pareq",
        hidden: { PaReq: "PAREQ", MD: "MD-1", TermUrl: `${url}/pares` }
      })
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("keeps the chosen language through the TermUrl of version 1.0.2", () => {
    const scripted = ScriptedGateway.make({
      enrolment: { _tag: "Version1", acsUrl: "https://acs.example/pareq", pareq: "PAREQ", md: "MD-1", xid: "X" }
    })
    return Effect.gen(function* () {
      const url = yield* saleBegun
      const { hidden } = yield* visit(`${url}?lang=de`)
      assert.strictEqual(hidden.TermUrl, `${url}/pares?lang=de`)
      const refused = yield* visit(hidden.TermUrl ?? "", { PaRes: "forged", MD: "MD-1" })
      assert.strictEqual(refused.title, "Die Bestätigung Ihrer Bank war nicht verwendbar")
      const again = yield* visit(`${url}?lang=${refused.hidden.lang}`)
      yield* visit(again.hidden.TermUrl ?? "", { PaRes: "forged", MD: "MD-1" })
      const over = yield* visit(again.hidden.TermUrl ?? "", { PaRes: "forged", MD: "MD-1" })
      assert.strictEqual(over.title, "Zahlung nicht bestätigt")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})
