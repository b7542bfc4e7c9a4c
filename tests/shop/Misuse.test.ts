/** Requests of other customers, of other sites, of forgers, and of customers who click twice. */
import { randomBytes } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import * as CallbackSignature from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as InProcessShop from "./InProcessShop.ts"
import { buyAndStoreCard, cards, idOf, isPaid, orderIdOf, storedCardWay } from "./KilledShop.ts"
import * as ShopProcess from "./ShopProcess.ts"

const { details } = ShopProcess

const people = Effect.gen(function* () {
  const shop = { url: yield* InProcessShop.url }
  const customer = ShopProcess.customer(shop)
  yield* customer.visit("/")
  const otherCustomer = ShopProcess.customer(shop)
  const otherForm = (yield* otherCustomer.visit("/buy/can")).hidden
  return { shop, customer, clerk: ShopProcess.clerk(shop), otherCustomer, otherForm }
})

/** Posts a form as another site does: with its own fields, without the cookie of the shop. */
const fromElsewhere = (url: string, form: Readonly<Record<string, string>>) => HostedPage.visit(url, { form })

/** Sends a callback with the control of the gateway, or of another key. */
const callback = (url: string, values: CallbackSignature.Values, key: string = TestGateway.controlKey) => {
  const control = CallbackSignature.sign(values, key)
  return HostedPage.visit(`${url}/callback?${Form.write([...Object.entries(values), ["control", control]])}`)
}

const statusOf = ({ status }: HostedPage.Page) => status

layer(InProcessShop.layer, { excludeTestServices: true })("the shop", (it) => {
  it.effect("refuses forms of other sites, and keeps the customer's cookie", () =>
    Effect.gen(function* () {
      const { customer, shop, otherForm } = yield* people
      const buy = `${shop.url}/buy/can`
      const forged = yield* fromElsewhere(buy, { ...otherForm, ...details, way: "hosted" })
      assert.deepStrictEqual([forged.status, forged.headers["set-cookie"]], [403, undefined])
      for (const token of ["", "x", otherForm.token ?? ""]) {
        assert.strictEqual((yield* customer.visit("/buy/can", { ...otherForm, ...details, token })).status, 403)
      }
    })
  )

  it.effect("refuses a form with too many fields, or with a value that is too long", () =>
    Effect.gen(function* () {
      const { customer } = yield* people
      const { hidden } = yield* customer.visit("/buy/can")
      const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`f${index}`, "1"]))
      for (const more of [many, { expiry: "1".repeat(16_385) }]) {
        assert.strictEqual((yield* customer.visit("/buy/can", { ...hidden, ...details, ...more })).status, 400)
      }
    })
  )

  it.effect("sets no cookie when a customer returns from the issuer without one", () =>
    Effect.gen(function* () {
      const { customer, shop } = yield* people
      const order = yield* customer.buy("can", cards.challenge)
      for (const input of [{ cres: "e30" }, { threeDSMethodData: "e30" }, {}]) {
        const { headers, status } = yield* fromElsewhere(`${shop.url}${yield* customer.backPath(order)}`, input)
        assert.deepStrictEqual([status < 400, headers["set-cookie"]], [true, undefined])
      }
      assert.strictEqual((yield* customer.visit(order)).status, 200)
    })
  )

  it.effect("shows and changes an order for its own customer only, even if another knows its identifier", () =>
    Effect.gen(function* () {
      const { customer, otherForm, otherCustomer } = yield* people
      const order = yield* buyAndStoreCard(customer)
      const answers = [
        yield* otherCustomer.visit(order),
        yield* otherCustomer.visit(`${order}/go`),
        yield* otherCustomer.visit(`${order}/keep`, otherForm),
        yield* otherCustomer.visit("/order/AAAAAAAAAAAAAAAAAAAAAA")
      ]
      assert.deepStrictEqual(answers.map(statusOf), [404, 404, 404, 404])
      assert.strictEqual(new Set(answers.map(({ body }) => body)).size, 1, "nothing tells that it is there")
      const same = { ...otherForm, ...details, order: idOf(order), way: "hosted" }
      assert.strictEqual((yield* otherCustomer.visit("/buy/can", same)).status, 403)
      assert.notInclude((yield* otherCustomer.visit("/orders")).body, idOf(order))
      const withStoredCard = { ...otherForm, ...details, way: yield* storedCardWay(customer) }
      assert.strictEqual((yield* otherCustomer.visit("/buy/can", withStoredCard)).status, 422)
    })
  )

  it.effect("takes the price from the catalogue, not from the form", () =>
    Effect.gen(function* () {
      const { customer } = yield* people
      const order = yield* customer.buy("can", {
        ...cards.frictionless,
        amount: "0.01",
        amountMinor: "1",
        currency: "JPY"
      })
      yield* customer.until(order, isPaid)
      assert.deepInclude(yield* TestMerchant.status({ client_orderid: idOf(order) }), {
        amount: "48.00",
        currency: "USD"
      })
    })
  )

  it.effect("makes one order of a double click, a reload and the browser's history, with the first card", () =>
    Effect.gen(function* () {
      const { customer } = yield* people
      const page = yield* customer.visit("/buy/can")
      const before = (yield* Reconciliation.check).orders
      const form = { ...page.hidden, ...details, ...cards.frictionless }
      const both = yield* Effect.all([customer.visit("/buy/can", form), customer.visit("/buy/can", form)], {
        concurrency: 2
      })
      const again = yield* customer.visit("/buy/can", { ...form, ...cards.challenge })
      const [where] = new Set([...both, again].map(({ headers, status }) => `${status} ${headers.location}`))
      assert.strictEqual(where, `303 /order/${page.hidden.order}/go`)
      yield* customer.until(`/order/${page.hidden.order}`, isPaid)
      assert.strictEqual((yield* Reconciliation.check).orders, before + 1)
    })
  )

  it.effect("accepts signed callbacks only, and takes the status from the gateway's answer", () =>
    Effect.gen(function* () {
      const { customer, shop } = yield* people
      const order = yield* customer.buy("can", cards.challenge)
      yield* customer.untilRedirected(order)
      const claims = { status: "approved", orderid: yield* orderIdOf(order), client_orderid: idOf(order) }
      const answers = [
        yield* callback(shop.url, claims, "not the key"),
        yield* HostedPage.visit(`${shop.url}/callback?${Form.write(Object.entries(claims))}`),
        yield* HostedPage.visit(`${shop.url}/callback`, { form: claims }),
        yield* callback(shop.url, claims)
      ]
      assert.deepStrictEqual(answers.map(statusOf), [403, 400, 405, 200])
      assert.include((yield* customer.visit(order)).body, "Under way")
    })
  )

  it.effect("escapes input that it shows", () =>
    Effect.gen(function* () {
      const { clerk, customer } = yield* people
      const markup = `"><script>alert('1')</script>&lt;`
      const page = yield* customer.visit("/buy/can")
      const wrong = yield* customer.visit("/buy/can", { ...page.hidden, way: markup, email: markup, city: markup })
      yield* clerk.post("/office/payouts", { supplier: markup, account: "DE89370400440532013000", amount: "1.00" })
      const office = yield* clerk.visit("/office/payouts")
      for (const { body } of [wrong, office]) {
        assert.include(body, "&quot;&gt;&lt;script&gt;")
        assert.notInclude(body, "<script>alert")
      }
    })
  )

  it.effect("refuses the back office without its password, and forms of other sites", () =>
    Effect.gen(function* () {
      const { clerk, customer, shop, otherForm } = yield* people
      const order = yield* buyAndStoreCard(customer)
      const wrong = (name: string) => ({ headers: { authorization: `Basic ${btoa(name)}` } })
      const form = { ...otherForm, kind: "refund", amount: "1.00", action: "AAAAAAAAAAAAAAAAAAAAAA" }
      const answers = [
        yield* HostedPage.visit(`${shop.url}/office`),
        yield* HostedPage.visit(`${shop.url}/office/payouts`, wrong("office:")),
        yield* HostedPage.visit(`${shop.url}/office`, wrong(`${ShopProcess.officePassword}:x`)),
        yield* customer.visit(`/office${order}`, form),
        yield* clerk.visit(`/office${order}`, form)
      ]
      assert.deepStrictEqual(answers.map(statusOf), [401, 401, 401, 401, 403])
    })
  )

  it.effect("accepts the back office's password under any user name, and has no back office if it is empty", () =>
    Effect.gen(function* () {
      const open = (url: string, scheme: string, password: string) =>
        HostedPage.visit(`${url}/office`, { headers: { authorization: `${scheme} ${btoa(`anybody:${password}`)}` } })
      const url = yield* InProcessShop.url
      for (const scheme of ["Basic", "basic"]) {
        assert.strictEqual((yield* open(url, scheme, ShopProcess.officePassword)).status, 200)
      }
      const shut = Effect.gen(function* () {
        const url = yield* InProcessShop.url
        const answers = [yield* HostedPage.visit(`${url}/office`), yield* open(url, "Basic", "")]
        assert.deepStrictEqual(answers.map(statusOf), [404, 404])
      })
      yield* Effect.provide(shut, InProcessShop.shop("127.0.0.1", "http", "", ""), { local: true })
    })
  )

  it.effect("executes an action of the back office once, and refunds no more than is left", () =>
    Effect.gen(function* () {
      const { clerk, customer } = yield* people
      const order = yield* buyAndStoreCard(customer)
      const { hidden } = yield* clerk.visit("/office")
      const at = `/office${order}`
      const act = (changes: Readonly<Record<string, string>>) =>
        clerk.visit(at, { ...hidden, kind: "refund", action: "AAAAAAAAAAAAAAAAAAAAAB", ...changes })
      const wrong = [
        [422, { amount: "48.01" }],
        [422, { kind: "capture", amount: "1.00" }],
        [422, { kind: "release" }],
        [400, { kind: "steal", amount: "1.00" }],
        [400, { action: "x", amount: "1.00" }]
      ] as const
      for (const [status, changes] of wrong)
        assert.strictEqual((yield* act(changes)).status, status, JSON.stringify(changes))
      const both = yield* Effect.all([act({ amount: "40.00" }), act({ amount: "40.00" })], { concurrency: 2 })
      assert.deepStrictEqual(both.map(statusOf), [303, 303])
      const more = { amount: "8.01", action: "AAAAAAAAAAAAAAAAAAAAAC" }
      assert.strictEqual((yield* act(more)).status, 422, "what is under way counts as done")
      yield* customer.until(order, ({ title }) => title.startsWith("$40.00"))
      assert.strictEqual((yield* act({ amount: "40.00" })).status, 303)
      yield* TestMerchant.settled
      assert.match((yield* customer.visit(order)).title, /^\$40\.00/)
      yield* TestMerchant.assertClean
    })
  )

  it.effect("refunds at most the captured amount in 100 concurrent requests, none of which the gateway refuses", () =>
    Effect.gen(function* () {
      for (const amount of ["48.00", "10.00"]) {
        const { clerk, customer } = yield* people
        const order = yield* buyAndStoreCard(customer)
        const { hidden } = yield* clerk.visit("/office")
        const names = Array.from({ length: 100 }, () => randomBytes(16).toString("base64url"))
        const answers = yield* Effect.forEach(
          names,
          (action) => clerk.visit(`/office${order}`, { ...hidden, kind: "refund", amount, action }),
          { concurrency: "unbounded" }
        )
        const begun = answers.filter(({ status }) => status === 303).length
        assert.strictEqual(begun, Math.floor(48 / Number(amount)), amount)
        yield* clerk.until("/office", ({ body }) => !body.includes(": under way"))
        assert.notInclude((yield* clerk.visit("/office")).body, ": refused")
      }
      yield* TestMerchant.assertClean
    })
  )

  it.effect("lets no page be cached or load from other hosts, and sets no cookie with files", () =>
    Effect.gen(function* () {
      const { shop } = yield* people
      const page = yield* HostedPage.visit(`${shop.url}/`)
      assert.deepStrictEqual([page.status, page.headers["cache-control"]], [200, "no-store"])
      assert.include(String(page.headers["content-security-policy"]), "default-src 'none'")
      assert.match(String(page.headers["set-cookie"]), /^visitor=[\w-]{22}; .*HttpOnly.*SameSite=Lax/)
      for (const file of ["/shop.css", "/shop.js"]) {
        assert.notProperty((yield* HostedPage.visit(`${shop.url}${file}`)).headers, "set-cookie")
      }
    })
  )

  it.effect("sets a cookie behind https that no other host can set, and that is sent over https only", () =>
    Effect.gen(function* () {
      const url = (yield* InProcessShop.url).replace("https:", "http:")
      const { headers } = yield* HostedPage.visit(url)
      assert.match(String(headers["set-cookie"]), /^__Host-visitor=[\w-]{22}; .*Path=\/; .*Secure/)
    }).pipe(Effect.provide(InProcessShop.shop("127.0.0.1", "https"), { local: true }))
  )

  it.effect("works with a slash at the end of its public address", () =>
    Effect.gen(function* () {
      const { customer, shop } = yield* people
      assert.notMatch(shop.url, /\/$/)
      yield* customer.until(yield* customer.buy("can", cards.frictionless), isPaid)
    }).pipe(Effect.provide(InProcessShop.shop("127.0.0.1", "http", "/"), { local: true }))
  )

  it.effect("answers unknown addresses and forms that are too large with an error page", () =>
    Effect.gen(function* () {
      const { customer, shop } = yield* people
      const page = yield* customer.visit("/buy/can")
      const answers = [
        yield* customer.visit("/nothing"),
        yield* customer.visit("/buy/gold"),
        yield* customer.visit("/orders", {}),
        yield* customer.visit("/buy/can", { ...page.hidden, email: "x".repeat(70_000) }),
        yield* customer.visit("/buy/can", { ...page.hidden, order: "x" })
      ]
      assert.deepStrictEqual(answers.map(statusOf), [404, 404, 404, 400, 400])
      for (const { title } of answers) assert.include(title, "Foxglove")
      const guess = `${shop.url}/payment/back/AAAAAAAAAAAAAAAAAAAAAA/AAAAAAAAAAAAAAAAAAAAAA`
      assert.strictEqual((yield* fromElsewhere(guess, {})).status, 404)
    })
  )
})
