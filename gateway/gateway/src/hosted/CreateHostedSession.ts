/**
 * Creates the hosted pages on which a customer pays by card. The order is registered, and has no card until the customer enters
 * one.
 */
import * as PayApi from "@pay/schema/PayApi"
import { Effect, type Redacted } from "effect"
import type { RequestRefused } from "../kernel/Answer.ts"
import * as Decision from "../kernel/Decision.ts"
import type { StoreUnavailable } from "../kernel/Store.ts"
import type { Call } from "../merchants/Call.ts"
import * as Register from "../orders/decide/Register.ts"
import * as CardKinds from "../orders/record/CardKinds.ts"
import { type Kind, Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as OpenHostedSession from "./OpenHostedSession.ts"

/** The kind of order that each operation creates. A universal form offers the only payment method: a card. */
const kinds = {
  SALEFORM: "sale",
  PREAUTHFORM: "preauth",
  PAYMENTFORM: "sale",
  ACCOUNT_VERIFICATION_FORM: "verification",
  TRANSFERFORM: "transfer"
} as const satisfies { readonly [Name in PayApi.Name]?: Kind }

/** Returns the card that receives the money of a transfer, if the request names one. */
export type Receiver = (
  call: Call,
  place: OpenHostedSession.Place
) => Effect.Effect<Redacted.Redacted<string> | undefined, RequestRefused | StoreUnavailable>

export const make = Effect.fnUntraced(function* (
  name: keyof typeof kinds,
  receiverOf: Receiver = () => Effect.undefined
) {
  const vault = yield* KeyVault
  const kind = kinds[name]
  const none = { initiator: "cardholder", encryptedCvv: undefined, gate: undefined, filteredBy: undefined } as const
  return yield* OpenHostedSession.make(PayApi.operations[name], {
    action: CardKinds.kinds[kind].action,
    about: ({ country = null }) => ({ kind, country, purpose: null }),
    register: (call, place) =>
      Effect.map(receiverOf(call, place), (receiver) => ({ opening, page }): Register.Registered => {
        const registration: Register.Opening = { ...opening, ...none, kind }
        const order: Order = { ...Register.orderOf(registration), state: "registered" }
        return {
          order,
          decision: {
            guards: [
              Decision.absent(Order, "clientOrder", [order.merchantId, order.clientOrderId]),
              ...Register.room(order)
            ],
            writes: [
              Decision.append(Order, order),
              Decision.append(OrderRequest, Register.requestOf(registration, order)),
              ...(receiver === undefined ? [] : [Register.receiverRow(vault, receiver, order, opening.nowMs)]),
              ...page(false)
            ]
          }
        }
      })
  })
})
