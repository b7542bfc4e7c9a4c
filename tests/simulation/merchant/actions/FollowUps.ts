/** Follow-ups of card payments. The gateway may refuse them. */
import { Capture, Refund, Void } from "@pay/flows/OrderAction"
import {
  type ActionKind,
  type CreatedOrder,
  callbackUrl,
  type DrawContext,
  intent,
  orderResult,
  someOrder
} from "../MerchantAction.ts"
import { fieldsOf } from "../Price.ts"

const orderFields = ({ account, clientOrderId, orderId }: CreatedOrder) => ({
  clientOrderId,
  orderId,
  serverCallbackUrl: callbackUrl(account)
})

/** Kinds of orders that can be refunded. */
const refundable: ReadonlySet<CreatedOrder["kind"]> = new Set(["preauth", "sale", "subscription", "transfer"])

/** Draws a partial amount in most cases, otherwise the whole remaining amount. */
export const partOf = ({ chance }: DrawContext, { amountMinor }: CreatedOrder): number | undefined =>
  amountMinor > 0 && chance.percent(70)
    ? 1 + chance.below(Math.ceil(amountMinor / (chance.percent(15) ? 1 : 2)))
    : undefined

export const amounts = ({ currency = "USD" }: CreatedOrder, amountMinor: number | undefined) =>
  amountMinor === undefined ? {} : fieldsOf({ amountMinor, currency })

export const followUps: ReadonlyArray<ActionKind> = [
  {
    flow: Capture.name,
    weight: 10,
    draw: (draw) => {
      const order = someOrder(draw, ({ kind }) => kind === "preauth")
      if (order === undefined) return undefined
      const { name } = draw
      const amountMinor = partOf(draw, order)
      const identity = `${order.clientOrderId}/${name}`
      return {
        flow: Capture.name,
        intent: intent(draw, identity, order.clientOrderId, "capture", amountMinor, order),
        endpoint: order.endpoint,
        run: (execute) => orderResult(execute(Capture, { ...orderFields(order), ...amounts(order, amountMinor), name }))
      }
    }
  },
  {
    flow: Void.name,
    weight: 5,
    draw: (draw) => {
      const order = someOrder(draw, ({ kind }) => kind === "preauth")
      if (order === undefined) return undefined
      return {
        flow: Void.name,
        intent: intent(draw, `${order.clientOrderId}/release`, order.clientOrderId, "void", undefined, order),
        endpoint: order.endpoint,
        run: (execute) => orderResult(execute(Void, { ...orderFields(order), comment: "not needed" }))
      }
    }
  },
  {
    flow: Refund.name,
    weight: 15,
    draw: (draw) => {
      const order = someOrder(draw, ({ kind }) => refundable.has(kind))
      if (order === undefined) return undefined
      const { name } = draw
      const amountMinor = partOf(draw, order)
      const identity = `${order.clientOrderId}/${name}`
      const payload = { ...orderFields(order), ...amounts(order, amountMinor), comment: "returned", name }
      return {
        flow: Refund.name,
        intent: intent(draw, identity, order.clientOrderId, "refund", amountMinor, order),
        endpoint: order.endpoint,
        run: (execute) => orderResult(execute(Refund, payload))
      }
    }
  }
]
