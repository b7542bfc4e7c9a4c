/** Flows as the shop runs them: each with one more step that writes its outcome into the shop's books. */
import type { CardSale } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import type { FlowError } from "@pay/flows/FlowError"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as Steps from "@pay/flows/Steps"
import { Effect, Redacted, type Result, Schema } from "effect"
import type { Wallet } from "../cards/Wallet.ts"
import type { Actions } from "../office/Actions.ts"
import { Orders } from "../orders/Orders.ts"
import type { Payouts } from "../payout/Payouts.ts"
import type { Subscriptions } from "../subscription/Subscriptions.ts"
import * as Outcomes from "./Outcomes.ts"

export type Ended = Result.Result<OrderStatus, FlowError>
export type Books = Orders | Actions | Payouts | Subscriptions | Wallet

/** The flow, with `write` as its last step: done again until it is done, also by the next process. */
export const booked = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<N, P, A, E, R>,
  write: (
    payload: Schema.Struct.Type<P>,
    ended: Result.Result<A["Type"], E["Type"]>
  ) => Effect.Effect<boolean, never, Books>
) =>
  Flow.make({
    ...flow,
    run: Effect.fnUntraced(function* (payload) {
      const ended = yield* Effect.result(flow.run(payload))
      yield* Steps.step("book", { success: Schema.Boolean, error: Schema.Never }, write(payload, ended))
      return yield* Effect.fromResult(ended)
    })
  })

/** The outcome of a payment, in the book of orders. */
export const paid = (payload: { readonly client_orderid: string }, ended: Ended) =>
  Effect.flatMap(Orders, ({ conclude }) => conclude(payload.client_orderid, Outcomes.ofFlow(ended)))

type CardFields = typeof CardSale.payload.fields
type Needs = Effect.Services<ReturnType<typeof CardSale.run>>

const cardFields = ["credit_card_number", "expire_month", "expire_year"]

/** The flow without anything of the card in its file, not even sealed: that goes to its first run, and is forgotten. */
export const unkept = <F extends { readonly neverKept: ReadonlyArray<string> }>(flow: F): F => ({
  ...flow,
  neverKept: [...flow.neverKept, ...cardFields],
  keptSealed: []
})

/**
 * A payment whose card no file of the shop ever holds, not even sealed: number and expiry go to the flow's first run and
 * are forgotten, as the security code is. Started again before the gateway had the order, the flow sends nothing: it asks
 * `status`, and without the order ends `NeverHappened`.
 */
export const withUnkeptCard = <N extends string>(
  flow: Flow.Flow<N, CardFields, typeof CardSale.success, typeof CardSale.error, Needs>
) => {
  const { credit_card_number, "destination-card-no": _, expire_month, expire_year, ...fields } = flow.payload.fields
  const card = {
    credit_card_number: Schema.optionalKey(credit_card_number),
    expire_month: Schema.optionalKey(expire_month),
    expire_year: Schema.optionalKey(expire_year)
  }
  const gone = { credit_card_number: Redacted.make(""), expire_month: 1, expire_year: 2000 }
  const made = Flow.make({
    ...flow,
    payload: Schema.Struct({ ...fields, ...card }),
    idempotencyKey: ({ client_orderid }) => client_orderid,
    run: (payload) => flow.run({ ...gone, ...payload })
  })
  return unkept(booked(made, paid))
}

type CardField = "card_printed_name" | "credit_card_number" | "cvv2" | "expire_month" | "expire_year"

/** Fields of a request that is about a kept card. */
export const withoutCard = <F extends Partial<Record<CardField | "login", unknown>>>(
  fields: F
): Omit<F, CardField | "login"> => {
  const {
    card_printed_name: _n,
    credit_card_number: _c,
    cvv2: _v,
    expire_month: _m,
    expire_year: _y,
    login: _l,
    ...others
  } = fields
  return others
}
