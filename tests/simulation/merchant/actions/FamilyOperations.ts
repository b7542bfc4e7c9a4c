/** Operations of the protocol family that are not in the specification. Existing shop modules call them; no flow does. */
import { AwaitFinal } from "@pay/flows/AwaitFinal"
import { completeAuthentication } from "@pay/flows/CompleteAuthentication"
import * as Creation from "@pay/flows/Creation"
import type * as Evidence from "@pay/flows/Evidence"
import * as FieldNames from "@pay/flows/FieldNames"
import type { Operation } from "@pay/schema/Operation"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import type { Kind } from "../../Intents.ts"
import { shopUrl } from "../Customer.ts"
import {
  type ActionKind,
  type CreatedOrder,
  callbackUrl,
  type DrawContext,
  intent,
  type MerchantAction,
  operations,
  orderResult,
  programResult,
  sample,
  someOrder
} from "../MerchantAction.ts"
import { fieldsOf, type Price, priceOf } from "../Price.ts"
import { cardOrder } from "./Cards.ts"
import { difference, expectedFields } from "./StatusQueries.ts"
import { isStoredCard } from "./StoredCards.ts"

const { REBILL_PREAUTH, REBILL_SALE, SALE_V4, STATUS_V4, SYNC_ACCOUNT_VERIFICATION, TRANSFERFORM, TRANSFER_BY_REF } =
  operations

/** Creates an order and waits for its final status, through the gateway's page if the operation has one. */
const createOrder = Effect.fnUntraced(function* (operation: Operation, clientOrderId: string, fields: object) {
  const trail: Evidence.Trail = []
  const request = FieldNames.requestOf(operation, { ...fields, clientOrderId })
  const order = { operation, request, clientOrderId, endpointId: undefined, trail }
  const { orderId, redirectUrl: url } = yield* Creation.create({ step: "create", ...order })
  if (orderId === undefined) return yield* AwaitFinal.execute({ clientOrderId })
  const first = url === undefined ? {} : { first: { _tag: "Redirect" as const, url } }
  return yield* completeAuthentication({ target: order, named: { clientOrderId, orderId }, trail, ...first })
})

interface Row {
  readonly operation: Operation
  readonly kind: Kind
  readonly creates: CreatedOrder["kind"]
  /** Returns undefined if there is no stored card yet. */
  readonly fields: (draw: DrawContext, price: Price) => (object & Partial<Pick<MerchantAction, "card">>) | undefined
}

const saleFields = sample(SALE_V4)
const verificationFields = sample(SYNC_ACCOUNT_VERIFICATION)
const { login: _, ...rebillFields } = sample(REBILL_PREAUTH)
const transferFields = sample(TRANSFERFORM)
const { login: __, sourceCardRefId: ___, ...byRefFields } = sample(TRANSFER_BY_REF)

const byCard = (payload: object) => (draw: DrawContext, price: Price) => ({
  ...payload,
  ...cardOrder(draw).fields,
  ...fieldsOf(price)
})

const byStoredCard = (draw: DrawContext, price: Price) => {
  const cardRefId = someOrder(draw, isStoredCard)?.cardRef
  return cardRefId === undefined ? undefined : { ...rebillFields, ...fieldsOf(price), cardRefId }
}

const row = ({ fields, kind, creates, operation }: Row): ActionKind => ({
  flow: operation.name,
  weight: 2,
  isProgram: true,
  draw: (draw) => {
    const { account, clientOrderId } = draw
    const price = priceOf(draw)
    const drawn = fields(draw, price)
    if (drawn === undefined) return undefined
    const payload = { ...drawn, serverCallbackUrl: callbackUrl(account) }
    const amountMinor = creates === "verification" ? 0 : price.amountMinor
    return {
      flow: operation.name,
      intent: intent(draw, clientOrderId, clientOrderId, kind, amountMinor, price),
      endpoint: price.endpoint,
      creates,
      run: () => orderResult(createOrder(operation, clientOrderId, payload))
    }
  }
})

export const family: ReadonlyArray<ActionKind> = [
  row({ operation: SALE_V4, kind: "authorize", creates: "sale", fields: byCard(saleFields) }),
  row({
    operation: SYNC_ACCOUNT_VERIFICATION,
    kind: "authorize",
    creates: "verification",
    fields: (draw) => ({ ...verificationFields, ...cardOrder(draw).fields })
  }),
  row({
    operation: TRANSFERFORM,
    kind: "transfer",
    creates: "transfer",
    fields: (_, price) => ({ ...transferFields, ...fieldsOf(price), redirectUrl: shopUrl })
  })
]

export const familyOnOrders: ReadonlyArray<ActionKind> = [
  row({ operation: REBILL_SALE, kind: "authorize", creates: "sale", fields: byStoredCard }),
  row({ operation: REBILL_PREAUTH, kind: "authorize", creates: "preauth", fields: byStoredCard }),
  row({
    operation: TRANSFER_BY_REF,
    kind: "pay",
    creates: "transfer",
    fields: (draw, price) => {
      const destinationCardRefId = someOrder(draw, isStoredCard)?.cardRef
      return destinationCardRefId === undefined
        ? undefined
        : { ...byRefFields, ...fieldsOf(price), destinationCardRefId }
    }
  }),
  {
    flow: STATUS_V4.name,
    weight: 2,
    isProgram: true,
    draw: (draw) => {
      const order = someOrder(draw, ({ clientOrderId, kind }) => kind !== "card" && !clientOrderId.includes("/"))
      if (order === undefined) return undefined
      const { clientOrderId: client_orderid, endpoint, orderId: orderid } = order
      return {
        flow: STATUS_V4.name,
        intent: intent(draw, `${draw.name}/status`, draw.clientOrderId, "nothing", 0),
        endpoint,
        run: () =>
          programResult(
            Effect.map(PayClient.call(STATUS_V4, { client_orderid, orderid }), (answer) => ({
              tag: "Succeeded",
              orderId: undefined,
              problem: difference(answer, expectedFields(order))
            }))
          )
      }
    }
  }
]
