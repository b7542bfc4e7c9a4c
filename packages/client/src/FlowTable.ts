/** The methods of the client that are flows, one row for each. The program, the types and the documents use this one table. */
import * as AwaitFinal from "@pay/flows/AwaitFinal"
import * as CardPayment from "@pay/flows/CardPayment"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import type * as Flow from "@pay/flows/Flow"
import type { FlowEngine } from "@pay/flows/FlowEngine"
import type { ExecuteError, FlowError } from "@pay/flows/FlowError"
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

/** A flow that has not started yet. */
export type Running = Effect.Effect<object, FlowError | ExecuteError, FlowEngine | PayClient | CustomerBrowser>

/** A flow without the types of its values. */
export interface Row {
  readonly summary: string
  readonly operation: Operation
  readonly fields: Flow.Fields
  readonly success: Flow.Written
  /** Whether the result of the flow is the order itself. */
  readonly isOrder: boolean
  /** Decodes the fields and returns the flow, which has not started yet. Fails with all problems. */
  readonly prepare: (fields: Readonly<Record<string, unknown>>) => Result.Result<Running, ReadonlyArray<FieldProblem>>
}

type Value = Schema.Codec<object, unknown>
type Written = Schema.Codec<FlowError, unknown>

/** A flow of these tables, with its types. */
type TypedFlow<N extends string, P extends Flow.Fields, A extends Value, E extends Written> = Flow.Flow<
  N,
  P,
  A,
  E,
  FlowEngine | PayClient | CustomerBrowser
> & { readonly operation?: Operation }

const row = <N extends string, P extends Flow.Fields, A extends Value, E extends Written>(
  flow: TypedFlow<N, P, A, E>
): Row => {
  const { operation, payload, success, summary = "" } = flow
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
        Effect.map(flow.execute(values), (value) => (isOrder ? { order: value } : value))
      )
  }
}

/** Makes a value from a flow. */
type Make<X> = <N extends string, P extends Flow.Fields, A extends Value, E extends Written>(
  flow: TypedFlow<N, P, A, E>
) => X

/** The flows that begin with fields of the caller. */
export const flowsOf = <X>(make: Make<X>) => ({
  cardSale: make(CardPayment.CardSale),
  authorize: make(CardPayment.Authorization),
  verifyCard: make(CardPayment.VerifyAccount),
  keepCard: make(StoredCard.KeepCard),
  rebill: make(StoredCard.Rebill),
  subscribe: make(Subscription.Subscribe),
  chargeSubscription: make(Subscription.ChargeSubscription),
  changeSubscription: make(Subscription.ChangeSubscription),
  payOut: make(PayOut.PayOut),
  payOutV2: make(PayOut.PayOutV2),
  checkPayOut: make(PayOut.CheckPayOut),
  transfer: make(Transfer.Transfer),
  transferByRef: make(Transfer.TransferByRef),
  canSend: make(Transfer.CanSend)
})

/** The flows about an order that another call has returned. */
export const actionsOf = <X>(make: Make<X>) => ({
  capture: make(OrderAction.Capture),
  void: make(OrderAction.Void),
  refund: make(OrderAction.Refund),
  storeCard: make(StoredCard.Tokenize),
  payChecked: make(PayOut.PayChecked),
  awaitFinal: make(AwaitFinal.AwaitFinal)
})

/** The flows that end with the address of a page of the gateway. */
export const hostedOf = <X>(make: Make<X>) => ({
  sale: make(HostedCheckout.pages.sale),
  authorize: make(HostedCheckout.pages.authorization),
  payment: make(HostedCheckout.pages.payment),
  verify: make(HostedCheckout.pages.verification),
  payOut: make(HostedCheckout.pages.payOut)
})

/** Rows by the names of the client's methods. */
export type Rows = Readonly<Record<string, Row>>

/** The flows that begin with fields of the caller, by method. */
export const flows: Rows = flowsOf(row)
/** The flows about an order that another call has returned, by method. */
export const actions: Rows = actionsOf(row)
/** The flows that end with the address of a page of the gateway, by method. */
export const hosted: Rows = hostedOf(row)
