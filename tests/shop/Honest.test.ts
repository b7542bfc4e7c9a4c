/** What strangers, other sites, forgers and impatient fingers try with real requests. */
import { randomBytes } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import * as CallbackSignature from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { cards, idOf, isPaid, keeps, keptWay, orderIdOf } from "./KilledShop.ts"
import * as ShopHere from "./ShopHere.ts"
import * as ShopProcess from "./ShopProcess.ts"

const { details } = ShopProcess

const people = Effect.gen(function* () {
  const shop = { url: yield* ShopHere.url }
  const customer = ShopProcess.customer(shop)
  yield* customer.visit("/")
  const stranger = ShopProcess.customer(shop)
  const strange = (yield* stranger.visit("/buy/can")).hidden
  return { shop, customer, clerk: ShopProcess.clerk(shop), stranger, strange }
})

/** A form as another site would post it: its own fields, and no cookie of the shop's. */
const fromElsewhere = (url: string, form: Readonly<Record<string, string>>) => HostedPage.visit(url, { form })

/** A callback as the gateway signs it, or with the control of somebody who does not know the key. */
const callback = (url: string, values: CallbackSignature.Values, key: string = TestGateway.controlKey) => {
  const control = CallbackSignature.sign(values, key)
  return HostedPage.visit(`${url}/callback?${Form.write([...Object.entries(values), ["control", control]])}`)
}

const statusOf = ({ status }: HostedPage.Page) => status

layer(ShopHere.layer, { excludeTestServices: true })("an honest shop", (it) => {
  it.effect("forms of other sites are refused, and take no cookie away", () =>
    Effect.gen(function* () {
      const { customer, shop, strange } = yield* people
      const buy = `${shop.url}/buy/can`
      const forged = yield* fromElsewhere(buy, { ...strange, ...details, way: "hosted" })
      assert.deepStrictEqual([forged.status, forged.headers["set-cookie"]], [403, undefined])
      for (const token of ["", "x", strange.token ?? ""]) {
        assert.strictEqual((yield* customer.visit("/buy/can", { ...strange, ...details, token })).status, 403)
      }
    })
  )

  it.effect("a form of more fields, or with a longer value, than any of the shop's is refused unread", () =>
    Effect.gen(function* () {
      const { customer } = yield* people
      const { hidden } = yield* customer.visit("/buy/can")
      const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`f${index}`, "1"]))
      for (const more of [many, { expiry: "1".repeat(16_385) }]) {
        assert.strictEqual((yield* customer.visit("/buy/can", { ...hidden, ...details, ...more })).status, 400)
      }
    })
  )

  it.effect("coming back from the issuer, without the cookie, changes nobody's cookie", () =>
    Effect.gen(function* () {
      const { customer, shop } = yield* people
      const order = yield* customer.buy("can", cards.request)
      for (const input of [{ cres: "e30" }, { threeDSMethodData: "e30" }, {}]) {
        const { headers, status } = yield* fromElsewhere(`${shop.url}${yield* customer.backPath(order)}`, input)
        assert.deepStrictEqual([status < 400, headers["set-cookie"]], [true, undefined])
      }
      assert.strictEqual((yield* customer.visit(order)).status, 200)
    })
  )

  it.effect("nobody sees or touches the order of somebody else, though its name is known", () =>
    Effect.gen(function* () {
      const { customer, strange, stranger } = yield* people
      const order = yield* keeps(customer)
      const tried = [
        yield* stranger.visit(order),
        yield* stranger.visit(`${order}/go`),
        yield* stranger.visit(`${order}/keep`, strange),
        yield* stranger.visit("/order/AAAAAAAAAAAAAAAAAAAAAA")
      ]
      assert.deepStrictEqual(tried.map(statusOf), [404, 404, 404, 404])
      assert.strictEqual(new Set(tried.map(({ body }) => body)).size, 1, "nothing tells that it is there")
      const same = { ...strange, ...details, order: idOf(order), way: "hosted" }
      assert.strictEqual((yield* stranger.visit("/buy/can", same)).status, 403)
      assert.notInclude((yield* stranger.visit("/orders")).body, idOf(order))
      const stolen = { ...strange, ...details, way: yield* keptWay(customer) }
      assert.strictEqual((yield* stranger.visit("/buy/can", stolen)).status, 422)
    })
  )

  it.effect("what it costs the shop says, whatever the form claims", () =>
    Effect.gen(function* () {
      const { customer } = yield* people
      const order = yield* customer.buy("can", { ...cards.quiet, amount: "0.01", amountMinor: "1", currency: "JPY" })
      yield* customer.until(order, isPaid)
      assert.deepInclude(yield* TestMerchant.status({ client_orderid: idOf(order) }), {
        amount: "48.00",
        currency: "USD"
      })
    })
  )

  it.effect("a double click, a reload and the browser's history are one order, with the card that came first", () =>
    Effect.gen(function* () {
      const { customer } = yield* people
      const page = yield* customer.visit("/buy/can")
      const before = (yield* Reconciliation.check).orders
      const form = { ...page.hidden, ...details, ...cards.quiet }
      const twice = yield* Effect.all([customer.visit("/buy/can", form), customer.visit("/buy/can", form)], {
        concurrency: 2
      })
      const again = yield* customer.visit("/buy/can", { ...form, ...cards.request })
      const [where] = new Set([...twice, again].map(({ headers, status }) => `${status} ${headers.location}`))
      assert.strictEqual(where, `303 /order/${page.hidden.order}/go`)
      yield* customer.until(`/order/${page.hidden.order}`, isPaid)
      assert.strictEqual((yield* Reconciliation.check).orders, before + 1)
    })
  )

  it.effect("a callback proves itself, and even then only the gateway's answer counts", () =>
    Effect.gen(function* () {
      const { customer, shop } = yield* people
      const order = yield* customer.buy("can", cards.request)
      yield* customer.sentOn(order)
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

  it.effect("what people type comes back as text", () =>
    Effect.gen(function* () {
      const { clerk, customer } = yield* people
      const nasty = `"><script>alert('1')</script>&lt;`
      const page = yield* customer.visit("/buy/can")
      const wrong = yield* customer.visit("/buy/can", { ...page.hidden, way: nasty, email: nasty, city: nasty })
      yield* clerk.post("/office/payouts", { supplier: nasty, account: "DE89370400440532013000", amount: "1.00" })
      const office = yield* clerk.visit("/office/payouts")
      for (const { body } of [wrong, office]) {
        assert.include(body, "&quot;&gt;&lt;script&gt;")
        assert.notInclude(body, "<script>alert")
      }
    })
  )

  it.effect("the office is shut to who does not know its password, and to forms of other sites", () =>
    Effect.gen(function* () {
      const { clerk, customer, shop, strange } = yield* people
      const order = yield* keeps(customer)
      const wrong = (name: string) => ({ headers: { authorization: `Basic ${btoa(name)}` } })
      const form = { ...strange, kind: "refund", amount: "1.00", action: "AAAAAAAAAAAAAAAAAAAAAA" }
      const tried = [
        yield* HostedPage.visit(`${shop.url}/office`),
        yield* HostedPage.visit(`${shop.url}/office/payouts`, wrong("office:")),
        yield* HostedPage.visit(`${shop.url}/office`, wrong(`${ShopProcess.officePassword}:x`)),
        yield* customer.visit(`/office${order}`, form),
        yield* clerk.visit(`/office${order}`, form)
      ]
      assert.deepStrictEqual(tried.map(statusOf), [401, 401, 401, 401, 403])
    })
  )

  it.effect("the office is open under its password whatever the name, and with an empty password there is none", () =>
    Effect.gen(function* () {
      const open = (url: string, scheme: string, password: string) =>
        HostedPage.visit(`${url}/office`, { headers: { authorization: `${scheme} ${btoa(`anybody:${password}`)}` } })
      const url = yield* ShopHere.url
      for (const scheme of ["Basic", "basic"]) {
        assert.strictEqual((yield* open(url, scheme, ShopProcess.officePassword)).status, 200)
      }
      const shut = Effect.gen(function* () {
        const url = yield* ShopHere.url
        const tried = [yield* HostedPage.visit(`${url}/office`), yield* open(url, "Basic", "")]
        assert.deepStrictEqual(tried.map(statusOf), [404, 404])
      })
      yield* Effect.provide(shut, ShopHere.shop("127.0.0.1", "http", "", ""), { local: true })
    })
  )

  it.effect("an action is done once, and never more than is left", () =>
    Effect.gen(function* () {
      const { clerk, customer } = yield* people
      const order = yield* keeps(customer)
      const { hidden } = yield* clerk.visit("/office")
      const at = `/office${order}`
      const act = (changes: Readonly<Record<string, string>>) =>
        clerk.visit(at, { ...hidden, kind: "refund", action: "AAAAAAAAAAAAAAAAAAAAAB", ...changes })
      const wrong = [
        { amount: "48.01" },
        { amount: "-1.00" },
        { amount: "0" },
        { amount: "1e1" },
        { amount: "" },
        { kind: "capture", amount: "1.00" },
        { kind: "release" },
        { kind: "steal", amount: "1.00" },
        { action: "x", amount: "1.00" }
      ]
      for (const changes of wrong) assert.strictEqual((yield* act(changes)).status, 400, JSON.stringify(changes))
      const both = yield* Effect.all([act({ amount: "40.00" }), act({ amount: "40.00" })], { concurrency: 2 })
      assert.deepStrictEqual(both.map(statusOf), [303, 303])
      const more = { amount: "8.01", action: "AAAAAAAAAAAAAAAAAAAAAC" }
      assert.strictEqual((yield* act(more)).status, 400, "what is under way counts as done")
      yield* customer.until(order, ({ title }) => title.startsWith("$40.00"))
      assert.strictEqual((yield* act({ amount: "40.00" })).status, 303)
      yield* TestMerchant.settled
      assert.match((yield* customer.visit(order)).title, /^\$40\.00/)
      yield* TestMerchant.assertClean
    })
  )

  it.effect("a hundred refunds at once: never more than was charged, and none that the gateway has to refuse", () =>
    Effect.gen(function* () {
      for (const amount of ["48.00", "10.00"]) {
        const { clerk, customer } = yield* people
        const order = yield* keeps(customer)
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

  it.effect("pages are for one person and load nothing from elsewhere; files are for all and bring no cookie", () =>
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

  it.effect("behind https no other host of the domain can set the cookie, and it goes nowhere without https", () =>
    Effect.gen(function* () {
      const url = (yield* ShopHere.url).replace("https:", "http:")
      const { headers } = yield* HostedPage.visit(url)
      assert.match(String(headers["set-cookie"]), /^__Host-visitor=[\w-]{22}; .*Path=\/; .*Secure/)
    }).pipe(Effect.provide(ShopHere.shop("127.0.0.1", "https"), { local: true }))
  )

  it.effect("a slash at the end of its address leads nobody astray", () =>
    Effect.gen(function* () {
      const { customer, shop } = yield* people
      assert.notMatch(shop.url, /\/$/)
      yield* customer.until(yield* customer.buy("can", cards.quiet), isPaid)
    }).pipe(Effect.provide(ShopHere.shop("127.0.0.1", "http", "/"), { local: true }))
  )

  it.effect("what is not there, or too much, is a page that says so", () =>
    Effect.gen(function* () {
      const { customer, shop } = yield* people
      const page = yield* customer.visit("/buy/can")
      const tried = [
        yield* customer.visit("/nothing"),
        yield* customer.visit("/buy/gold"),
        yield* customer.visit("/orders", {}),
        yield* customer.visit("/buy/can", { ...page.hidden, email: "x".repeat(70_000) }),
        yield* customer.visit("/buy/can", { ...page.hidden, order: "x" })
      ]
      assert.deepStrictEqual(tried.map(statusOf), [404, 404, 404, 400, 400])
      for (const { title } of tried) assert.include(title, "Foxglove")
      const guess = `${shop.url}/payment/back/AAAAAAAAAAAAAAAAAAAAAA/AAAAAAAAAAAAAAAAAAAAAA`
      assert.strictEqual((yield* fromElsewhere(guess, {})).status, 404)
    })
  )
})
