/**
 * The operation `update-recurring-payment`: another amount or card, pause, resume, cancel (docs/assumptions.md#schedules). It
 * sets the values in the request, so a repetition changes nothing and needs no key.
 */

import * as Money from "@pay/schema/Money"
import type { Request } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import type { UpdateRecurringPaymentResponse } from "@pay/schema/RecurringResponse"
import { Clock, Effect, Result } from "effect"
import { ok, refuse, refuseFields } from "../kernel/Answer.ts"
import { Ids } from "../kernel/Ids.ts"
import { KeyedLock } from "../kernel/KeyedLock.ts"
import * as SerialNumber from "../kernel/SerialNumber.ts"
import { Store } from "../kernel/Store.ts"
import { type Call, type Handler, settled, withNonce } from "../merchants/Call.ts"
import { Directory } from "../merchants/Directory.ts"
import * as EndpointRules from "../merchants/EndpointRules.ts"
import type { Subscription } from "./decide/Subscription.ts"
import { Occurrence } from "./decide/Subscription.ts"
import * as SubscriptionChange from "./decide/SubscriptionChange.ts"
import { lastOccurrence, ownSubscription } from "./LoadSubscription.ts"
import * as ReplacementCard from "./ReplacementCard.ts"
import * as SubscriptionStatus from "./SubscriptionStatus.ts"

const operation = PayApi.operations.UPDATE_RP_V4
export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const directory = yield* Directory
  const locks = yield* KeyedLock
  const cardOf = yield* ReplacementCard.make(operation)

  const answer = Effect.fnUntraced(function* (subscription: Subscription) {
    const body: UpdateRecurringPaymentResponse = {
      type: "update-recurring-payment-response",
      "serial-number": SerialNumber.first(ids.next()),
      ...(yield* SubscriptionStatus.of(store, subscription)),
      "end-point-id": subscription.endpointId
    }
    return ok(body)
  })

  /**
   * Applies the change. Occurrences that were due before it are skipped with it; if there are many, several commits skip them
   * first.
   */
  const change = Effect.fnUntraced(function* (
    call: Call,
    requested: SubscriptionChange.RequestedChange,
    loaded: Subscription
  ) {
    const { subscriptionId } = loaded
    let subscription = loaded
    while (true) {
      const occurrence = yield* store.load(Occurrence, [subscriptionId, subscription.next])
      const last = yield* lastOccurrence(store, subscriptionId)
      const nowMs = yield* Clock.currentTimeMillis
      const decided = SubscriptionChange.decide({ subscription, occurrence, last }, requested, nowMs)
      const changed = yield* Effect.fromResult(
        Result.mapError(decided, ({ error, field, message }) => refuse(error, { message, field }))
      )
      const { decision, isWhole } = changed
      yield* store.commit(isWhole ? withNonce(decision, call) : decision)
      subscription = changed.subscription
      if (isWhole) return subscription
    }
  })

  const attempt = Effect.fnUntraced(function* (call: Call, request: Request<typeof operation>) {
    const subscriptionId = request["recurring-payment-id"]
    const subscription = yield* ownSubscription(store, call.merchant.login, subscriptionId)
    if (subscription === undefined) {
      return yield* refuse("subscriptionNotFound", { field: "recurring-payment-id" })
    }
    const own = directory.endpoint(subscription.endpointId)
    if (own !== undefined && !EndpointRules.isListed(own, operation)) return yield* refuse("operationNotEnabled")
    const { currency } = subscription
    if (request.currency !== undefined && request.currency !== currency) {
      const message = `The recurring payment is in ${currency}`
      return yield* refuse("currencyMismatch", { field: "currency", message })
    }
    const amount = request.amount === undefined ? undefined : Money.toMinor(request.amount, currency)
    if (amount !== undefined && Result.isFailure(amount))
      return yield* refuse(Money.errorOf(amount.failure), { field: "amount" })
    const card = yield* cardOf(call, request, subscription)
    const requested = { change: request.change, amountMinor: amount?.success, card }
    return yield* answer(yield* change(call, requested, subscription))
  })

  const handler: Handler = {
    operation,
    replay: () => Effect.succeed(undefined),
    perform: (call) => {
      const decoded = operation.decodeFields(call.fields)
      if (Result.isFailure(decoded)) return Effect.fail(refuseFields(decoded.failure, undefined))
      const request = decoded.success
      return settled(locks(request["recurring-payment-id"]), attempt(call, request))
    },
    reads: false
  }
  return handler
})
