/** The methods of the client that are flows: one row each, read by the program, the types and the documents. */
import * as AwaitFinal from "@pay/flows/AwaitFinal"
import * as CardPayment from "@pay/flows/CardPayment"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Flow from "@pay/flows/Flow"
import type { FlowError } from "@pay/flows/FlowError"
import * as FlowPayload from "@pay/flows/FlowPayload"
import * as HostedCheckout from "@pay/flows/HostedCheckout"
import * as OrderAction from "@pay/flows/OrderAction"
import { OrderStatus } from "@pay/flows/OrderStatus"
import * as PayOut from "@pay/flows/PayOut"
import * as StoredCard from "@pay/flows/StoredCard"
import * as Subscription from "@pay/flows/Subscription"
import * as Transfer from "@pay/flows/Transfer"
import type { FieldProblem, Operation } from "@pay/schema/Operation"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Result, type Schema } from "effect"

export type Running = Effect.Effect<object, FlowError, PayClient | CustomerBrowser>

/** A flow without the types of its values. */
export interface Row {
  readonly summary: string
  readonly operation: Operation
  readonly fields: Flow.Fields
  readonly success: Flow.Written
  /** Whether its result is the order itself. */
  readonly isOrder: boolean
  /** Reads the fields, and returns the flow that has not started yet. */
  readonly prepare: (fields: Readonly<Record<string, unknown>>) => Result.Result<Running, ReadonlyArray<FieldProblem>>
}

type Error = Schema.Codec<FlowError, unknown>
type Value = Schema.Codec<object, unknown>

const row = <N extends string, P extends Flow.Fields, A extends Value, E extends Error>(
  flow: Flow.Flow<N, P, A, E, PayClient | CustomerBrowser> & { readonly operation?: Operation }
): Row => {
  const { operation, payload, success, summary } = flow
  if (operation === undefined) throw new TypeError(`${flow.name} names no operation`)
  const isOrder = success.ast === OrderStatus.ast
  return {
    summary,
    operation,
    fields: payload.fields,
    success,
    isOrder,
    prepare: (fields) =>
      Result.map(FlowPayload.decode(flow, fields), (values) =>
        Effect.map(Flow.run(flow, values), (value) => (isOrder ? { order: value } : value))
      )
  }
}

/** Flows that begin with fields. */
export const flows = {
  cardSale: row(CardPayment.CardSale),
  authorize: row(CardPayment.Authorization),
  verifyCard: row(CardPayment.VerifyAccount),
  keepCard: row(StoredCard.KeepCard),
  rebill: row(StoredCard.Rebill),
  subscribe: row(Subscription.Subscribe),
  chargeSubscription: row(Subscription.ChargeSubscription),
  changeSubscription: row(Subscription.ChangeSubscription),
  payOut: row(PayOut.PayOut),
  payOutV2: row(PayOut.PayOutV2),
  checkPayOut: row(PayOut.CheckPayOut),
  transfer: row(Transfer.Transfer),
  transferByRef: row(Transfer.TransferByRef),
  canSend: row(Transfer.CanSend)
}

/** Flows about an order that another call gave. */
export const actions = {
  capture: row(OrderAction.Capture),
  void: row(OrderAction.Void),
  refund: row(OrderAction.Refund),
  storeCard: row(StoredCard.Tokenize),
  payChecked: row(PayOut.PayChecked),
  awaitFinal: row(AwaitFinal.AwaitFinal)
}

/** Flows that end with the address of a page of the gateway. */
export const hosted = {
  sale: row(HostedCheckout.pages.sale),
  authorize: row(HostedCheckout.pages.authorization),
  payment: row(HostedCheckout.pages.payment),
  verify: row(HostedCheckout.pages.verification),
  payOut: row(HostedCheckout.pages.payOut)
}
