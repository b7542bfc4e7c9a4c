/**
 * Creates the callbacks to the merchant, in the same commit that makes an outcome final
 * (docs/assumptions.md#callback-delivery).
 */

import type { Callback } from "@pay/schema/Callback"
import { CallbackEvent } from "../../callbacks/decide/CallbackEvent.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import type { Order } from "../record/Order.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"
import * as CallbackContent from "./CallbackContent.ts"

export interface CallbackWrites {
  /** The order, with `eventCount` increased by the new callbacks. */
  readonly order: Order
  readonly writes: ReadonlyArray<Decision.Write>
}

interface Announced {
  readonly requestId: string
  readonly content: () => Callback
  readonly urls: ReadonlySet<string>
}

/** Creates a callback for each address. Its content is fixed here, so that every attempt sends the same. */
const announce = (
  order: Order,
  { content, requestId, urls }: Announced,
  nowMs: number,
  claim: Jobs.Claim | undefined
): CallbackWrites => {
  const writes: Array<Decision.Write> = []
  let sequence = order.eventCount
  for (const url of urls) {
    sequence += 1
    const eventId = `${order.orderId}-${sequence}`
    const job = Jobs.make({ kind: "callback", subject: eventId, merchantId: order.merchantId, nowMs, claim })
    writes.push(
      Decision.append(CallbackEvent, {
        eventId,
        merchantId: order.merchantId,
        orderId: order.orderId,
        requestId,
        sequence,
        url,
        format: order.callbackFormat,
        query: CallbackContent.query(content()),
        delivery: "pending",
        tries: 0,
        queuedAtMs: nowMs,
        triesBefore: 0,
        lastResult: null,
        createdAtMs: nowMs,
        deliveredAtMs: null
      }),
      Decision.append(Job, job)
    )
  }
  return { order: { ...order, eventCount: sequence }, writes }
}

/**
 * Creates one callback for each address: the request's `server_callback_url` (else the order's) and the order's `notify_url`.
 */
export const enqueue = (
  order: Order,
  request: OrderRequest,
  nowMs: number,
  claim: Jobs.Claim | undefined
): CallbackWrites => {
  const urls = new Set<string>()
  const requestUrl = request.callbackUrl ?? order.callbackUrl
  if (requestUrl !== null) urls.add(requestUrl)
  if (order.notifyUrl !== null) urls.add(order.notifyUrl)
  const { requestId } = request
  return announce(order, { requestId, urls, content: () => CallbackContent.ofRequest(order, request) }, nowMs, claim)
}

/**
 * Creates the callback about a dispute that moved money of the order. Only `notify_url` gets it: a receiver at `server_callback_url`
 * expects the outcome of its payment, which a dispute does not change.
 */
export const ofDispute = (
  order: Order,
  disputed: CallbackContent.Disputed,
  nowMs: number,
  claim: Jobs.Claim | undefined
): CallbackWrites => {
  const { notifyUrl, requestId } = order
  const urls = new Set(notifyUrl === null ? [] : [notifyUrl])
  return announce(order, { requestId, urls, content: () => CallbackContent.ofDispute(order, disputed) }, nowMs, claim)
}

/** Creates no callback, because the merchant already has this outcome. */
export const noCallbacks = (order: Order): CallbackWrites => ({ order, writes: [] })
