/**
 * The steps that every operation that creates an order has in common (docs/assumptions.md#repeated-creations). They recognise a
 * repeated request, commit the order and the nonce together, and answer a request that lost a race with the order that won.
 */

import * as Canonical from "@pay/schema/Canonical"
import type { Dialect } from "@pay/schema/Dialect"
import {
  type ClientOrderName,
  clientOrder,
  type FieldProblem,
  type FieldTexts,
  type Operation
} from "@pay/schema/Operation"
import * as Status from "@pay/schema/Status"
import { Effect, Redacted, Result } from "effect"
import * as MerchantUrls from "../../callbacks/MerchantUrls.ts"
import { type Answer, type RequestRefused, refuse, refuseFields, tooMany } from "../../kernel/Answer.ts"
import type * as Decision from "../../kernel/Decision.ts"
import { Ids } from "../../kernel/Ids.ts"
import * as SerialNumber from "../../kernel/SerialNumber.ts"
import { Settings } from "../../kernel/Settings.ts"
import { GuardFailed, Store, type StoreUnavailable } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import {
  type Call,
  clientOrderIdOf,
  type Handler,
  nonceUsed,
  type Served,
  spend,
  withNonce
} from "../../merchants/Call.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import type * as Register from "../decide/Register.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { Order } from "../record/Order.ts"
import { OrderRequest } from "../record/OrderRequest.ts"
import { acknowledge } from "./Acknowledge.ts"
import { isOvertaken, RiskCheck } from "./RiskCheck.ts"

/** The reserved form of the numbers that recurring payments give their charges: `123:4`. */
const reserved = /^\d+:\d+$/

type Named = Parameters<typeof MerchantUrls.check>[0] & { readonly [Name in ClientOrderName]?: string | undefined }

/** Refuses a request for a new order if it contains an identifier or an address that may not be used. */
const check = (request: Named, settings: Settings): Result.Result<void, RequestRefused> => {
  const named = clientOrder(request)
  const clientOrderId = named?.id
  if (named !== undefined && reserved.test(named.id)) {
    const message = `Parameter ${named.field} must not be two numbers joined by a colon`
    return Result.fail(refuse("parameterInvalid", { field: named.field, clientOrderId, message }))
  }
  return MerchantUrls.check(request, settings, clientOrderId)
}

/** A decoded request for a new order, and a function that refuses it for a further reason. */
export interface DecodedRequest<R> {
  readonly request: R
  readonly clientOrderId: string | undefined
  readonly refused: (error: Parameters<typeof refuse>[0], field: string, message?: string) => RequestRefused
}

/** An operation whose requests decode to `R`. */
export interface Decodes<R> {
  decodeFields(fields: FieldTexts, dialect: Dialect): Result.Result<R, ReadonlyArray<FieldProblem>>
}

/** Decodes the fields of a request for a new order, and refuses what is not allowed in any order. */
export const open = <R extends Named>(
  operation: Decodes<R>,
  { dialect, fields }: Call,
  settings: Settings
): Effect.Effect<DecodedRequest<R>, RequestRefused> => {
  const clientOrderId = clientOrderIdOf(fields)
  const decoded = operation.decodeFields(fields, dialect)
  if (Result.isFailure(decoded)) return Effect.fail(refuseFields(decoded.failure, clientOrderId))
  const request = decoded.success
  const refused: DecodedRequest<R>["refused"] = (error, field, message) =>
    refuse(error, { field, clientOrderId, message })
  return Effect.as(Effect.fromResult(check(request, settings)), { request, clientOrderId, refused })
}

/** The message of the refusal of an amount that could take an account past `Decision.maxBalance`. */
export const noRoom = "amount would take the sum of this endpoint's payments past what an account can hold"

/**
 * Answers a request whose commit lost a guard: a refusal if an account has no room for the amount, a replay if another request
 * created the same order, else a refusal because of the nonce.
 */
export const answerLostGuard = Effect.fnUntraced(function* (
  store: Store["Service"],
  call: Call,
  guard: Decision.Guard,
  replay: Handler["replay"]
) {
  if (guard._tag === "BalanceHasRoom")
    return yield* refuse("amountTooLarge", {
      field: "amount",
      message: noRoom,
      clientOrderId: clientOrderIdOf(call.fields)
    })
  if (guard._tag === "Absent" && guard.entity === Order) {
    const answer: Answer | undefined = yield* replay(call)
    if (answer !== undefined) return yield* Effect.as(spend(store, call.nonce), answer)
  }
  return yield* nonceUsed()
})

/**
 * Returns the order that an earlier copy of this request created. Fails if a different request used the same
 * `client_orderid`.
 */
export const existing = Effect.fnUntraced(function* (
  store: Store["Service"],
  call: Call,
  fingerprint: (call: Call, like: string | undefined) => string
) {
  const named = clientOrder(call.fields)
  if (named === undefined) return undefined
  const order = yield* store.load(Order, [call.merchant.login, named.id], "clientOrder")
  if (order === undefined) return undefined
  const first = yield* store.load(OrderRequest, [order.requestId])
  if (first?.fingerprint !== fingerprint(call, first?.fingerprint)) {
    const { wire } = Lifecycle.states[order.state]
    const advice = Status.isFinal(wire) ? ` and is final: use a new ${named.field} for another payment` : ""
    const message = `Parameter ${named.field} was already used with other content; its order is ${wire}${advice}`
    return yield* refuse("contentDiffers", {
      message,
      field: named.field,
      clientOrderId: named.id,
      orderId: order.orderId
    })
  }
  return order
})

/** Keyed hashes of a request and its card. */
export interface Identity {
  /** Distinguishes a repetition of this request from a different request under the same `client_orderid`. */
  readonly fingerprint: string
  /** Keyed hash of the card in the request, by which the gateway recognises equal cards. */
  readonly cardHash: string
}

export interface Creation {
  readonly identify: (call: Call) => Identity
  readonly replay: Handler["replay"]
  /** Refuses an identifier or an address that may not be used. */
  readonly check: (request: Named) => Result.Result<void, RequestRefused>
  /** See {@link open}. */
  readonly open: <R extends Named>(
    operation: Decodes<R>,
    call: Call
  ) => Effect.Effect<DecodedRequest<R>, RequestRefused>
  /** Counts one attempt with the card. Fails if the card is used too often: a protection against card testing. */
  readonly countTry: (call: Call, pan: Redacted.Redacted<string>) => Effect.Effect<void, RequestRefused>
  readonly commit: (call: Call, registered: Register.Registered) => Served
  /** Fails with the lost guard if another payment has changed the basis of the verdict of {@link RiskCheck}. */
  readonly commitScreened: (
    call: Call,
    registered: Register.Registered
  ) => Effect.Effect<Answer, RequestRefused | StoreUnavailable | GuardFailed>
}

/** Builds the answer to a request when its order is committed. */
type AnswerBuilder = (order: Order, serialNumber: string) => Effect.Effect<Answer, StoreUnavailable>

export const make = Effect.fnUntraced(function* (
  operation: Operation,
  answerOf: AnswerBuilder = (order, serialNumber) => Effect.sync(() => acknowledge(order, serialNumber))
) {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const settings = yield* Settings
  const riskCheck = yield* RiskCheck

  /**
   * Returns the keyed hashes of a call. `like`: an earlier hash, whose version of the key is used, so that the two can
   * be compared.
   */
  const identify = (call: Call, like?: string): Identity => {
    const cardHash = vault.cardHash(call.merchant.login, Redacted.make(Canonical.card(operation, call.fields)), like)
    const content = `${call.route.pathId}\n${Canonical.content(operation, call.fields)}\n${cardHash}`
    return { cardHash, fingerprint: vault.fingerprint(call.merchant.login, content, like) }
  }

  const replay = Effect.fnUntraced(function* (call: Call) {
    const order = yield* existing(store, call, (call, like) => identify(call, like).fingerprint)
    return order === undefined ? undefined : yield* answerOf(order, SerialNumber.again(order.requestId, ids.salt()))
  })

  const countTry: Creation["countTry"] = (call, pan) =>
    Effect.suspend(() => {
      const retryAfterMs = riskCheck.tooOften(pan)
      return retryAfterMs === undefined
        ? Effect.void
        : Effect.fail(tooMany("payments with this card", retryAfterMs, clientOrderIdOf(call.fields)))
    })

  const commit: Creation["commit"] = (call, registered) => Transact.noneLost(commitScreened(call, registered))
  const commitScreened: Creation["commitScreened"] = (call, registered) =>
    Effect.suspend(() => attempt(call, registered))

  const attempt = Effect.fnUntraced(function* (call: Call, registered: Register.Registered) {
    const { decision, order, ifBalanceTooLow } = registered
    const lostGuard = yield* Transact.lostGuardOf(store, withNonce(decision, call))
    if (lostGuard === undefined) return yield* answerOf(order, SerialNumber.first(order.requestId))
    if (lostGuard._tag === "BalanceAtLeast" && ifBalanceTooLow !== undefined)
      return yield* commit(call, ifBalanceTooLow())
    if (isOvertaken(lostGuard)) return yield* new GuardFailed({ guard: lostGuard })
    return yield* answerLostGuard(store, call, lostGuard, replay)
  })

  return {
    identify,
    replay,
    check: (request) => check(request, settings),
    open: (operation, call) => open(operation, call, settings),
    countTry,
    commit,
    commitScreened
  } satisfies Creation
})
