import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Merchants from "../harness/Merchants.ts"
import { ask } from "../harness/Operating.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Transfers from "../harness/Transfers.ts"
import * as Copies from "./Copies.ts"

const number = { credit_card_number: "4444555566661111" }
const issued = { ...number, expire_month: "12", expire_year: "2030" }
const renewed = { ...number, expire_month: "6", expire_year: "2034" }
const other = { credit_card_number: "4444444444444448" }
const amount = { amount: "10.42", currency: "USD" }

const to = (fields: Transfers.Fields) => Transfers.done(Transfers.transfer(fields))

const attempts = {
  "a sale": TestMerchant.order("SALE", issued),
  "a sale with a renewed expiry": TestMerchant.order("SALE", renewed),
  "a payout": TestPayouts.made("PAYOUT", { ...amount, ...issued }),
  "a payout that says no expiry": TestPayouts.made("PAYOUT", { ...amount, ...number }),
  "a payout by its recipient's page": Effect.gen(function* () {
    const { order, url } = yield* PayoutPage.open()
    yield* PayoutPage.receive(url, { way: "card", number: number.credit_card_number, recipient: "Jane Doe" })
    return order
  }),
  "a transfer to it": to({ "destination-card-no": number.credit_card_number }),
  "a transfer to it, stored": Effect.flatMap(Transfers.storedUnpaid(number.credit_card_number), (id) =>
    to({ "destination-card-no": undefined, destination_card_recurring_payment_id: id })
  ),
  "a transfer to it from a stored card": Effect.gen(function* () {
    const id = yield* Transfers.stored({ ...renewed, ...other })
    return yield* Transfers.done(
      Transfers.byRef({ "source-card-ref-id": id, "destination-card-no": number.credit_card_number })
    )
  }),
  "a deposit to it": to({
    ...Transfers.noCard,
    deposit2card: "true",
    "destination-card-no": number.credit_card_number
  }),
  "a transfer to another card": to({ "destination-card-no": other.credit_card_number }),
  "a sale with another card": TestMerchant.order("SALE", { ...renewed, ...other }),
  "a payout to another card": TestPayouts.made("PAYOUT", { ...amount, ...other })
}

const outcomes = Effect.forEach(Object.entries(attempts), ([name, attempt]) =>
  Effect.map(Effect.flatMap(attempt, TestMerchant.status), ({ status }) => `${name}: ${status}`)
)

/** The hash that an operator sees of the card that paid, or of the recipient. */
const display = Effect.fnUntraced(function* (order: TestMerchant.Order, name: "cardHash" | "recipient") {
  const { body } = yield* ask("GET", `/operator/orders/${order.orderid}`)
  return String(body[name])
})

it.live("the hash of a card in an operator's view of an order blocks payments with the card and payouts to it", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const hash = yield* Effect.gen(function* () {
      const paid = yield* display(yield* attempts["a sale"], "cardHash")
      assert.strictEqual(yield* display(yield* attempts["a payout that says no expiry"], "recipient"), paid)
      assert.match(paid, /^v1\.[\w-]{43}$/)
      return paid
    }).pipe(TestGateway.running(folder))
    Copies.rotateHashing(folder)
    const merchants = Merchants.both({ [TestGateway.endpoints.usd]: { risk: { block: { cards: [hash] } } } })
    assert.deepStrictEqual(yield* outcomes.pipe(TestGateway.running(folder, { merchants })), [
      "a sale: filtered",
      "a sale with a renewed expiry: filtered",
      "a payout: filtered",
      "a payout that says no expiry: filtered",
      "a payout by its recipient's page: filtered",
      "a transfer to it: filtered",
      "a transfer to it, stored: filtered",
      "a transfer to it from a stored card: filtered",
      "a deposit to it: filtered",
      "a transfer to another card: approved",
      "a sale with another card: approved",
      "a payout to another card: approved"
    ])
  })
)
