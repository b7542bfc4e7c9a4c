import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, it, layer } from "@effect/vitest"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as Payments from "@pay/shop/checkout/Payments"
import { changeSubscription, subscribe } from "@pay/shop/subscriptions/Subscriptions"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import { bankTotals, buyAndStoreCard, cards, idOf, isPaid, orderIdOf, startShop, storedCardWay } from "./KilledShop.ts"
import * as ShopProcess from "./ShopProcess.ts"

it("the shop's flows store no card data, not even encrypted", () => {
  for (const { encryptedFields, neverPersisted } of [
    Payments.cardSale,
    Payments.cardAuthorization,
    subscribe,
    changeSubscription
  ]) {
    assert.deepStrictEqual(encryptedFields, [])
    assert.includeMembers([...neverPersisted], ["cvv2", "creditCardNumber", "expireMonth", "expireYear"])
  }
  for (const { encryptedFields } of [Payments.storedCardSale, Payments.hostedSale, Payments.hostedAuthorization]) {
    assert.deepStrictEqual(encryptedFields, [])
  }
})

const amounts = { amountMinor: 4800, currency: "USD", capturedMinor: 0, returnedMinor: 0 }
const order = { ...amounts, product: "can", placedAtMs: 0, way: "hosted" }
const payout = { owner: "shop", amountMinor: 100, currency: "USD" }
const refund = { kind: "refund", amountMinor: 100 }

/** Records that a process has written when it is killed before it sends them. */
const unsentRecords = (owner: string, refunded: string) => {
  const entries = [
    ["order", { ...order, id: "unbegun", owner, status: "open", released: false, actions: [] }],
    ["payout", { ...payout, id: "unbegun-1", supplier: "Checked", status: "checking" }],
    ["payout", { ...payout, id: "unbegun-2", supplier: "Confirmed", status: "paying", gatewayId: "1" }],
    ["subscription", { id: "1", owner, product: "seeds", state: "active", pendingChange: "unbegun" }]
  ] as const
  const insert = ([kind, entry]: (typeof entries)[number]) =>
    `INSERT INTO records (kind, id, owner, pending, json)
      VALUES ('${kind}', '${entry.id}', '${entry.owner}', 1, '${JSON.stringify(entry)}');`
  const actions = [
    { ...refund, amountMinor: 200, name: "unbegun", status: "open" },
    { ...refund, name: "AAAAAAAAAAAAAAAAAAAAAA", status: "unclear" }
  ].map((action) => `'$.actions[#]', json('${JSON.stringify(action)}')`)
  const update = `UPDATE records SET pending = 1, json = json_insert(json, ${actions}) WHERE id = '${refunded}';`
  return [...entries.map(insert), update].join("\n")
}

const writeUnsent = (dataDirectory: string, orderId: string) =>
  Effect.sync(() => {
    const database = new DatabaseSync(join(dataDirectory, "records.db"))
    const owner = database.prepare("SELECT owner FROM records WHERE id = ?").get(orderId)?.owner
    database.exec(unsentRecords(String(owner), orderId))
    database.close()
  })

/** The bank takes longer than it takes to kill the shop. */
const slow = { latencyMs: 1500 }

layer(TestGateway.layer(), { excludeTestServices: true })("a shop that is killed", (it) => {
  it.effect("charges an order once when it is killed before and during the payment", () =>
    Effect.gen(function* () {
      const { restart, first } = yield* startShop
      const customer = ShopProcess.customer(first)
      const order = yield* customer.buy("can", { way: "hosted" })
      yield* first.kill
      const second = yield* restart
      const sent = yield* customer.untilRedirected(order)
      yield* second.kill
      yield* HostedPage.pay(String(sent.headers.location))
      yield* restart
      yield* customer.until(order, isPaid)
      assert.strictEqual((yield* bankTotals(order)).capturedMinor, 4800)
    })
  )

  it.effect(
    "charges an order once when it is killed during the challenge, and writes no card data to files or output",
    () =>
      Effect.gen(function* () {
        const { restart, dataDirectory, first, printed } = yield* startShop
        const customer = ShopProcess.customer(first)
        const { hidden } = yield* customer.visit("/buy/can")
        const refused = yield* customer.visit("/buy/can", { ...hidden, ...cards.challenge })
        assert.include(refused.body, "4444 0000 1111 8888")
        const order = yield* customer.buy("can", cards.challenge)
        yield* customer.untilRedirected(order)
        const back = yield* customer.backPath(order)
        yield* first.kill
        const files = readdirSync(dataDirectory).map((name) => readFileSync(join(dataDirectory, name), "latin1"))
        const written = [...files, ...printed].join("\n")
        for (const secret of ["4444000011118888", "4444 0000 1111 8888", "2031", "11/31"]) {
          assert.notInclude(written, secret)
        }
        yield* restart
        const issuer = yield* ThreeDSControl
        const challenge = yield* issuer.play(yield* orderIdOf(order), "pass")
        assert(challenge._tag === "CRes")
        yield* customer.visit(back, { cres: challenge.cres })
        yield* customer.until(order, isPaid)
        assert.strictEqual((yield* bankTotals(order)).capturedMinor, 4800)
      })
  )

  it.effect("completes each other action once when it is killed, also actions that it has recorded and not sent", () =>
    Effect.gen(function* () {
      const { restart, dataDirectory, first } = yield* startShop
      const customer = ShopProcess.customer(first)
      const clerk = ShopProcess.clerk(first)
      const bank = yield* SandboxControl
      const rail = yield* RailControl

      const paid = yield* buyAndStoreCard(customer)
      const charged = yield* customer.buy("bench", cards.frictionless)
      const released = yield* customer.buy("bench", cards.frictionless)
      for (const order of [charged, released]) yield* customer.until(order, isPaid)
      const way = yield* storedCardWay(customer)

      for (const kind of ["capture", "void", "refund", "authorize", "authorize"] as const) yield* bank.next(kind, slow)
      yield* rail.next("check", slow)
      const { hidden } = yield* clerk.visit("/office")
      const act = (order: string, kind: string, amount: string) => {
        const action = Buffer.from(`${kind} of the test`.padEnd(16)).toString("base64url").slice(0, 22)
        return clerk.visit(`/office/order/${idOf(order)}`, { ...hidden, kind, amount, action })
      }
      const answers = [
        yield* act(charged, "capture", "200.00"),
        yield* act(released, "release", ""),
        yield* act(paid, "refund", "10.00")
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [303, 303, 303]
      )
      const bought = yield* customer.buy("can", { way })
      const subscribed = yield* customer.buy("seeds", { way })
      const supplier = { supplier: "Willow & Sons", account: "DE89370400440532013000", amount: "25.00" }
      yield* clerk.post("/office/payouts", supplier)
      yield* first.kill

      const second = yield* restart
      yield* customer.until(charged, ({ title }) => title.startsWith("We have charged $200.00"))
      yield* customer.until(released, ({ title }) => title.startsWith("Your order was cancelled"))
      yield* customer.until(paid, ({ title }) => title.startsWith("$10.00 is on its way back"))
      yield* customer.until(bought, isPaid)
      const { body } = yield* customer.until(subscribed, isPaid)
      const subscription = /\/subscription\/\d+/.exec(body)?.[0] ?? ""
      const { action } = yield* clerk.until("/office/payouts", ({ body }) => body.includes("To be confirmed"))
      assert.isDefined(action)
      assert.deepInclude(yield* bankTotals(charged), { capturedMinor: 20_000, voidedMinor: 0 })
      assert.deepInclude(yield* bankTotals(released), { capturedMinor: 0, voidedMinor: 32_000 })
      assert.deepInclude(yield* bankTotals(paid), { capturedMinor: 4800, refundedMinor: 1000 })
      assert.deepInclude(yield* bankTotals(bought), { capturedMinor: 4800 })
      assert.deepInclude(yield* bankTotals(subscribed), { capturedMinor: 1200 })

      yield* rail.next("pay", slow)
      const payouts = yield* clerk.visit("/office/payouts")
      const confirm = /\/office\/payouts\/([\w-]+)\/confirm/.exec(payouts.body)
      yield* clerk.visit(confirm?.[0] ?? "", payouts.hidden)
      yield* customer.post(subscription, { change: "pause" })
      yield* second.kill

      yield* writeUnsent(dataDirectory, idOf(paid))
      yield* restart
      const left = yield* clerk.until("/office/payouts", ({ headers }) => headers.refresh === undefined)
      assert.match(left.body, /Confirmed .*Refused<.*Checked .*Refused<.*Paid</s)
      yield* clerk.until("/office", ({ body }) => body.includes("Refund $2.00: done"))
      const request = { ...left.hidden, kind: "refund", action: "AAAAAAAAAAAAAAAAAAAAAA" }
      const more = { ...request, action: "AAAAAAAAAAAAAAAAAAAAAB", amount: "35.01" }
      assert.strictEqual((yield* clerk.visit(`/office${paid}`, more)).status, 422, "what is unclear counts as done")
      yield* clerk.until("/office", ({ body }) => body.includes("Refund $1.00: not known yet"))
      yield* clerk.visit(`/office${paid}`, request)
      yield* clerk.until("/office", ({ body }) => body.includes("Refund $1.00: done"))
      assert.deepInclude(yield* bankTotals(paid), { refundedMinor: 1300 })
      assert.include((yield* customer.visit("/order/unbegun")).title, "The payment did not work")
      assert.include((yield* customer.visit("/subscription/1")).body, "The last change did not work")
      yield* customer.until(subscription, ({ title }) => title.startsWith("Your subscription is paused"))
      const totals = yield* rail.books.totals(yield* orderIdOf(confirm?.[1] ?? ""))
      assert.deepInclude(totals, { paidMinor: 2500 })
      yield* bankTotals(charged)
    })
  )
})
