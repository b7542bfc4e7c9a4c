/** Every amount that the gateway prints is accepted everywhere that takes an amount, in each currency and size. */
import { assert, layer } from "@effect/vitest"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Array as Arr, Clock, Effect, Layer } from "effect"
import * as Approver from "../harness/Approver.ts"
import * as Inbox from "../harness/Inbox.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as OAuth from "../harness/OAuth.ts"
import { ask } from "../harness/Operating.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Transfers from "../harness/Transfers.ts"

const { endpoints, login } = TestGateway
const { usd } = endpoints

/** Amounts of usual size in each currency, the largest of an order, and the smallest. */
const amounts: Arr.NonEmptyReadonlyArray<readonly [amount: string, currency: string]> = [
  ["12500000.00", "IDR"],
  ["10000000.00", "USD"],
  ["1234567.890", "KWD"],
  ["9999999999.0000", "CLF"],
  ["12500000", "JPY"],
  ["90071992547409.91", "IRR"],
  ["9007199254740.991", "BHD"],
  ["0.01", "EUR"]
]
const currencies = Arr.map(amounts, ([, currency]) => currency)

const limits = Object.fromEntries(amounts.map(([amount, currency]) => [currency, amount]))

const gateway = TestGateway.layer({
  merchants: Merchants.both({
    [usd]: { currencies },
    [endpoints.approval]: { currencies },
    [endpoints.limited]: {
      currencies,
      maxAmount: limits,
      payoutMaxAmount: limits,
      risk: { velocity: [{ per: "card", withinSeconds: 60, sum: limits }] }
    }
  })
}).pipe(Layer.provideMerge(Inbox.layer))
type World = Layer.Success<typeof gateway>

type Fields = TestMerchant.Fields
type Needs = (money: Fields) => Effect.Effect<Fields, unknown, World>

const named = ({ client_orderid, orderid }: TestMerchant.Order): Fields => ({ client_orderid, orderid })
const noNeeds: Needs = () => Effect.succeed({})
const storedAs =
  (name: string): Needs =>
  () =>
    Effect.map(Transfers.stored(), (card) => ({ [name]: card }))
const subscribed: Needs = ({ currency }) =>
  Effect.map(Recurring.created({ amount: "1", currency }), ({ id }) => ({ "recurring-payment-id": id, change: "" }))
const toAccount: Needs = () =>
  Effect.succeed({ account_number: "DE89370400440532013000", credit_card_number: "", ewallet_id: "", phone: "" })

/** Each operation that takes an amount, with what must exist before. */
const doors: Readonly<Partial<Record<PayApi.Name, Needs>>> = {
  SALE: noNeeds,
  PREAUTH: noNeeds,
  SALE_V4: noNeeds,
  SALEFORM: noNeeds,
  PREAUTHFORM: noNeeds,
  PAYMENTFORM: noNeeds,
  TRANSFERFORM: noNeeds,
  PAYOUTFORM: noNeeds,
  CAPTURE: (money) => Effect.map(TestMerchant.order("PREAUTH", money), named),
  RETURN: (money) => Effect.map(TestMerchant.order("SALE", money), named),
  REBILL: storedAs("cardrefid"),
  REBILL_SALE: storedAs("cardrefid"),
  REBILL_PREAUTH: storedAs("cardrefid"),
  CREATE_RP_V4: () => Effect.succeed({ cvv2: "123" }),
  PROCESS_RP_V4: subscribed,
  UPDATE_RP_V4: subscribed,
  PAYOUT: toAccount,
  PAYOUT_V4: toAccount,
  PAYOUT_V4_CHECK: toAccount,
  TRANSFER_V4: noNeeds,
  TRANSFER_BY_REF_V4: storedAs("source-card-ref-id"),
  TRANSFER_BY_REF: storedAs("destination-card-ref-id")
}

const send = Effect.fnUntraced(function* (operation: Operation, more: Fields) {
  const id = TestMerchant.freshId()
  const all: Fields = { ...Sample.request(operation), login, client_orderid: id, "client-order-id": id, ...more }
  const fields = Object.fromEntries(
    Object.entries(all).filter(([name, text]) => name in operation.fields && text !== "")
  )
  return yield* operation.signing._tag === "OAuth"
    ? OAuth.sendOnly(operation, fields)
    : TestGateway.post(operation, fields)
})

layer(gateway, { excludeTestServices: true })("an amount that the gateway prints", (it) => {
  it("is taken by every operation with an amount, except void", () => {
    const taking = PayApi.all.filter(({ fields, name }) => "amount" in fields && name !== "VOID")
    assert.sameMembers(
      Object.keys(doors),
      taking.map(({ name }) => name)
    )
  })

  for (const [name, needs] of Object.entries(doors)) {
    it.effect(`is accepted by ${name}`, () =>
      Effect.gen(function* () {
        const operation = PayApi.all.find((operation) => operation.name === name) ?? assert.fail(name)
        for (const [amount, currency] of amounts) {
          const money = { amount, currency }
          const reply = yield* send(operation, { ...money, ...(yield* needs(money)) })
          TestMerchant.assertAccepted(reply)
          if (reply.body["paynet-order-id"] === undefined) continue
          const { body } = yield* TestGateway.post(PayApi.operations.STATUS, {
            login,
            ...TestMerchant.nameOf(reply),
            "by-request-sn": TestMerchant.text(reply, "serial-number")
          })
          assert.deepInclude(body, money)
        }
      })
    )
  }

  it.effect("is printed alike in status and callback, and captured and refunded as it is printed", () =>
    Effect.gen(function* () {
      const inbox = yield* Inbox.Inbox
      for (const [amount, currency] of amounts) {
        const order = yield* TestMerchant.order("PREAUTH", { amount, currency, server_callback_url: inbox.url })
        const printed = Effect.fnUntraced(function* (name: string) {
          const body = yield* TestMerchant.status(order)
          return { amount: String(body[name]), currency: String(body.currency) }
        })
        for (const name of ["amount", "authorized-amount", "remaining-amount"])
          assert.deepStrictEqual(yield* printed(name), { amount, currency })
        yield* TestMerchant.done("CAPTURE", order, yield* printed("remaining-amount"))
        yield* TestMerchant.done("RETURN", order, yield* printed("captured-amount"))
        for (const name of ["returned-amount", "total-reversal-amount"])
          assert.deepStrictEqual(yield* printed(name), { amount, currency })
        assert.deepStrictEqual(
          inbox.about(order.orderid).map((callback) => [callback.amount, callback.currency]),
          Array.from({ length: 3 }, () => [amount, currency])
        )
      }
      yield* TestMerchant.assertClean
    })
  )

  it.effect("finds its order in the search of an operator, also if it is zero", () =>
    Effect.gen(function* () {
      const searched = Effect.fnUntraced(function* (amount: unknown, currency: unknown) {
        const { body, text } = yield* ask("POST", "/operator/orders/search", { merchant: login, amount, currency })
        return Array.isArray(body.orders) ? body.orders : assert.fail(text)
      })
      for (const [amount, currency] of amounts) {
        const { client_orderid } = yield* TestMerchant.order("SALE", { amount, currency })
        assert.deepInclude((yield* searched(amount, currency))[0], { merchantOrder: client_orderid, amount, currency })
      }
      const verification = yield* send(PayApi.operations.ACCOUNT_VERIFICATION, {})
      yield* TestMerchant.settled
      const { amount, currency } = yield* TestMerchant.status(TestMerchant.nameOf(verification))
      const { client_orderid: merchantOrder } = TestMerchant.nameOf(verification)
      assert.deepInclude((yield* searched(amount, currency))[0], { merchantOrder, amount, currency })
    })
  )

  it.effect("is a limit in the configuration of an endpoint, and shown so", () =>
    Effect.gen(function* () {
      const options = { endpointId: endpoints.limited }
      const { text } = yield* ask("GET", `/operator/merchants/${login}`)
      for (const [amount, currency] of amounts) {
        assert.include(text, `"${currency}":"${amount}"`)
        const order = yield* TestMerchant.order("SALE", { amount, currency }, options)
        assert.deepInclude(yield* TestMerchant.status(order, options), { status: "approved" })
        const further = yield* TestMerchant.order("SALE", { amount, currency }, options)
        assert.deepInclude(yield* TestMerchant.status(further, options), { status: "filtered", "error-code": "93" })
      }
    })
  )

  it.effect("is one of ten in a list of amounts", () =>
    Effect.gen(function* () {
      const list = Array.from({ length: 10 }, (_, n) => `999999999${n}.0000`)
      const reply = yield* send(PayApi.operations.REBILL, {
        ...(yield* storedAs("cardrefid")({})),
        ...{ amount: "10000000000.0000", currency: "CLF", enumerate_amounts: list.join(", ") }
      })
      TestMerchant.assertAccepted(reply)
    })
  )

  it.effect("is posted to a balance, approved by a second person, and exported, as it is shown", () =>
    Effect.gen(function* () {
      const options = { endpointId: endpoints.approval }
      for (const [index, [amount, currency]] of amounts.entries()) {
        const posting = { reference: `door-${index}`, merchant: login, endpoint: endpoints.approval, amount, currency }
        const { body, status, text } = yield* ask("POST", "/operator/balances", posting)
        assert.strictEqual(status, 201, text)
        assert.deepInclude(body, { amount, currency })
        const order = yield* TestPayouts.made("PAYOUT", { ...TestPayouts.plain, amount, currency }, options)
        const balances = yield* ask("GET", `/operator/balances?merchant=${login}`)
        assert.include(balances.text, `"held":"${amount}"`)
        assert.deepInclude((yield* Approver.look(order.orderid)).body, { amount: `${amount} ${currency}` })
        yield* Approver.decide(order.orderid, "approve")
        yield* TestMerchant.settled
        assert.deepInclude(yield* TestMerchant.status(order, options), { status: "approved", amount, currency })
      }
      const day = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
      yield* TestMerchant.pass("25 hours")
      const { text } = yield* ask("GET", `/operator/settlement.csv?day=${day}&limit=1000`)
      for (const [amount, currency] of amounts)
        assert.match(text, new RegExp(`,${endpoints.approval},${currency},payout_rail,.*,${amount},`))
    })
  )
})
