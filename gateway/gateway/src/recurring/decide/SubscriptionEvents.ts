/**
 * Callbacks about a recurring payment in addition to those about the outcomes of its charges: occurrences that were
 * skipped, and states that ended. Each event is sent once to each address of the order that created it, with the day of the
 * occurrence.
 */
import * as Callback from "@pay/schema/Callback"
import * as Money from "@pay/schema/Money"
import * as Form from "@pay/signing/Form"
import { CallbackEvent } from "../../callbacks/decide/CallbackEvent.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import type { Subscription } from "./Subscription.ts"

export interface Reason {
  readonly code?: number | undefined
  readonly message: string
}

export interface Event {
  /** The callback's `status`. */
  readonly status: "skipped" | "suspended" | "finished" | "card_expiring"
  /** The occurrence's day, `YYYY-MM-DD`. */
  readonly day?: string | undefined
  readonly reason?: Reason | undefined
}

/** The callback's `type`. */
export const type = "recurring"

const query = (subscription: Subscription, { day, reason, status }: Event): string => {
  const { amountMinor, clientOrderId, currency, orderId, subscriptionId } = subscription
  const callback: Callback.Callback = {
    status,
    orderid: orderId,
    client_orderid: clientOrderId,
    type,
    amount: Money.fromMinor(amountMinor, currency),
    currency,
    "recurring-payment-id": subscriptionId,
    ...(day === undefined ? {} : { "charge-date": day }),
    ...(reason?.code === undefined ? {} : { error_code: String(reason.code) }),
    ...(reason === undefined ? {} : { error_message: reason.message })
  }
  return Form.write(Callback.parameters(callback, "").filter(([name]) => name !== "control"))
}

export interface Notifications {
  /** The subscription, with `eventCount` increased by the new callbacks. */
  readonly subscription: Subscription
  readonly writes: ReadonlyArray<Decision.Write>
}

/** Creates the callbacks of events, for the commit that they report. They are sent when the scheduler next loads jobs. */
export const announce = (subscription: Subscription, events: ReadonlyArray<Event>, nowMs: number): Notifications => {
  const { callbackFormat, callbackUrl, merchantId, notifyUrl, subscriptionId } = subscription
  const urls = new Set([callbackUrl, notifyUrl].filter((url) => url !== null))
  const writes: Array<Decision.Write> = []
  let sequence = subscription.eventCount
  for (const event of events) {
    for (const url of urls) {
      sequence += 1
      const eventId = `${subscriptionId}-${sequence}`
      writes.push(
        Decision.append(CallbackEvent, {
          eventId,
          merchantId,
          orderId: subscriptionId,
          requestId: subscriptionId,
          sequence,
          url,
          format: callbackFormat,
          query: query(subscription, event),
          delivery: "pending",
          tries: 0,
          queuedAtMs: nowMs,
          triesBefore: 0,
          lastResult: null,
          createdAtMs: nowMs,
          deliveredAtMs: null
        }),
        Decision.put(Job, Jobs.make({ kind: "callback", subject: eventId, merchantId: subscription.merchantId, nowMs }))
      )
    }
  }
  return { subscription: { ...subscription, eventCount: sequence }, writes }
}
