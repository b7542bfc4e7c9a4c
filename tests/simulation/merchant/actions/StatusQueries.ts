/** Queries of status and card data. Each answer must agree with earlier ones. */
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import { type ActionKind, type CreatedOrder, intent, programResult, someOrder } from "../MerchantAction.ts"
import { isStoredCard } from "./StoredCards.ts"

const { CARDINFO, STATUS } = PayApi.operations

/** Returns a description of the first field that differs from an earlier answer. */
export const difference = (report: Readonly<Record<string, unknown>>, expected: Readonly<Record<string, string>>) => {
  const [first] = Object.entries(expected).filter(([name, value]) => report[name] !== value)
  return first === undefined ? undefined : `${first[0]} is reported as ${String(report[first[0]])} and was ${first[1]}`
}

export const expectedFields = ({ clientOrderId, orderId }: CreatedOrder) => ({
  "merchant-order-id": clientOrderId,
  "paynet-order-id": orderId
})

export const statusQueries: ReadonlyArray<ActionKind> = [
  {
    flow: CARDINFO.name,
    weight: 3,
    isProgram: true,
    draw: (draw) => {
      const storedCard = someOrder(draw, isStoredCard)
      if (storedCard?.cardRef === undefined || storedCard.card === undefined) return undefined
      const { card, cardRef: cardrefid } = storedCard
      const facts = { bin: card.slice(0, 6), "last-four-digits": card.slice(-4), "expire-year": "2030" }
      return {
        flow: CARDINFO.name,
        intent: intent(draw, `${draw.name}/card-info`, draw.clientOrderId, "nothing", 0),
        run: () =>
          programResult(
            Effect.map(PayClient.call(CARDINFO, { cardrefid }), (answer) => ({
              tag: "Succeeded",
              orderId: undefined,
              problem: difference(answer, facts)
            }))
          )
      }
    }
  },
  {
    flow: STATUS.name,
    weight: 4,
    isProgram: true,
    draw: (draw) => {
      const order = someOrder(draw, ({ clientOrderId, kind }) => kind !== "card" && !clientOrderId.includes("/"))
      if (order === undefined) return undefined
      const { clientOrderId: client_orderid, endpoint, orderId: orderid } = order
      const names = draw.chance.oneOf<{ client_orderid?: string; orderid?: string }>([
        { client_orderid },
        { orderid },
        { client_orderid, orderid }
      ])
      return {
        flow: STATUS.name,
        intent: intent(draw, `${draw.name}/status`, draw.clientOrderId, "nothing", 0),
        endpoint,
        run: () =>
          programResult(
            Effect.map(PayClient.call(STATUS, names), (answer) => ({
              tag: "Succeeded",
              orderId: undefined,
              problem: difference(answer, expectedFields(order))
            }))
          )
      }
    }
  }
]
