/** An action of a merchant: a flow with its payload under one name. It may run several times. */

import type { Chance } from "@pay/crashtest/Chance"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as FieldNames from "@pay/flows/FieldNames"
import type * as Flow from "@pay/flows/Flow"
import type { FlowEngine } from "@pay/flows/FlowEngine"
import type { ExecuteError, FlowError } from "@pay/flows/FlowError"
import { codes } from "@pay/schema/ErrorCode"
import * as Money from "@pay/schema/Money"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type { PayClient } from "@pay/transport/PayClient"
import type { PayError } from "@pay/transport/PayError"
import { Effect, Result, type Schema } from "effect"
import type { Intent } from "../Intents.ts"
import type { Account, Endpoint, EndpointCurrency } from "./Account.ts"

export const { operations } = PayApi

/** The result of an action. `tag`: the tag of the flow's error, or `Succeeded`. */
export interface ActionResult {
  readonly tag: string
  readonly orderId: string | undefined
  readonly retryable: boolean
  /** A stored card or a subscription that the flow created. */
  readonly created?: { readonly cardRef?: string; readonly subscription?: string } | undefined
  /** The results of the action's further intents, by name. Those that this run did not start are absent. */
  readonly parts?: Readonly<Record<string, string>>
  /** A description of an answer that contradicts an earlier one. */
  readonly problem?: string | undefined
}

/** The services of flows that do not depend on the engine. */
export type GatewayServices = PayClient | CustomerBrowser

export type FlowServices = GatewayServices | FlowEngine

/** Runs a flow in a merchant's process: in memory, or durably. */
export type Execute = <
  N extends string,
  P extends Flow.Fields,
  A extends Flow.Written,
  E extends Flow.Written,
  R extends FlowServices
>(
  flow: Flow.Flow<N, P, A, E, R>,
  payload: Schema.Struct.Type<P>
) => Effect.Effect<A["Type"], E["Type"] | ExecuteError, FlowServices>

export interface MerchantAction {
  readonly flow: string
  readonly intent: Intent
  /** Further intents that the same flow may have on the same order. */
  readonly parts?: ReadonlyArray<Intent>
  /** The endpoint that the request names. Default: `usd`. */
  readonly endpoint?: Endpoint | undefined
  readonly run: (execute: Execute) => Effect.Effect<ActionResult, never, FlowServices>
  /** The kind of order that the action creates if it succeeds. */
  readonly creates?: CreatedOrder["kind"] | undefined
  /** Its change of a recurring payment. */
  readonly change?: string
  /** The cardholder is absent, so that there is no authentication. */
  readonly isMerchantInitiated?: boolean
  /** The number of the card that pays or is stored. */
  readonly card?: string | undefined
}

/** An order that an action created. */
export interface CreatedOrder {
  readonly account: Account
  readonly clientOrderId: string
  /** The order's identifier, or the card reference of a card that is stored without an order. */
  readonly orderId: string
  readonly kind:
    | "sale"
    | "preauth"
    | "verification"
    | "payout"
    | "checkedPayout"
    | "transfer"
    | "eligibility"
    | "card"
    | "subscription"
  readonly amountMinor: number
  /** Default: `usd`. */
  readonly endpoint?: Endpoint | undefined
  /** Default: USD. */
  readonly currency?: string | undefined
  readonly card?: string | undefined
  readonly cardRef?: string | undefined
  readonly subscription?: string | undefined
}

/** The inputs from which an action is drawn. */
export interface DrawContext {
  readonly account: Account
  readonly chance: Chance
  /** The endpoint and currency of the payment. Default: drawn. */
  readonly endpointCurrency?: EndpointCurrency
  /** The amount. Default: drawn. */
  readonly amountMinor?: number
  /** The name of a new order. It is unique for this merchant. */
  readonly clientOrderId: string
  /** The name of a follow-up. It is unique in the run. */
  readonly name: string
  /** The orders that this merchant has created, the newest last. */
  readonly orders: ReadonlyArray<CreatedOrder>
}

/** A row of the table of merchant actions. */
export interface ActionKind {
  /** The name of the flow. */
  readonly flow: string
  /** How often it is drawn among the actions that create orders, or among those that follow them up. */
  readonly weight: number
  /** It is a program of the merchant instead of a single flow, so that a durable engine cannot run it. */
  readonly isProgram?: true
  /** Returns undefined if there is no suitable order yet. */
  readonly draw: (draw: DrawContext) => MerchantAction | undefined
}

/** Returns the address to which this merchant's callbacks go. */
export const callbackUrl = ({ login }: Account): string => `http://127.0.0.1:8081/callback/${login}`

export const decoded = <O extends Operation>(operation: O, fields: Readonly<Record<string, string>>) => {
  const result = operation.decodeFields(fields)
  if (Result.isFailure(result)) throw new Error(`${operation.name}: ${JSON.stringify(result.failure)}`)
  return FieldNames.renamed(result.success)
}

export const sample = <O extends Operation>(operation: O) => decoded(operation, Sample.request(operation))

export const major = (amountMinor: number, currency = "USD"): string => Money.fromMinor(amountMinor, currency)

/** Whether the gateway refused the caller or the time of the request, before it processed the request itself. */
const isNotAdmitted = (code: number): boolean =>
  code === codes.rateLimited.code || (code > 0 && code <= codes.operationNotEnabled.code)

export const resultOf = <A, E extends FlowError | ExecuteError, R>(
  run: Effect.Effect<A, E, R>,
  fieldsOf: (success: A) => Pick<ActionResult, "orderId" | "created" | "problem">
): Effect.Effect<ActionResult, never, R> =>
  Effect.match(run, {
    onSuccess: (success) => ({ tag: "Succeeded", retryable: false, ...fieldsOf(success) }),
    onFailure: (error) => {
      const order = "order" in error ? error.order : undefined
      const tag = error._tag === "NotAccepted" && isNotAdmitted(error.code ?? 0) ? "NotAdmitted" : error._tag
      return { tag, orderId: order?.orderId, retryable: error.retryable }
    }
  })

export const orderResult = <A extends { readonly orderId: string }, E extends FlowError | ExecuteError, R>(
  run: Effect.Effect<A, E, R>
) => resultOf(run, ({ orderId }) => ({ orderId }))

const tagOf = { NotSent: "Unreachable", OutcomeUnknown: "StillUnknown", InvalidRequest: "NotAccepted" }

/** Returns the result of a program that calls the gateway directly, with the error tags of flows. */
export const programResult = <R>(
  run: Effect.Effect<Omit<ActionResult, "retryable">, FlowError | ExecuteError | PayError, R>
): Effect.Effect<ActionResult, never, R> =>
  Effect.match(run, {
    onSuccess: (result) => ({ ...result, retryable: false }),
    onFailure: (error) => {
      const { _tag, retryable } = error
      if (_tag === "NotSent" || _tag === "OutcomeUnknown" || _tag === "InvalidRequest")
        return { tag: tagOf[_tag], orderId: undefined, retryable }
      const code = "errorCode" in error ? error.errorCode : "code" in error ? error.code : undefined
      const tag = _tag === "Refused" ? "NotAccepted" : _tag
      return {
        tag: tag === "NotAccepted" && isNotAdmitted(Number(code ?? 0)) ? "NotAdmitted" : tag,
        orderId: undefined,
        retryable
      }
    }
  })

export const intent = (
  { account }: DrawContext,
  name: string,
  clientOrderId: string,
  kind: Intent["kind"],
  amountMinor: number | undefined,
  {
    currency = "USD",
    othersMinor
  }: { readonly currency?: string | undefined; readonly othersMinor?: ReadonlyArray<number> } = {}
): Intent => ({
  ...{ name, login: account.login, clientOrderId, kind, amountMinor, othersMinor, currency },
  status: "running",
  attempts: 0
})

/** Returns one of the last 20 suitable orders. */
export const someOrder = (
  { chance, orders }: DrawContext,
  isSuitable: (order: CreatedOrder) => boolean = () => true
): CreatedOrder | undefined => {
  const [first, ...others] = orders.filter(isSuitable).slice(-20)
  return first === undefined ? undefined : chance.oneOf([first, ...others])
}
