/** What the shop does with money. Each flow ends with a booking in the shop's ledger. */
import { Authorization, CardSale } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import { authorize } from "@pay/flows/Hold"
import { Refund } from "@pay/flows/OrderAction"
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import * as RecordedFlow from "@pay/flows/RecordedFlow"
import { Subscribe } from "@pay/flows/Subscription"
import { Effect, Result, Schema } from "effect"
import { Ledger } from "./ledger.ts"

const cents = (amount = "0") => Math.round(Number(amount) * 100)

type Ended = Result.Result<{ readonly orderId: string }, { readonly _tag: string; readonly retryable: boolean }>

/** Books the end of a flow. An end that may still change is not booked. */
const book = Effect.fnUntraced(function* (id: string, minor: number, end: Ended) {
  const ledger = yield* Ledger
  if (Result.isSuccess(end)) yield* ledger.book(id, end.success.orderId, minor, "done")
  else if (!end.failure.retryable) yield* ledger.book(id, "", 0, end.failure._tag)
})

export const Sale = RecordedFlow.make(CardSale, (sale, end) => book(sale.clientOrderId, cents(sale.amount), end))

export const Return = RecordedFlow.make(Refund, (refund, end) => book(refund.name, -cents(refund.amount), end))

export const Join = RecordedFlow.make(Subscribe, ({ amount, clientOrderId }, end) =>
  book(
    clientOrderId,
    cents(amount),
    Result.map(end, ({ order }) => order)
  )
)

/** Checks the recipient, holds the amount, pays. */
const Claim = Flow.make({
  name: "Claim",
  payload: CheckPayOut.payload,
  success: PayChecked.success,
  idempotencyKey: ({ clientOrderId }) => clientOrderId,
  run: Effect.fnUntraced(function* (claim) {
    const { clientOrderId, orderId } = yield* CheckPayOut.execute(claim)
    return yield* PayChecked.execute({ clientOrderId, orderId })
  })
})

export const Settle = RecordedFlow.make(Claim, (claim, end) => book(claim.clientOrderId, -cents(claim.amount), end))

const { amount: _amount, clientOrderId: _id, ...payer } = Authorization.payload.fields

/** Holds the price of each supplier on one card. Captures all, or none if one of them cannot be held. */
const AllOrNone = Flow.make({
  name: "AllOrNone",
  payload: Schema.Struct({ ...payer, trip: Schema.String, prices: Schema.Array(Schema.String) }),
  success: Schema.Struct({ orderId: Schema.String }),
  idempotencyKey: ({ trip }) => trip,
  run: ({ prices, trip, ...card }) =>
    Effect.gen(function* () {
      const payments = prices.map((amount, part) => ({ ...card, amount, clientOrderId: `${trip}-${part}` }))
      const holds = yield* Effect.forEach(payments, authorize, { concurrency: "unbounded" })
      const orders = yield* Effect.forEach(holds, (hold) => hold.capture({ name: trip }))
      return { orderId: orders.map(({ orderId }) => orderId).join(" ") }
    }).pipe(Effect.scoped)
})

export const Trip = RecordedFlow.make(AllOrNone, ({ prices, trip }, end) =>
  book(trip, cents(String(prices.reduce((sum, price) => sum + Number(price), 0))), end)
)
