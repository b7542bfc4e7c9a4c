import { assert, layer } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Effect, Redacted } from "effect"
import * as ConsoleBrowser from "../harness/ConsoleBrowser.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const roles = { ada: undefined, zoe: undefined, ben: ["support"], fin: ["finance"] } as const
const operators = Object.entries(roles).map(([name, own]) => ({
  name,
  roles: own,
  token: Redacted.make(`the token of ${name}`)
}))

const signedIn = Effect.fnUntraced(function* (name: keyof typeof roles) {
  const browser = yield* ConsoleBrowser.open()
  yield* browser.signIn(`the token of ${name}`)
  return browser
})

const formTokenOf = (page: ConsoleBrowser.ConsoleAnswer): string =>
  /name="formToken" value="([^"]+)"/.exec(page.text)?.[1] ?? ""

/** Sends the form of a batch with these orders chosen. */
const send = Effect.fnUntraced(function* (
  browser: ConsoleBrowser.ConsoleBrowser,
  action: "propose" | "confirm" | "withdraw",
  chosen: ReadonlyArray<string>,
  fields: Readonly<Record<string, string>> = {}
) {
  const page = yield* browser.get("/console/unknown")
  const pairs = [["formToken", formTokenOf(page)] as const, ...Object.entries(fields)]
  return yield* browser.post(`/console/unknown/${action}`, [
    ...pairs,
    ...chosen.map((value) => ["order", value] as const)
  ])
})

/** Returns the values with which the page offers to confirm, or to withdraw, proposals of these orders. */
const offered = (
  page: ConsoleBrowser.ConsoleAnswer,
  orders: ReadonlyArray<string>,
  pattern = /checkbox" name="order" value="([^"]+)"/g
) =>
  [...page.text.matchAll(pattern)]
    .map(([, value = ""]) => value)
    .filter((value) => orders.some((order) => value.startsWith(`${order} `)))

const stated = { as: "declined", evidence: "Ms Smith of the bank, by telephone" }

const withSecondPerson = TestGateway.layer({ operators, secondPerson: { "orders refund": {} } })

layer(withSecondPerson, { excludeTestServices: true })("the console's page of what waits", (it) => {
  it.effect("has unknown outcomes of one cause proposed by one person and confirmed by another", () =>
    Effect.gen(function* () {
      const lost = [
        yield* TestMerchant.order("SALE", { cvv2: "217" }),
        yield* TestMerchant.order("SALE", { cvv2: "217" })
      ]
      yield* TestMerchant.pass("1 hour")
      const orders = lost.map(({ orderid }) => orderid)
      const [ada, ben, fin] = [yield* signedIn("ada"), yield* signedIn("ben"), yield* signedIn("fin")]

      assert.notInclude((yield* ben.get("/console/unknown")).text, "unknown/propose")
      assert.strictEqual((yield* send(ben, "propose", orders, stated)).status, 403)
      assert.strictEqual((yield* send(ada, "propose", [], stated)).status, 400)
      assert.strictEqual((yield* send(ada, "propose", orders, { ...stated, evidence: " " })).status, 400)
      assert.strictEqual((yield* send(ada, "propose", orders, stated)).path, "/console/unknown?done=1")

      assert.deepStrictEqual(offered(yield* ada.get("/console/unknown"), orders), [], "not offered to the proposer")
      const values = offered(yield* fin.get("/console/unknown"), orders)
      assert.strictEqual(values.length, 2)
      const own = yield* send(ada, "confirm", values)
      assert.deepStrictEqual([own.status, own.text.includes("second person")], [409, true])
      const changed = values.map((value) => value.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")))
      assert.strictEqual((yield* send(fin, "confirm", changed)).status, 409)
      for (const order of lost) assert.include(yield* TestMerchant.orderStatus(order), "unknown")

      assert.strictEqual((yield* send(fin, "confirm", values)).path, "/console/unknown?done=1")
      for (const order of lost) assert.include(yield* TestMerchant.orderStatus(order), "declined")
    })
  )

  it.effect("has a proposal withdrawn by its proposer, and by another person with the role", () =>
    Effect.gen(function* () {
      const { orderid } = yield* TestMerchant.order("SALE", { cvv2: "217" })
      yield* TestMerchant.pass("1 hour")
      const [ada, ben, fin] = [yield* signedIn("ada"), yield* signedIn("ben"), yield* signedIn("fin")]
      const buttons = (page: ConsoleBrowser.ConsoleAnswer) =>
        offered(page, [orderid], /form="withdraw" name="order" value="([^"]+)"/g)
      for (const who of [ada, fin]) {
        yield* send(ada, "propose", [orderid], stated)
        const values = buttons(yield* who.get("/console/unknown"))
        assert.strictEqual(values.length, 1)
        assert.deepStrictEqual(buttons(yield* ben.get("/console/unknown")), [], "not in this role")
        assert.strictEqual((yield* send(ben, "withdraw", values)).status, 403)
        assert.strictEqual((yield* send(who, "withdraw", values)).path, "/console/unknown?done=1")
        assert.deepStrictEqual(buttons(yield* who.get("/console/unknown")), [])
        assert.strictEqual((yield* send(who, "withdraw", values)).status, 409)
      }
    })
  )

  it.effect("has a refund above the limit confirmed by a second person with the role, once", () =>
    Effect.gen(function* () {
      const { orderid } = yield* TestMerchant.order("SALE")
      yield* Effect.flatMap(Scheduler, ({ settled }) => settled)
      const [ada, zoe, fin] = [yield* signedIn("ada"), yield* signedIn("zoe"), yield* signedIn("fin")]
      const page = yield* ada.get(`/console/orders/${orderid}`)
      const kept = yield* ada.submit(page, `orders/${orderid}/refund`, { comment: "The parcel never came" })
      const [, proposal = ""] = /pay proposals confirm (\d+)/.exec(kept.text) ?? []
      assert.deepStrictEqual([kept.status, proposal.length > 0], [200, true])
      const confirm = Effect.fnUntraced(function* (browser: ConsoleBrowser.ConsoleBrowser) {
        const formToken = formTokenOf(yield* browser.get("/console/unknown"))
        const { path, status } = yield* browser.post(`/console/proposals/${proposal}/confirm`, { formToken })
        return [status, path.split("?")[0]]
      })
      assert.deepStrictEqual(yield* confirm(ada), [409, `/console/proposals/${proposal}/confirm`])
      assert.deepStrictEqual(yield* confirm(fin), [403, `/console/proposals/${proposal}/confirm`])
      assert.deepStrictEqual(yield* confirm(zoe), [200, "/console/unknown"])
      yield* confirm(zoe)
      yield* Effect.flatMap(Scheduler, ({ settled }) => settled)
      assert.include((yield* ada.get(`/console/orders/${orderid}`)).text, "<dt>Refunded</dt><dd>10.42 USD</dd>")
    })
  )
})

layer(TestGateway.layer({ operators }), { excludeTestServices: true })("the console's page of what waits", (it) => {
  it.effect("says what will stand there while nothing waits", () =>
    Effect.gen(function* () {
      const browser = yield* signedIn("ben")
      const { status, text } = yield* browser.get("/console/unknown")
      assert.strictEqual(status, 200)
      for (const empty of ["No outcome is unknown", "Nothing is proposed", "No task."]) assert.include(text, empty)
    })
  )
})
