import { hash } from "node:crypto"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { escaped } from "@pay/schema/Markup"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Exit, Layer, Logger, Option, Redacted, Scope } from "effect"
import { temporaryFolder } from "../../sqlite/test/TemporaryFolder.ts"
import * as CustomerBrowser from "../src/browser/CustomerBrowser.ts"
import * as VisitStore from "../src/browser/VisitStore.ts"
import * as WebCustomerBrowser from "../src/browser/WebCustomerBrowser.ts"
import * as WebFile from "../src/durable/WebFile.ts"
import type { FlowEngine } from "../src/engine/FlowEngine.ts"
import * as Steps from "../src/engine/Steps.ts"
import * as BrowserData from "../src/order/BrowserData.ts"
import type { NextAction } from "../src/order/NextAction.ts"
import * as Engine from "./Engine.ts"

const secret = Redacted.make("of the shop")
const issuer = "https://acs.example/challenge?a=1&b=2"
const actions = {
  redirect: { _tag: "Redirect", url: "https://gateway.example/pay/1" },
  page: { _tag: "Page", html: "<form action='https://acs.example'></form><script>document.forms[0].submit()</script>" },
  method: { _tag: "Method", url: issuer, threeDSMethodData: "data", serverTransId: "1" },
  browserData: { _tag: "BrowserData", serverTransId: "1" },
  challenge: { _tag: "Challenge", url: issuer, creq: `"><script>alert(1)</script>` },
  pareq: { _tag: "PaReq", url: issuer, pareq: "pareq", md: "md" }
} as const satisfies Readonly<Record<string, NextAction>>

/** A shop whose order ends when the test sets `isEnded`, and the replies that a browser gets there. */
const shop = Effect.fnUntraced(function* (store: VisitStore.VisitStore = VisitStore.makeMemory()) {
  const state = { isEnded: false }
  const { customerBrowser, web } = yield* WebCustomerBrowser.make({
    url: "https://shop.example/pay/",
    secret,
    store,
    ended: (id) => Effect.sync(() => (state.isEnded ? `/order/${id}` : undefined))
  })
  return {
    ...web,
    state,
    send: (nextAction: NextAction, clientOrderId = "INV 1") =>
      customerBrowser.send({ clientOrderId, orderId: "1", nextAction: nextAction }),
    go: web.receive({ method: "GET", url: web.goUrl("INV 1") }),
    back: (fields: Readonly<Record<string, string>>) =>
      web.receive({ method: "POST", url: web.backUrl("INV 1"), body: new URLSearchParams(fields).toString() })
  }
})

/** Returns the signal that a waiting flow receives under the key, if there is one. */
const listen = (key: string) => Steps.awaitSignal("heard", { key, timeout: 0 })

const test = <E>(says: string, program: () => Effect.Effect<void, E, FlowEngine | PayClient | Scope.Scope>) =>
  it.effect(says, () => program().pipe(Effect.provide(Layer.merge(Engine.layer(), Logger.layer([])))))

const file = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  return join(folder, "web.db")
})

describe("the customer's browser at the shop", () => {
  test("waits for its next action, and goes to the order's page once the payment has ended", () =>
    Effect.gen(function* () {
      const { go, send, state } = yield* shop()
      const waiting = yield* go
      assert.deepStrictEqual([waiting.status, waiting.headers.refresh], [200, "1"])
      yield* send(actions.redirect)
      assert.deepStrictEqual([(yield* go).status, (yield* go).headers.location], [303, actions.redirect.url])
      state.isEnded = true
      assert.strictEqual((yield* go).headers.location, "/order/INV 1")
      state.isEnded = false
      // An action that the customer never followed is dropped with the order.
      assert.strictEqual((yield* go).headers.refresh, "1")
    }))

  test("shows the gateway's page unchanged, outside the shop's origin", () =>
    Effect.gen(function* () {
      const { back, go, send } = yield* shop()
      yield* send(actions.page)
      const { body, headers, status } = yield* go
      assert.deepStrictEqual([status, body], [200, actions.page.html])
      assert.match(
        headers["content-security-policy"] ?? "",
        /^sandbox allow-forms allow-scripts; frame-ancestors 'none'$/
      )
      // The browser returns with the gateway's own form, and is not sent there again.
      const { headers: left } = yield* back({ status: "approved", orderid: "1" })
      assert.match(left.location ?? "", /^https:\/\/shop\.example\/pay\/go\/[^?]*$/)
      assert.strictEqual((yield* go).headers.refresh, "1")
    }))

  for (const [name, fields] of [
    ["challenge", { creq: actions.challenge.creq }],
    ["pareq", { PaReq: "pareq", MD: "md" }],
    ["method", { threeDSMethodData: "data" }]
  ] as const) {
    test(`posts the ${name} only to the issuer, by one script`, () =>
      Effect.gen(function* () {
        const { backUrl, go, send } = yield* shop()
        yield* send(actions[name])
        const { body, headers, status } = yield* go
        assert.strictEqual(status, 200)
        assert.include(body, `action="https://acs.example/challenge?a=1&amp;b=2"`)
        assert.notInclude(body, "<script>alert")
        for (const [field, value] of Object.entries(fields)) {
          assert.include(body, `name="${field}" value="${escaped(value)}"`)
        }
        if (name === "pareq") assert.include(body, `name="TermUrl" value="${backUrl("INV 1")}"`)
        const [, script = ""] = /<script>(.*)<\/script>/.exec(body) ?? []
        const policy = headers["content-security-policy"] ?? ""
        assert.include(policy, `script-src 'sha256-${hash("sha256", script, "base64")}'`)
        assert.include(policy, "form-action https: https://acs.example;")
        assert.include(policy, "frame-ancestors 'none'")
        assert.deepInclude(headers, { "cache-control": "no-store", "referrer-policy": "no-referrer" })
        // A reload, or the browser's history, shows the same once more.
        assert.strictEqual((yield* go).body, body)
      }))
  }

  test("passes the issuer's result to the flow, and waits for its next action", () =>
    Effect.gen(function* () {
      const { back, go, goUrl, send } = yield* shop()
      yield* send(actions.challenge)
      const reply = yield* back({ cres: "result", status: "approved", password: "secret" })
      assert.deepStrictEqual([reply.status, reply.headers.location], [303, goUrl("INV 1")])
      const report = yield* listen(CustomerBrowser.returnKey(Engine.merchant, "INV 1", "Challenge"))
      assert.deepStrictEqual(Option.flatMap(report, CustomerBrowser.read), Option.some({ cres: "result" }))
      assert.strictEqual((yield* go).headers.refresh, "1")
    }))

  test("may return twice, which does not undo a later action", () =>
    Effect.gen(function* () {
      const { back, go, send } = yield* shop()
      yield* send(actions.redirect)
      yield* back({ status: "approved" })
      assert.strictEqual((yield* go).headers.refresh, "1")
      yield* send(actions.challenge)
      yield* back({ status: "approved" })
      yield* back({ threeDSMethodData: "late" })
      assert.include((yield* go).body, "creq")
    }))

  for (const name of ["challenge", "pareq"] as const) {
    test(`returns to the issuer only by a button after an empty result: ${name}`, () =>
      Effect.gen(function* () {
        const { back, receive, send } = yield* shop()
        yield* send(actions[name])
        for (const fields of [{}, { error: "out of order" }]) {
          const { headers } = yield* back(fields)
          const page = yield* receive({ method: "GET", url: headers.location ?? "" })
          assert.include(page.body, "<button>Continue</button>")
          assert.notInclude(page.body, "<script")
          assert.notProperty(page.headers, "refresh")
        }
      }))
  }

  test("returns from the 3DS method in its hidden frame, and reloads the outer page", () =>
    Effect.gen(function* () {
      const { back, go, send } = yield* shop()
      yield* send(actions.method)
      const page = yield* go
      assert.include(page.headers["content-security-policy"] ?? "", "frame-src 'self' https: https://acs.example;")
      assert.strictEqual(page.headers.refresh, "11")
      const { body, headers, status } = yield* back({ threeDSMethodData: "data" })
      assert.strictEqual(status, 200)
      assert.include(body, "<script>parent.location.reload()</script>")
      assert.include(headers["content-security-policy"] ?? "", "frame-ancestors 'self'")
      assert.isTrue(Option.isSome(yield* listen(CustomerBrowser.returnKey(Engine.merchant, "INV 1", "Method"))))
      assert.strictEqual((yield* go).headers.refresh, "1")
    }))

  test("reports its data by the form's script and by its headers", () =>
    Effect.gen(function* () {
      const { backUrl, go, goUrl, receive, send } = yield* shop()
      yield* send(actions.browserData)
      const page = yield* go
      assert.include(page.body, `action="${backUrl("INV 1")}"`)
      assert.include(page.headers["content-security-policy"] ?? "", "form-action 'self'")
      const [, script = ""] = /<script>(.*)<\/script>/.exec(page.body) ?? []
      const elements = Object.fromEntries(
        [...page.body.matchAll(/name="(\w+)" value="(\w*)"/g)].map(([, name = "", value = ""]) => [name, { value }])
      )
      const browser = {
        document: { forms: [{ elements, submit: () => undefined }] },
        screen: { colorDepth: 30, height: 844, width: 390 },
        navigator: { language: "zh-Hans-CN", userAgent: "Phone" }
      }
      runInNewContext(script, browser)
      const filled = Object.fromEntries(Object.entries(elements).map(([name, { value }]) => [name, String(value)]))
      const reply = yield* receive({
        method: "POST",
        url: backUrl("INV 1"),
        body: new URLSearchParams({ ...filled, password: "secret" }).toString(),
        headers: { accept: "text/html", "accept-language": "de-DE,en;q=0.5" }
      })
      assert.strictEqual(reply.headers.location, goUrl("INV 1"))
      const report = yield* listen(CustomerBrowser.returnKey(Engine.merchant, "INV 1", "BrowserData"))
      const input = Option.getOrThrow(Option.flatMap(report, CustomerBrowser.read))
      assert.notProperty(input, "password")
      assert.deepStrictEqual(BrowserData.read(input), {
        browserAcceptHeader: "text/html",
        browserColorDepth: 24,
        browserJavaEnabled: false,
        browserJavascriptEnabled: true,
        browserLanguage: "de-DE",
        browserScreenHeight: 844,
        browserScreenWidth: 390,
        browserTZ: new Date().getTimezoneOffset(),
        browserUserAgent: "Phone"
      })
      assert.strictEqual((yield* go).headers.refresh, "1")
    }))

  test("gets 404 at a forged address, and signals no flow", () =>
    Effect.gen(function* () {
      const { backUrl, goUrl, receive, send } = yield* shop()
      yield* send(actions.redirect)
      const mine = goUrl("INV 1")
      assert.match(mine, /^https:\/\/shop\.example\/pay\/go\/INV%201\/[\w-]{22}$/)
      const other = goUrl("INV 2").split("/").at(-1) ?? ""
      for (const url of [
        mine.replace(/[^/]+$/, other),
        mine.replace(/[^/]+$/, ""),
        mine.replace(/[^/]+$/, "x"),
        mine.replace("/go/", "/stay/"),
        mine.replace("INV%201", "%E0%A4%A"),
        "/pay",
        ""
      ]) {
        assert.strictEqual((yield* receive({ method: "GET", url })).status, 404, url)
      }
      yield* receive({ method: "POST", url: backUrl("INV 1").replace(/[^/]+$/, other), body: "cres=forged" })
      assert.isTrue(Option.isNone(yield* listen(CustomerBrowser.returnKey(Engine.merchant, "INV 1", "Challenge"))))
      assert.strictEqual((yield* receive({ method: "GET", url: `${new URL(mine).pathname}?utm=1` })).status, 303)
    }))

  test("is refused with methods and sizes that no browser sends", () =>
    Effect.gen(function* () {
      const { backUrl, goUrl, receive } = yield* shop()
      const status = (method: string, url: string, body = "") =>
        Effect.map(receive({ method, url, body }), (reply) => [reply.status, reply.headers.allow])
      assert.deepStrictEqual(yield* status("POST", goUrl("1")), [405, "GET, HEAD"])
      assert.deepStrictEqual(yield* status("PUT", backUrl("1")), [405, "GET, HEAD, POST"])
      assert.deepStrictEqual(yield* status("HEAD", goUrl("1")), [200, undefined])
      assert.deepStrictEqual(yield* status("GET", backUrl("1")), [303, undefined])
      assert.strictEqual((yield* status("POST", backUrl("1"), `cres=${"x".repeat(100_001)}`))[0], 413)
      assert.isTrue(Option.isNone(yield* listen(CustomerBrowser.returnKey(Engine.merchant, "1", "Challenge"))))
    }))
})

describe("the next actions of browsers", () => {
  test("survive a restart in a file", () =>
    Effect.gen(function* () {
      const path = yield* file
      const first = yield* Scope.make()
      const before = yield* shop((yield* Scope.provide(WebFile.open({ path }), first)).visits)
      yield* before.send(actions.method)
      yield* before.send(actions.challenge)
      yield* Scope.close(first, Exit.void)
      assert.strictEqual((yield* before.go).status, 503)

      const after = yield* shop((yield* WebFile.open({ path })).visits)
      assert.include((yield* after.go).body, "creq")
      yield* after.back({ cres: "result" })
      assert.strictEqual((yield* after.go).headers.refresh, "1")
    }))

  for (const [name, made] of [
    ["in memory", Effect.sync(() => VisitStore.makeMemory(2))],
    ["in a file", Effect.flatMap(file, (path) => Effect.map(WebFile.open({ path, visits: 2 }), ({ visits }) => visits))]
  ] as const) {
    test(`are kept ${name} for a limited number of orders, and the oldest are dropped`, () =>
      Effect.gen(function* () {
        const store = yield* made
        for (const clientOrderId of ["1", "2", "3"]) {
          yield* store.put({ clientOrderId, orderId: "7", nextAction: actions.redirect })
        }
        const result = yield* Effect.forEach(["1", "2", "3"], store.find)
        assert.deepStrictEqual(
          result.map((visit) => visit?.clientOrderId),
          [undefined, "2", "3"]
        )
      }))

    test(`are kept ${name} however many others have ended since`, () =>
      Effect.gen(function* () {
        const store = yield* made
        const put = (clientOrderId: string) => store.put({ clientOrderId, orderId: "7", nextAction: actions.redirect })
        yield* put("1")
        for (const clientOrderId of ["2", "3", "4"])
          yield* Effect.andThen(put(clientOrderId), store.drop(clientOrderId))
        assert.strictEqual((yield* store.find("1"))?.clientOrderId, "1")
      }))
  }
})
