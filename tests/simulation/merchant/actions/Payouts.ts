/** Payouts from the merchant's balance. */
import { CheckPayOut, PayChecked, PayOut, PayOutV2 } from "@pay/flows/PayOut"
import { Effect } from "effect"
import {
  type ActionKind,
  callbackUrl,
  type DrawContext,
  decoded,
  intent,
  operations,
  orderResult
} from "../MerchantAction.ts"
import { fieldsOf, type Price, priceOf } from "../Price.ts"

const recipient = {
  amount: "1.00",
  currency: "USD",
  account_number: "DE89370400440532013000"
}
const payoutFields = decoded(operations.PAYOUT_V4, { "client-order-id": "x", ...recipient })
const payoutV2Fields = decoded(operations.PAYOUT, { client_orderid: "x", ...recipient })
const checkFields = decoded(operations.PAYOUT_V4_CHECK, { client_orderid: "x", ...recipient })

/** The endpoint whose payouts need an approver. */
const approved = { endpoint: "approval", currency: "USD" } as const

/** Draws a price. One in four payouts waits for an approver. */
const payoutPrice = (draw: DrawContext): Price =>
  priceOf(
    draw.endpointCurrency === undefined && draw.chance.percent(25) ? { ...draw, endpointCurrency: approved } : draw
  )

const payoutFieldsOf = (draw: DrawContext, { amountMinor, currency, endpoint }: Price) => ({
  intent: intent(draw, draw.clientOrderId, draw.clientOrderId, "pay", amountMinor, { currency }),
  endpoint,
  creates: "payout" as const
})

export const payouts: ReadonlyArray<ActionKind> = [
  {
    flow: PayOut.name,
    weight: 5,
    draw: (draw) => {
      const { account, clientOrderId } = draw
      const price = payoutPrice(draw)
      const payload = {
        ...payoutFields,
        ...fieldsOf(price),
        clientOrderId,
        serverCallbackUrl: callbackUrl(account)
      }
      return {
        flow: PayOut.name,
        ...payoutFieldsOf(draw, price),
        run: (execute) => orderResult(execute(PayOut, payload))
      }
    }
  },
  {
    flow: PayOutV2.name,
    weight: 5,
    draw: (draw) => {
      const { account, clientOrderId } = draw
      const price = payoutPrice(draw)
      const payload = {
        ...payoutV2Fields,
        ...fieldsOf(price),
        clientOrderId,
        serverCallbackUrl: callbackUrl(account)
      }
      return {
        flow: PayOutV2.name,
        ...payoutFieldsOf(draw, price),
        run: (execute) => orderResult(execute(PayOutV2, payload))
      }
    }
  },
  {
    flow: CheckPayOut.name,
    weight: 8,
    draw: (draw) => {
      const { account, chance, clientOrderId } = draw
      const price = payoutPrice(draw)
      const payload = {
        ...checkFields,
        ...fieldsOf(price),
        clientOrderId,
        serverCallbackUrl: callbackUrl(account)
      }
      if (chance.percent(40)) {
        return {
          flow: CheckPayOut.name,
          ...payoutFieldsOf(draw, price),
          run: (execute) =>
            orderResult(
              Effect.flatMap(execute(CheckPayOut, payload), ({ orderId }) =>
                execute(PayChecked, { clientOrderId, orderId })
              )
            )
        }
      }
      return {
        flow: CheckPayOut.name,
        intent: intent(draw, clientOrderId, clientOrderId, "nothing", price.amountMinor, price),
        endpoint: price.endpoint,
        creates: "checkedPayout",
        run: (execute) => orderResult(execute(CheckPayOut, payload))
      }
    }
  }
]

/** Payments of payouts that were checked earlier. */
export const checkedPayouts: ReadonlyArray<ActionKind> = [
  {
    flow: PayChecked.name,
    weight: 20,
    draw: (draw) => {
      // A check expires soon, so the newest one is used.
      const order = draw.orders.findLast(({ kind }) => kind === "checkedPayout")
      if (order === undefined) return undefined
      const { account, clientOrderId, orderId } = order
      const payload = { clientOrderId, orderId, serverCallbackUrl: callbackUrl(account) }
      return {
        flow: PayChecked.name,
        intent: intent(draw, `${clientOrderId}/pay`, clientOrderId, "pay", order.amountMinor, order),
        endpoint: order.endpoint,
        creates: "payout",
        run: (execute) => orderResult(execute(PayChecked, payload))
      }
    }
  }
]
