/** Other spellings of the addresses of pages: what browsers, issuers, mail clients and proxies make of them. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as Pages from "../../src/http/Pages.ts"
import { HostedPages } from "../../src/http/pages/HostedPages.ts"
import * as Issuer from "../threeds/Issuer.ts"
import * as ScriptedGateway from "../threeds/ScriptedGateway.ts"
import { visit } from "./TestBrowser.ts"

const { endpoints } = ScriptedGateway
const { SALEFORM } = PayApi.operations

const escaped = (text: string, upper: boolean): string => {
  const [first = ""] = text.split("", 1)
  const hex = first.charCodeAt(0).toString(16)
  return `%${upper ? hex.toUpperCase() : hex}${text.slice(1)}`
}

/** What is made of `…/AREA/TOKEN` or `…/AREA/TOKEN/PART`. */
const spellings: ReadonlyArray<readonly [what: string, spell: (url: string) => string]> = [
  ["a slash at the end", (url) => `${url}/`],
  ["two slashes at the end", (url) => `${url}//`],
  ["a parameter of a mailing", (url) => `${url}?utm_source=mail&utm_campaign=a%20b`],
  ["a parameter of a social network", (url) => `${url}?fbclid=IwAR0_x-Y`],
  ["a slash and a parameter", (url) => `${url}/?gclid=1`],
  ["a parameter without a question mark", (url) => `${url}&utm_source=mail`],
  ["an escaped question mark", (url) => `${url}%3Futm_source=mail`],
  ["an empty query", (url) => `${url}?`],
  ["a query without a name", (url) => `${url}?=&&`],
  ["a fragment", (url) => `${url}#top`],
  ["a fragment after a parameter", (url) => `${url}?lang=de#top`],
  ["a parameter of the path", (url) => `${url};jsessionid=0A1B`],
  ["two slashes in a row", (url) => url.replace(/\/(pay|3ds)\//, "//$1///")],
  ["an escaped character, in capitals", (url) => url.replace(/[^/]{22,}/, (token) => escaped(token, true))],
  ["an escaped character, in small letters", (url) => url.replace(/[^/]{22,}/, (token) => escaped(token, false))],
  ["an escaped slash at the end", (url) => `${url}%2F`],
  ["the full stop of a sentence", (url) => `${url}.`],
  ["a closing bracket", (url) => `${url})`],
  ["a blank", (url) => `${url}%20`]
]

/** Sends a request to an address exactly as it is written. */
const ask = Effect.fnUntraced(function* (method: string, url: string, body = "") {
  const pages = yield* HostedPages
  const received = url.slice(ScriptedGateway.baseUrl.length)
  const queryAt = received.indexOf("?")
  const answer = yield* pages({
    method,
    path: queryAt === -1 ? received : received.slice(0, queryAt),
    query: queryAt === -1 ? "" : received.slice(queryAt + 1),
    headers: { accept: "text/html", "user-agent": "Test browser" },
    body,
    remoteAddress: "203.0.113.9",
    publicBaseUrl: ScriptedGateway.baseUrl
  })
  yield* ScriptedGateway.settle
  return answer ?? { status: 0, headers: {}, body: "" }
})

const saleBegun = Effect.gen(function* () {
  yield* ScriptedGateway.sale(endpoints.gateway)
  return String((yield* ScriptedGateway.status(endpoints.gateway))["redirect-to"])
})

const formBegun = (endpoint: string) =>
  Effect.map(
    ScriptedGateway.post(SALEFORM, { ...Sample.request(SALEFORM), client_orderid: "sale-1" }, endpoint),
    ({ body }) => String(body["redirect-url"])
  )

const card = { number: "4444333322221111", expiry: "12/30", code: "123", holder: "Jane Doe", action: "pay" }
const entry = `${new URLSearchParams({ ...card, attempts: "0" })}`
const cres = () => `${new URLSearchParams({ cres: ScriptedGateway.cres() })}`
const version1 = {
  _tag: "Version1",
  acsUrl: "https://acs.example/pareq",
  pareq: "PAREQ",
  md: "MD-1",
  xid: "X"
} as const

const linkOf = (body: string, url: string): string =>
  new URL(/data-ask="([^"]*)"/.exec(body)?.[1] ?? "", url).href.replace(/([^:])\/{2,}/g, "$1/")

describe("the address of a page with", () => {
  for (const [what, spell] of spellings) {
    it.effect(`${what} takes the entry of a card, and leads to the outcome`, () => {
      const scripted = ScriptedGateway.make()
      return Effect.gen(function* () {
        const url = yield* formBegun(endpoints.off)
        const spelled = spell(url)
        assert.include((yield* ask("GET", spelled)).body, "Card number")
        const entered = yield* ask("POST", spelled, entry)
        assert.strictEqual(entered.status, 303)
        assert.include((yield* ask("GET", spelled)).body, "Payment successful")
        assert.lengthOf(scripted.authorized, 1)
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
    })

    it.effect(`${what} takes what the issuer sends, and finds the other pages of the payment`, () => {
      const scripted = ScriptedGateway.make()
      return Effect.gen(function* () {
        const url = yield* saleBegun
        assert.strictEqual(linkOf((yield* ask("GET", spell(url))).body, spell(url)), `${url}/state`)
        assert.strictEqual((yield* ask("GET", spell(`${url}/state`))).body, "Method")
        yield* ask("POST", spell(`${url}/method`), "threeDSMethodData=e30")
        assert.deepInclude(scripted.issuer.requests[0], { completionIndicator: "Y" })
        const spelled = spell(`${url}/challenge`)
        const over = yield* ask("POST", spelled, cres())
        assert.strictEqual(over.status, 303)
        const page = yield* visit(new URL(over.headers.location ?? "", spelled).href)
        assert.strictEqual(page.title, "Payment successful")
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
    })
  }

  it.effect("another spelling reaches a result of version 1, and the way from a hosted page to the issuer", () => {
    const scripted = ScriptedGateway.make({ enrolment: version1 })
    return Effect.gen(function* () {
      const form = `${yield* formBegun(endpoints.gateway)}/?fbclid=1`
      yield* ask("POST", form, entry)
      const onward = yield* ask("GET", form)
      const issuer = new URL(onward.headers.location ?? "", form).href
      assert.match(issuer, /^https:\/\/gateway\.example\/3ds\/[\w-]+\?then=return$/)
      const [page = ""] = issuer.split("?", 1)
      const refused = yield* ask("POST", `${page}/pares/?utm_source=mail`, "PaRes=garbage&MD=MD-1")
      assert.strictEqual(refused.status, 400)
      assert.include(refused.body, `action="../../../3ds/`)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("a token that no payment has is still missing", () =>
    Effect.gen(function* () {
      for (const path of ["/pay/", "/pay/unknown/", "/3ds/unknown/challenge/?x", "/pay/a/b/c", "/3ds/%zz", "/pay/%00"])
        assert.strictEqual((yield* ask("POST", ScriptedGateway.baseUrl + path)).status, 404, path)
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )
})

describe("a request that only reads", () => {
  it.effect.each(["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"])(
    "has no effect at any address of a payment: %s",
    (method) => {
      const scripted = ScriptedGateway.make()
      return Effect.gen(function* () {
        const sale = yield* saleBegun
        const body = `${entry}&${cres()}&threeDSMethodData=e30`
        for (const part of ["", "/state", "/method", "/challenge", "/pares"]) yield* ask(method, sale + part, body)
        assert.strictEqual((yield* visit(`${sale}/state`)).body, "Method")
        assert.lengthOf(scripted.issuer.requests, 0)
        yield* ask("POST", `${sale}/method`)
        for (const part of ["/challenge", "/pares", ""]) yield* ask(method, `${sale}${part}?${body}`, body)
        assert.strictEqual((yield* visit(sale)).action, Issuer.acsUrl)
        assert.strictEqual(scripted.issuer.reports, 0)
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
    }
  )

  it.effect("pays nothing on a hosted page, and cancels nothing", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const url = yield* formBegun(endpoints.off)
      for (const method of ["GET", "HEAD", "OPTIONS", "PUT"])
        for (const body of [entry, "action=cancel"]) yield* ask(method, `${url}?${body}`, body)
      assert.strictEqual((yield* visit(`${url}/state`)).body, "open")
      assert.lengthOf(scripted.authorized, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("gets the methods of the address, and other methods 405 with them", () =>
    Effect.gen(function* () {
      const url = yield* formBegun(endpoints.off)
      const answer = (method: string, address: string) =>
        Effect.map(ask(method, address), ({ headers, status }) => [status, headers.allow])
      const both = "GET, HEAD, OPTIONS, POST"
      assert.deepStrictEqual(yield* answer("OPTIONS", url), [204, both])
      assert.deepStrictEqual(yield* answer("OPTIONS", `${url}/state/`), [204, "GET, HEAD, OPTIONS"])
      assert.deepStrictEqual(yield* answer("PUT", `${url}/?x`), [405, both])
      assert.deepStrictEqual(yield* answer("DELETE", `${url}/state`), [405, "GET, HEAD, OPTIONS"])
      assert.deepStrictEqual(yield* answer("POST", `${url}/state`), [405, "GET, HEAD, OPTIONS"])
      assert.deepStrictEqual(yield* answer("PUT", `${ScriptedGateway.baseUrl}/3ds/token/challenge`), [405, both])
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )
})

describe("the path of a page", () => {
  it.each([
    ["/", "/", ""],
    ["", "/", ""],
    ["//", "/", "../"],
    ["/pay/T", "/pay/T", "../"],
    ["/pay/T/", "/pay/T", "../../"],
    ["//pay//T/state", "/pay/T/state", "../../../../"],
    ["/pay/%54%2d%5F", "/pay/T-_", "../"],
    ["/pay/T&a=/b", "/pay/T", "../../"],
    ["/robots.txt", "/robots.txt", ""],
    ["/.env", "/.env", ""]
  ])("%s is %s", (received, path, root) => {
    assert.deepStrictEqual(Pages.addressOf(received), { path, root })
  })
})
