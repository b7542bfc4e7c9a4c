/** What a merchant may want: one flow with its payload, under one name, which may be begun many times. */

import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as FieldNames from "@pay/flows/FieldNames"
import type * as Flow from "@pay/flows/Flow"
import type { FlowError } from "@pay/flows/FlowError"
import { codes } from "@pay/schema/ErrorCode"
import * as Money from "@pay/schema/Money"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type { PayClient } from "@pay/transport/PayClient"
import type { PayError } from "@pay/transport/PayError"
import { Effect, Result, type Schema } from "effect"
import type { Chance } from "../Chance.ts"
import type { Intent } from "../Intents.ts"
import type { Account, Endpoint, EndpointCurrency } from "./Account.ts"

export const { operations } = PayApi

/** How a run of the flow ended: the tag of its error, or `Succeeded`. */
export interface ActionResult {
  readonly tag: string
  readonly orderId: string | undefined
  readonly retryable: boolean
  /** A stored card or a subscription that the flow made. */
  readonly made?: { readonly cardRef?: string; readonly subscription?: string } | undefined
  /** How the action's further effects ended, by name; left out: not begun by this run. */
  readonly parts?: Readonly<Record<string, string>>
  /** Answers that cannot be true, in words. */
  readonly problem?: string | undefined
}

export type FlowServices = PayClient | CustomerBrowser

/** How a merchant's process carries a flow out: in memory, or durably. */
export type Execute = <
  N extends string,
  P extends Flow.Fields,
  A extends Flow.Written,
  E extends Flow.Written,
  R extends FlowServices
>(
  flow: Flow.Flow<N, P, A, E, R>,
  payload: Schema.Struct.Type<P>
) => Effect.Effect<A["Type"], E["Type"], FlowServices>

export interface MerchantAction {
  readonly flow: string
  readonly intent: Intent
  /** Further effects that the same flow may have on the same order. */
  readonly parts?: ReadonlyArray<Intent>
  /** The endpoint that the request names. Default: `usd`. */
  readonly endpoint?: Endpoint | undefined
  readonly run: (execute: Execute) => Effect.Effect<ActionResult, never, FlowServices>
  /** What its success adds to the orders of the run. */
  readonly creates?: CreatedOrder["kind"] | undefined
  /** What it changes of a recurring payment. */
  readonly change?: string
  /** The card's holder is absent and cannot be authenticated. */
  readonly isMerchantInitiated?: boolean
  /** Number of the card that pays, or that is kept. */
  readonly card?: string | undefined
}

/** An order that a action has made. */
export interface CreatedOrder {
  readonly account: Account
  readonly clientOrderId: string
  /** The order's identifier. For a card that is kept without an order it is the card's reference. */
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

/** What a action is drawn from. */
export interface DrawContext {
  readonly account: Account
  readonly chance: Chance
  /** The endpoint and currency of the payment. Absent: they are drawn. */
  readonly endpointCurrency?: EndpointCurrency
  /** How much; else that is drawn. */
  readonly amountMinor?: number
  /** For what is created: a name that nothing else in the world has. */
  readonly clientOrderId: string
  /** For what follows an order: unique in the run. */
  readonly name: string
  /** Orders of this account that were made, the youngest last. */
  readonly made: ReadonlyArray<CreatedOrder>
}

/** One row of the table of actions. */
export interface ActionKind {
  /** The name of the flow. */
  readonly flow: string
  /** How often it is drawn among the actions that create, or among those that follow. */
  readonly weight: number
  /** It is a program of the merchant's own: not one flow that an engine carries out. */
  readonly isProgram?: true
  /** Undefined: there is nothing yet that it could follow. */
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

/** Whether the gateway refused who asks, or when, before it looked at what is asked. */
const isNotAdmitted = (code: number): boolean =>
  code === codes.rateLimited.code || (code > 0 && code <= codes.operationNotEnabled.code)

export const resultOf = <A, E extends FlowError, R>(
  run: Effect.Effect<A, E, R>,
  tell: (success: A) => Pick<ActionResult, "orderId" | "made" | "problem">
): Effect.Effect<ActionResult, never, R> =>
  Effect.match(run, {
    onSuccess: (success) => ({ tag: "Succeeded", retryable: false, ...tell(success) }),
    onFailure: (error) => {
      const order = "order" in error ? error.order : undefined
      const tag = error._tag === "Refused" && isNotAdmitted(error.code ?? 0) ? "Unheard" : error._tag
      return { tag, orderId: order?.orderId, retryable: error.retryable }
    }
  })

export const orderResult = <A extends { readonly orderId: string }, E extends FlowError, R>(
  run: Effect.Effect<A, E, R>
) => resultOf(run, ({ orderId }) => ({ orderId }))

const tagOf = { NotSent: "Unreachable", OutcomeUnknown: "StillUnknown", InvalidRequest: "Refused" }

/** The end of a program that calls the gateway itself; what flows fail with has their names. */
export const programResult = <R>(
  run: Effect.Effect<Omit<ActionResult, "retryable">, FlowError | PayError, R>
): Effect.Effect<ActionResult, never, R> =>
  Effect.match(run, {
    onSuccess: (ended) => ({ ...ended, retryable: false }),
    onFailure: (error) => {
      const { _tag, retryable } = error
      if (_tag === "NotSent" || _tag === "OutcomeUnknown" || _tag === "InvalidRequest")
        return { tag: tagOf[_tag], orderId: undefined, retryable }
      const code = "errorCode" in error ? error.errorCode : "code" in error ? error.code : undefined
      return {
        tag: _tag === "Refused" && isNotAdmitted(Number(code ?? 0)) ? "Unheard" : _tag,
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

/** Younger orders are more interesting. */
export const someOrder = (
  { chance, made }: DrawContext,
  suits: (order: CreatedOrder) => boolean = () => true
): CreatedOrder | undefined => {
  const [first, ...others] = made.filter(suits).slice(-20)
  return first === undefined ? undefined : chance.oneOf([first, ...others])
}
