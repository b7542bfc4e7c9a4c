/** What a bank reports beside an outcome: shown to the merchant where the protocol has a field, and sent back with a stored card. */
import { assert, describe, it } from "@effect/vitest"
import type { Acquirer, Adapter, Authorization, RequestAnswer } from "@pay/gateway/Acquirer"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { endpoints } from "../harness/Credentials.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as World from "../harness/World.ts"

type Details = Partial<Omit<RequestAnswer & { readonly _tag: "Approved" }, "_tag">>

/** A bank whose answers to payments have these details, and the payments that it gets. */
const reporting = (details: Details | ((payment: Authorization) => RequestAnswer | Details)) => {
  const payments: Array<Authorization> = []
  const spoilBank = (bank: Acquirer["Service"]): Adapter => ({
    ...bank,
    authorize: (payment) => {
      payments.push(payment)
      const given = typeof details === "function" ? details(payment) : details
      return Effect.map(bank.authorize(payment), (answer) => ({ ...answer, ...given }))
    }
  })
  return { payments, spoilBank }
}

const server_callback_url = "http://shop.example/callback"
const details = {
  schemeReference: { id: "481048839682954", date: "0131" },
  retrievalReference: "235303502517",
  networkCode: "00",
  eci: "05",
  avsResult: "Y",
  cvvResult: "M"
} as const

const kept = ({ orderid }: ClientMerchant.Order) =>
  Effect.gen(function* () {
    const order = yield* (yield* Store).load(Order, [orderid])
    return order?.bankDetails == null ? null : JSON.parse(order.bankDetails)
  })

describe("the details of a bank's answer", () => {
  it.effect("are kept with the order; status and callback show those that the protocol has", () =>
    Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE", { server_callback_url })
      yield* World.settled
      assert.deepStrictEqual(yield* kept(order), details)
      assert.deepInclude(yield* ClientMerchant.status(order), {
        "processor-rrn": "235303502517",
        "auth-response-code": "00"
      })
      const [callback] = (yield* Inbox).arrived
      assert.strictEqual(callback?.parameters["processor-rrn"], "235303502517")
    }).pipe(Effect.provide(World.layer({ spoilBank: reporting(details).spoilBank })))
  )

  it.effect("that cannot be read are left out, and the approval counts", () =>
    Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE")
      yield* World.settled
      assert.deepInclude(yield* ClientMerchant.status(order), { status: "approved", "processor-rrn": "1" })
      assert.deepStrictEqual(yield* kept(order), { retrievalReference: "1" })
    }).pipe(
      Effect.provide(
        World.layer({
          spoilBank: reporting({
            eci: "0".repeat(40),
            schemeReference: { id: "" },
            avsResult: " ",
            retrievalReference: "1"
          }).spoilBank
        })
      )
    )
  )

  it.effect("of a bank that reports none are absent", () =>
    Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE")
      yield* World.settled
      assert.isNull(yield* kept(order))
      assert.notProperty(yield* ClientMerchant.status(order), "processor-rrn")
    }).pipe(Effect.provide(World.layer()))
  )
})

/** Stores the card of a new sale. */
const stored = Effect.gen(function* () {
  const first = yield* ClientMerchant.create("SALE")
  yield* World.settled
  const card = yield* ClientMerchant.call("CARDREF", { client_orderid: first.client_orderid, orderid: first.orderid })
  return String(Reflect.get(Object(card), "card-ref-id"))
})

/** Charges a stored card without its holder. */
const rebill = Effect.fnUntraced(function* (client_orderid: string, cardrefid: string) {
  const money = { amount: "5.00", currency: "USD", ipaddress: "203.0.113.7" }
  const fields = { client_orderid, order_desc: "Box", cardrefid, ...money, cvv2: "123" }
  const charge = yield* ClientMerchant.send("REBILL", fields)
  yield* World.settled
  return yield* ClientMerchant.status(charge)
})

const charged = Effect.flatMap(stored, (card) => rebill("rebill-1", card))

const credentialOf = ({ credential, initiator }: Authorization) => ({ credential, initiator })

describe("a stored card", () => {
  it.effect("is charged with the scheme's reference of the payment with which it was stored", () => {
    const { payments, spoilBank } = reporting(details)
    return Effect.gen(function* () {
      yield* charged
      assert.deepStrictEqual(payments.map(credentialOf), [
        { credential: undefined, initiator: "cardholder" },
        {
          credential: {
            use: "use",
            series: "unscheduled",
            schemeReference: { brand: "VISA", id: "481048839682954", date: "0131" }
          },
          initiator: "merchant"
        }
      ])
    }).pipe(Effect.provide(World.layer({ spoilBank })))
  })

  it.effect.each([
    ["the bank reported none", {}],
    ["the reference is of another brand", { schemeReference: { id: "MCC0131", brand: "MASTERCARD" } }]
  ] as const)("is charged without a reference if %s", ([, given]) => {
    const { payments, spoilBank } = reporting(given)
    return Effect.gen(function* () {
      yield* charged
      assert.deepStrictEqual(payments[1]?.credential, { use: "use", series: "unscheduled" })
    }).pipe(Effect.provide(World.layer({ spoilBank })))
  })
})

/** A bank that approves half of each payment. */
const halving = (bank: Acquirer["Service"]): Adapter => ({
  ...bank,
  authorize: (payment) => {
    const amountMinor = payment.amountMinor / 2
    return Effect.map(bank.authorize({ ...payment, amountMinor }), (answer) => ({ ...answer, amountMinor }))
  }
})

describe("an approval of half of the amount", () => {
  const merchants = Merchants.both({ [endpoints.usd]: { unexpectedApproval: "reverse" } })
  it.effect.each(["SALE", "PREAUTH"] as const)(
    "of a %s declines it, and the half is returned: the books agree",
    (name) =>
      Effect.gen(function* () {
        const order = yield* ClientMerchant.create(name)
        yield* World.settled
        assert.deepInclude(yield* ClientMerchant.status(order), { status: "declined", "error-code": "100" })
        const [taken, returned] = name === "SALE" ? ["authorize 521", "refund 521"] : ["authorize 521", "void 521"]
        assert.deepStrictEqual(yield* ClientMerchant.atBank(order), [`${taken} Approved`, `${returned} Approved`])
        assert.deepStrictEqual(yield* ClientMerchant.booked(order), [])
        yield* ClientMerchant.allIsWell
      }).pipe(Effect.provide(World.layer({ spoilBank: halving, merchants })))
  )
})

describe("a stored card whose holder ends all charges", () => {
  const stopped = { _tag: "Declined", code: "R1", message: "Revoked", category: "stopped" } as const
  it.effect("is not charged again before the holder has paid with it", () => {
    const { payments, spoilBank } = reporting(({ clientOrderId }) => (clientOrderId === "rebill-1" ? stopped : {}))
    return Effect.gen(function* () {
      const card = yield* stored
      assert.deepInclude(yield* rebill("rebill-1", card), { status: "declined", "error-code": "100" })
      assert.deepInclude(yield* rebill("rebill-2", card), { status: "filtered", "error-code": "94" })
      assert.lengthOf(payments, 2)
      yield* World.pass("1 minute")
      yield* stored
      assert.deepInclude(yield* rebill("rebill-3", card), { status: "approved" })
    }).pipe(Effect.provide(World.layer({ spoilBank })))
  })
})
