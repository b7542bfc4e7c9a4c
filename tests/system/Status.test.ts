import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Merchants from "./Merchants.ts"
import * as Play from "./Play.ts"
import * as TestGateway from "./TestGateway.ts"

const { endpoints, login } = TestGateway
const { STATUS } = PayApi.operations
const usd = (amount: string): Play.Fields => ({ amount, currency: "USD" })
const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("status", (it) => {
  it.effect("of a sale has every promised field, as text", () =>
    Effect.gen(function* () {
      const payment = {
        client_orderid: "every-field",
        card_printed_name: "ANNA MÜLLER",
        email: "anna@shop.example",
        phone: "+4930123456",
        merchant_data: "cart=17\nline 2",
        expire_month: "03",
        expire_year: "31",
        credit_card_number: "4444555566661111"
      }
      const order = yield* Play.order("SALE", payment)
      const body = yield* Play.status(order)
      const {
        "approval-code": approval,
        "paynet-processing-date": date,
        "processor-tx-id": processor,
        "serial-number": serial,
        ...rest
      } = body
      assert.deepStrictEqual(rest, {
        type: "status-response",
        "merchant-order-id": "every-field",
        "paynet-order-id": order.orderid,
        "end-point-id": endpoints.usd,
        status: "approved",
        "transaction-type": "sale",
        "order-stage": "sale_approved",
        amount: "10.42",
        currency: "USD",
        "authorized-amount": "10.42",
        "captured-amount": "10.42",
        "returned-amount": "0.00",
        "remaining-amount": "0.00",
        "gate-partial-capture": "disabled",
        "gate-partial-reversal": "enabled",
        "cardholder-name": "ANNA MÜLLER",
        name: "ANNA MÜLLER",
        email: "anna@shop.example",
        phone: "+4930123456",
        merchantdata: "cart=17\nline 2",
        bin: "444455",
        "last-four-digits": "1111",
        "card-type": "VISA",
        "card-exp-month": "3",
        "card-exp-year": "2031",
        descriptor: "SANDBOX USD"
      })
      assert.match(String(approval), /^\w+$/)
      assert.match(String(processor), /^.+$/)
      assert.match(String(date), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
      assert.match(String(serial), shape)
    })
  )

  it.effect("holds neither the card number nor its code", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("SALE", { cvv2: "1234" })
      const seen = JSON.stringify(yield* Play.status(order))
      assert.notInclude(seen, TestGateway.saleFields.credit_card_number ?? "")
      assert.notMatch(seen, /cvv/i)
    })
  )

  it.effect("by both names and by client_orderid alone: the same answer, another serial-number each time", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("PREAUTH")
      yield* Play.done("CAPTURE", order, usd("4.00"))
      const both = yield* Play.status(order)
      const byClient = yield* Play.status({ client_orderid: order.client_orderid })
      assert.deepStrictEqual({ ...byClient, "serial-number": "" }, { ...both, "serial-number": "" })
      assert.notStrictEqual(byClient["serial-number"], both["serial-number"])
      assert.deepInclude(both, { "transaction-type": "capture", "gate-partial-capture": "enabled" })
    })
  )

  it.effect("by-request-sn tells of one request each, whatever the order has become", () =>
    Effect.gen(function* () {
      const created = yield* Play.create("PREAUTH")
      const order = Play.nameOf(created)
      yield* Play.settled
      const captured = yield* Play.done("CAPTURE", order, usd("4.00"))
      const returned = yield* Play.done("RETURN", order, usd("1.00"))
      const voided = yield* Play.done("VOID", order)
      for (const [reply, type, amount] of [
        [created, "preauth", "10.42"],
        [captured, "capture", "4.00"],
        [returned, "reversal", "1.00"],
        [voided, "cancel", "6.42"]
      ] as const) {
        const expected = { status: "approved", "transaction-type": type, "order-stage": `${type}_approved`, amount }
        const body = yield* Play.outcomeOf(reply)
        assert.deepInclude(body, expected)
        assert.strictEqual(body["by-request-sn"], Play.text(reply, "serial-number"))
        assert.deepInclude(body, {
          "captured-amount": "4.00",
          "returned-amount": "1.00",
          "total-reversal-amount": "1.00"
        })
      }
    })
  )

  it.effect("by-request-sn works without orderid and in capitals, and only for the order's own requests", () =>
    Effect.gen(function* () {
      const reply = yield* Play.create("SALE")
      yield* Play.settled
      const { client_orderid } = Play.nameOf(reply)
      const sn = Play.text(reply, "serial-number")
      const ask = (fields: Play.Fields) => TestGateway.post(STATUS, { login, ...fields })
      Play.assertAccepted(yield* ask({ client_orderid, "by-request-sn": sn.toUpperCase() }))
      const another = yield* Play.create("SALE")
      for (const wrong of [Play.text(another, "serial-number"), "ffffffff-ffff-ffff-ffff-ffffffffffff"]) {
        Play.assertRefused(yield* ask({ client_orderid, "by-request-sn": wrong }), "orderNotFound", "by-request-sn")
      }
      Play.assertRefused(yield* ask({ client_orderid, "by-request-sn": "1" }), "parameterInvalid", "by-request-sn")
    })
  )

  for (const [cvv2, status, code, message] of [
    ["101", "declined", "101", "Expired card"],
    ["116", "declined", "116", "Not sufficient funds"],
    ["119", "declined", "119", "Transaction not permitted to cardholder"],
    ["209", "declined", "209", "Stolen card, pick up"],
    ["555", "declined", "100", "Do not honour"]
  ] as const) {
    it.effect(`of a payment with ${cvv2}: ${status}, ${code} ${message}`, () =>
      Effect.gen(function* () {
        const order = yield* Play.order("PREAUTH", { cvv2 })
        assert.deepInclude(yield* Play.status(order), {
          status,
          "error-code": code,
          "error-message": message,
          "order-stage": `preauth_${status}`,
          "authorized-amount": "0.00",
          "captured-amount": "0.00",
          "remaining-amount": "0.00"
        })
        yield* Play.assertClean
      })
    )
  }

  it.effect("of a payment whose bank cannot say: unknown, without money in it", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("SALE", { cvv2: "217" })
      assert.strictEqual(yield* Play.standing(order), "unknown sale 0.00 0.00 0.00 0.00")
      yield* Play.assertClean
    })
  )

  it.effect("needs a login and one name at least", () =>
    Effect.gen(function* () {
      const nameless = yield* TestGateway.post(STATUS, { login })
      Play.assertRefused(nameless, "parameterRequired", "client_orderid")
      assert.strictEqual(nameless.body["error-message"], "Parameter client_orderid is required, or orderid")
    })
  )

  it.effect("by orderid alone, with an empty client_orderid in its control: the order's own merchant only", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("SALE")
      const alone = { login, orderid: order.orderid }
      const reply = yield* TestGateway.post(STATUS, alone)
      assert.deepInclude(reply.body, { status: "approved", "merchant-order-id": order.client_orderid })
      const empty = yield* TestGateway.post(STATUS, { ...alone, client_orderid: "" })
      assert.strictEqual(empty.status, 200)
      const signedWith = TestGateway.controlled(STATUS, { ...alone, client_orderid: order.client_orderid })
      const misfit = yield* TestGateway.post(STATUS, alone, {
        change: (fields) => ({ ...fields, control: signedWith.control ?? "" })
      })
      Play.assertRefused(misfit, "authenticationFailed")
      const foreign = yield* TestGateway.post(
        STATUS,
        { login: Merchants.other.login, orderid: order.orderid },
        { endpointId: Merchants.other.endpointId, key: Merchants.other.controlKey }
      )
      Play.assertRefused(foreign, "orderNotFound")
      Play.assertRefused(yield* TestGateway.post(STATUS, { login, orderid: "1" }), "orderNotFound")
    })
  )

  it.effect("only status goes by orderid alone", () =>
    Effect.gen(function* () {
      const { orderid } = yield* Play.order("PREAUTH")
      for (const name of ["CAPTURE", "RETURN", "VOID"] as const) {
        const reply = yield* TestGateway.post(PayApi.operations[name], { login, orderid })
        Play.assertRefused(reply, "parameterRequired", "client_orderid")
      }
    })
  )
})
