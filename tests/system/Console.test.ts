import { assert, layer } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Redacted } from "effect"
import * as ConsoleBrowser from "../harness/ConsoleBrowser.ts"
import { as } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { PREAUTH, SALE } = PayApi.operations

const roles = { ada: undefined, ben: ["support"], eve: [] } as const
const operators = Object.entries(roles).map(([name, own]) => ({
  name,
  roles: own,
  token: Redacted.make(`the token of ${name}`)
}))

const askAda = as("the token of ada")

const signedIn = Effect.fnUntraced(function* (name: keyof typeof roles) {
  const browser = yield* ConsoleBrowser.open()
  yield* browser.signIn(`the token of ${name}`)
  return browser
})

/** Makes an order of 10.42 whose callbacks nobody takes, and returns its identifier. */
const made = Effect.fnUntraced(function* (name: string, operation: typeof SALE | typeof PREAUTH = SALE, fields = {}) {
  const { body } = yield* TestGateway.post(operation, {
    ...TestGateway.saleFields,
    client_orderid: name,
    server_callback_url: "http://127.0.0.1:9/callback",
    ...fields
  })
  yield* Effect.flatMap(Scheduler, ({ settled }) => settled)
  return String(body["paynet-order-id"])
})

const auditOf = Effect.fnUntraced(function* (order: string, action: string) {
  const { body } = yield* askAda("GET", `/operator/audit?subject=order:${order}`)
  return Array.isArray(body.entries) ? body.entries.filter((entry) => entry.action === action) : []
})

layer(TestGateway.layer({ operators }), { excludeTestServices: true })("the console", (it) => {
  it.effect("lets an operator in by the token, and out again, and shows the way back", () =>
    Effect.gen(function* () {
      const browser = yield* ConsoleBrowser.open()
      const first = yield* browser.get("/console/orders/123")
      assert.deepInclude(first, { status: 200, path: "/console/sign-in?to=orders%2F123" })
      const wrong = yield* browser.submit(first, "sign-in", { token: "another" })
      assert.strictEqual(wrong.status, 401)
      assert.deepStrictEqual([...browser.jar.keys()], [], "no cookie for a wrong token")
      const second = yield* browser.submit(first, "sign-in", { token: "the token of ada" })
      assert.deepInclude(second, { status: 404, path: "/console/orders/123" })
      assert.notInclude(second.text, "the token of ada")
      const page = yield* browser.get("/console/orders")
      assert.deepInclude(page, { status: 200, path: "/console/orders" })
      const out = yield* browser.submit(page, "sign-out")
      assert.deepInclude(out, { status: 200, path: "/console/sign-in?why=out" })
      const after = yield* browser.post("/console/search", { q: "1" })
      assert.include(after.path, "/console/sign-in")
      const { body } = yield* askAda("GET", "/operator/audit?subject=operator:ada")
      assert.include(JSON.stringify(body), "session.begin")
      assert.include(JSON.stringify(body), "session.end")
    })
  )

  it.effect("permits nothing that is written into a page, no frame and no other site", () =>
    Effect.gen(function* () {
      const browser = yield* signedIn("ada")
      const { headers, text } = yield* browser.get("/console/orders")
      assert.deepInclude(headers, {
        "cache-control": "no-store",
        "content-security-policy":
          "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
      })
      assert.notMatch(text, /<style|<script(?! src)|\son\w+=|\sstyle=/)
    })
  )

  it.effect("sets a cookie that no script reads and no other site sends, over TLS only beyond the machine", () =>
    Effect.gen(function* () {
      const { operatorUrl } = yield* ConsoleBrowser.address
      const cookieAt = (host: string) =>
        Effect.map(
          ConsoleBrowser.raw(
            `${operatorUrl}/console/sign-in`,
            { host, "sec-fetch-site": "same-origin" },
            "token=the+token+of+ada"
          ),
          ({ headers }) => String(headers["set-cookie"]).replace(/=[\w-]{32};/, "=…;")
        )
      assert.strictEqual(yield* cookieAt("127.0.0.1:8081"), "pay-console=…; HttpOnly; SameSite=Strict")
      assert.strictEqual(yield* cookieAt("ops.example"), "pay-console=…; HttpOnly; SameSite=Strict; Secure")
    })
  )

  it.effect("ends a session with the operator's token", () =>
    Effect.gen(function* () {
      const { body } = yield* askAda("POST", "/operator/operators/add", { name: "carl", roles: "support" })
      const browser = yield* ConsoleBrowser.open()
      assert.strictEqual((yield* browser.signIn(String(body.token))).path, "/console/now")
      yield* askAda("POST", "/operator/operators/remove", { name: "carl" })
      const { path } = yield* browser.get("/console/orders")
      assert.strictEqual(path, "/console/sign-in?why=ended&to=orders")
    })
  )

  it.effect("finds its session among cookies of its name, and asks again what a link of another site asked", () =>
    Effect.gen(function* () {
      const browser = yield* signedIn("ada")
      const [own = ""] = browser.jar.values()
      browser.jar.set("pay-console", `${"x".repeat(32)}; pay-console=${own}`)
      assert.strictEqual((yield* browser.get("/console/orders")).path, "/console/orders")
      const other = yield* ConsoleBrowser.open({ "sec-fetch-site": "cross-site" })
      const { status, text } = yield* other.get("/console/orders/1")
      assert.strictEqual(status, 200)
      assert.include(text, '<meta http-equiv="refresh" content="0;url=../../console/orders/1">')
    })
  )

  const forged: ReadonlyArray<readonly [string, Record<string, string>, Record<string, string>]> = [
    ["no token of the form", { formToken: "" }, {}],
    ["the token of another session", { formToken: "x".repeat(43) }, {}],
    ["another site", {}, { "sec-fetch-site": "cross-site" }],
    ["a page of another host of the site", {}, { "sec-fetch-site": "same-site" }],
    ["another origin, in a browser that says no more", {}, { "sec-fetch-site": "", origin: "https://evil.example" }]
  ]
  it.effect.each(forged)("refuses a form with %s", ([what, fields, headers]) =>
    Effect.gen(function* () {
      const order = yield* made(`forged-${what.length}`)
      const browser = yield* signedIn("ada")
      const page = yield* browser.get(`/console/orders/${order}`)
      const sent = { comment: "forged", ...fields }
      const { status } = yield* browser.submit(page, `orders/${order}/refund`, sent, headers)
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(yield* auditOf(order, "order.refund"), [])
    })
  )

  it.effect("refunds once for a form that is sent twice, and not at all on a page that is out of date", () =>
    Effect.gen(function* () {
      const order = yield* made("console-refund")
      const [browser, other] = [yield* signedIn("ada"), yield* signedIn("ben")]
      const page = yield* browser.get(`/console/orders/${order}`)
      const stale = yield* other.get(`/console/orders/${order}`)
      const fields = { amount: "4.00", comment: "The parcel never came" }
      for (const _ of [1, 2]) {
        const { path, status } = yield* browser.submit(page, `orders/${order}/refund`, fields)
        assert.deepStrictEqual([status, path], [200, `/console/orders/${order}?done=refund`])
        yield* Effect.flatMap(Scheduler, ({ settled }) => settled)
      }
      assert.strictEqual((yield* other.submit(stale, `orders/${order}/refund`, fields)).status, 409)
      const entries = yield* auditOf(order, "order.refund")
      assert.deepStrictEqual(
        entries.map(({ actor }) => actor),
        ["operator:ada"]
      )
      assert.include((yield* other.get(`/console/orders/${order}`)).text, "4.00 USD")
    })
  )

  it.effect("releases a hold, asks the bank, sends a callback again and erases, each as its operation", () =>
    Effect.gen(function* () {
      const browser = yield* signedIn("ben")
      const order = yield* made("console-void", PREAUTH)
      const page = yield* browser.get(`/console/orders/${order}`)
      const released = yield* browser.submit(page, `orders/${order}/void`, { comment: "No stock" })
      assert.strictEqual(released.path, `/console/orders/${order}?done=void`)
      yield* Effect.flatMap(Scheduler, ({ settled }) => settled)
      const erasing = yield* browser.get(`/console/orders/${order}`)
      assert.strictEqual((yield* browser.submit(erasing, `orders/${order}/erase`, { confirm: "1" })).status, 400)
      const erased = yield* browser.submit(erasing, `orders/${order}/erase`, { confirm: order })
      assert.strictEqual(erased.path, `/console/orders/${order}?done=erase`)
      const unknown = yield* made("console-unknown", SALE, { cvv2: "217" })
      const open = yield* browser.get(`/console/orders/${unknown}`)
      const inquired = yield* browser.submit(open, `orders/${unknown}/inquire`)
      assert.strictEqual(inquired.path, `/console/orders/${unknown}?done=inquire`)
      for (const [of, action] of [
        [order, "order.void"],
        [order, "card.erase"],
        [unknown, "order.inquire"]
      ] as const)
        assert.strictEqual((yield* auditOf(of, action)).length, 1, action)
    })
  )

  it.effect("has no button for who may not, and refuses the form all the same", () =>
    Effect.gen(function* () {
      const order = yield* made("console-role")
      const [ada, eve] = [yield* signedIn("ada"), yield* signedIn("eve")]
      const theirs = yield* ada.get(`/console/orders/${order}`)
      const own = yield* eve.get(`/console/orders/${order}`)
      assert.include(theirs.text, `orders/${order}/refund"`)
      assert.notInclude(own.text, `orders/${order}/refund"`)
      const [, state = ""] = /name="state" value="([^"]+)"/.exec(theirs.text) ?? []
      const [, formToken = ""] = /name="formToken" value="([^"]+)"/.exec(own.text) ?? []
      const sent = { state, formToken, key: "k", comment: "eve" }
      const { status } = yield* eve.post(`/console/orders/${order}/refund`, sent)
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(yield* auditOf(order, "order.refund"), [])
    })
  )

  it.effect("shows on Now whose problem it is, what is unknown, and the same as an event", () =>
    Effect.gen(function* () {
      for (const name of ["now-1", "now-2", "now-3"]) yield* made(name, SALE, { cvv2: "217" })
      const browser = yield* signedIn("eve")
      const { text } = yield* browser.get("/console/now")
      assert.include(text, "pay now")
      assert.match(text, /Bank, rail, 3-D Secure<\/h2><span class="tag bad">/)
      assert.match(text, /<b>acquirer<\/b> does not answer/)
      assert.match(text, /USD · sandbox-merchant<\/small>/)
      const events = yield* browser.get("/console/now/events")
      assert.match(events.text, /^retry: 5000\nevent: page\ndata: ".*"\n\n$/)
      assert.include(events.text, "../console/unknown")
      browser.jar.clear()
      assert.strictEqual((yield* browser.get("/console/now/events")).text, "event: ended\ndata:\n\n")
    })
  )

  const marked = `<img src=x onerror=alert(1)>=HYPERLINK("x")`
  it.effect("shows markup and formulas of others as text", () =>
    Effect.gen(function* () {
      const order = yield* made(`=1+1"><script>`, SALE, { order_desc: marked })
      const browser = yield* signedIn("ada")
      const page = yield* browser.get(`/console/orders/${order}`)
      yield* browser.submit(page, `orders/${order}/refund`, { comment: marked.slice(0, 50) })
      for (const path of [
        `/console/orders/${order}`,
        "/console/orders",
        `/console/orders?merchant=${encodeURIComponent(marked)}`
      ]) {
        const { text } = yield* browser.get(path)
        assert.notMatch(text, /<img|<script>/)
      }
    })
  )

  it.effect("finds an order by each of its numbers, and refuses the number of a card without showing it", () =>
    Effect.gen(function* () {
      const order = yield* made("console search 1")
      const browser = yield* signedIn("eve")
      const page = yield* browser.get("/console/orders")
      const at = (q: string) => browser.submit(page, "search", { q })
      for (const q of [order, `${order}-1`, `${order}-sale-0`, "console search 1", ` ${order} `])
        assert.strictEqual((yield* at(q)).path, `/console/orders/${order}`, q)
      assert.strictEqual((yield* at("1111")).path, "/console/orders?lastFour=1111")
      assert.strictEqual((yield* at("10.42 usd")).path, "/console/orders?amount=10.42&currency=USD")
      assert.strictEqual((yield* at("no such thing")).status, 404)
      for (const q of ["4444555566661111", "4444 5555 6666 1111", "card 4444-5555-6666-1111"]) {
        const { path, status, text } = yield* at(q)
        assert.deepStrictEqual([status, path], [400, "/console/search"])
        assert.notMatch(text, /1111/)
      }
    })
  )

  it.effect.each([
    ["/console/orders?status=approved", 200],
    ["/console/orders?amount=x", 400],
    ["/console/orders?after=1", 400],
    ["/console/orders/1", 404],
    ["/console/nothing", 404],
    ["/console/orders/1/refund", 404]
  ] as const)("answers %s with %i", ([path, status]) =>
    Effect.gen(function* () {
      const browser = yield* signedIn("eve")
      assert.strictEqual((yield* browser.get(path)).status, status)
    })
  )

  it.effect("speaks the browser's language, or the one that was chosen", () =>
    Effect.gen(function* () {
      const browser = yield* ConsoleBrowser.open({ "accept-language": "de-AT,en;q=0.5" })
      assert.include((yield* browser.get("/console/sign-in")).text, "<h1>Anmelden</h1>")
      const { path, text } = yield* browser.get("/console/lang-en?to=sign-in")
      assert.deepStrictEqual([path, text.includes("<h1>Sign in</h1>")], ["/console/sign-in", true])
    })
  )
})

layer(TestGateway.layer(), { excludeTestServices: true })("the console of a gateway without operators", (it) => {
  it.effect("opens for a browser on the machine until the first operator is added", () =>
    Effect.gen(function* () {
      const browser = yield* ConsoleBrowser.open()
      const page = yield* browser.get("/console/sign-in")
      assert.strictEqual((yield* browser.submit(page, "sign-in")).path, "/console/now")
      const proxied = yield* ConsoleBrowser.open({ "x-forwarded-for": "203.0.113.7" })
      assert.strictEqual((yield* proxied.post("/console/sign-in", { token: "" })).status, 403)
      const rebound = yield* ConsoleBrowser.open({ host: "evil.example" })
      assert.strictEqual((yield* rebound.post("/console/sign-in", { token: "" })).status, 403)
      yield* as()("POST", "/operator/operators/add", { name: "ada", roles: "admin" })
      assert.include((yield* browser.get("/console/orders")).path, "/console/sign-in")
      assert.strictEqual((yield* browser.post("/console/sign-in", { token: "" })).status, 401)
    })
  )
})
