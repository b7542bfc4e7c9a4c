/**
 * The actions of a second approver: reads a payout that waits, approves it or rejects it. The signature must be that of one
 * of the merchant's approvers, over this order, this amount and this recipient. Only one decision takes effect.
 */

import { generateKeyPairSync, type KeyObject } from "node:crypto"
import * as Money from "@pay/schema/Money"
import * as Statement from "@pay/signing/Approval"
import { Clock, Data, Effect } from "effect"
import * as HostedPage from "../hosted/HostedPage.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import { Ids } from "../kernel/Ids.ts"
import type { Cursor } from "../kernel/KeysetPage.ts"
import { OrderGate } from "../kernel/OrderGate.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Directory } from "../merchants/Directory.ts"
import type { Order } from "../orders/record/Order.ts"
import { isOfRail, OrderRequest, type RailRequest } from "../orders/record/OrderRequest.ts"
import { isWaiting } from "./decide/Approval.ts"
import * as PayoutApproval from "./decide/PayoutApproval.ts"
import * as WaitingPayouts from "./WaitingPayouts.ts"

/**
 * `Unknown`: the order or the approver does not exist, or the signature is not valid; the answer does not disclose which.
 * `Skewed`: a request to read was signed too long ago. `Differs`: the signed statement is not about the payout that waits.
 * `Decided`: the payout no longer waits. `Busy`: other requests changed it each time.
 */
export class ApprovalRefused extends Data.TaggedError("ApprovalRefused")<{
  readonly reason: "Unknown" | "Skewed" | "Differs" | "Decided" | "Busy"
  readonly message: string
}> {}

/** Returns the amount as an approver reads and signs it. */
export const amountOf = ({ amountMinor, currency }: Pick<Order, "amountMinor" | "currency">): string =>
  `${Money.fromMinor(amountMinor, currency)} ${currency}`

const unknown = new ApprovalRefused({
  reason: "Unknown",
  message: "no payout with this number waits for this approver, or the signature is not theirs"
})

const unknownApprover = new ApprovalRefused({
  reason: "Unknown",
  message: "this merchant has no such approver, or the signature is not theirs"
})

const closed = new ApprovalRefused({
  reason: "Busy",
  message: "this gateway first learns what was paid before it was put back from a copy: try again later"
})

const states = { approve: "approved", reject: "rejected" } as const

export const make = Effect.gen(function* () {
  const store = yield* Store
  const gate = yield* OrderGate
  const directory = yield* Directory
  const scheduler = yield* Scheduler
  const ids = yield* Ids
  const wallClock = yield* AuthClock
  const { clockSkewMs } = yield* Settings
  const waiting = yield* WaitingPayouts.make
  /**
   * A key that no approver has. The signature of an unknown approver is verified with it, so that both cases take the same
   * steps.
   */
  const unknownKey: KeyObject = generateKeyPairSync("ed25519").publicKey

  const load = (orderId: string) => WaitingPayouts.loadWaiting(store, directory, orderId)

  /** Returns the payout if the statement has a valid signature of one of the merchant's approvers. */
  const proved = Effect.fnUntraced(function* (
    statement: Statement.Statement | Statement.ReadRequest,
    signature: string
  ) {
    const payoutToApprove = yield* load(statement.orderId)
    const approver = payoutToApprove?.merchant.approvers.find(({ name }) => name === statement.approver)
    const holds = Statement.verify(statement, signature, approver?.key ?? unknownKey)
    return payoutToApprove === undefined || approver === undefined || !holds ? yield* unknown : payoutToApprove
  })

  const fresh = Effect.fnUntraced(function* ({ timestampSeconds }: Statement.ReadRequest | Statement.ListRequest) {
    const skewMs = wallClock.nowMs() - timestampSeconds * 1000
    if (Math.abs(skewMs) <= clockSkewMs) return
    const message = `this was signed ${Math.round(skewMs / 1000)} s ago; check the clock and sign again`
    return yield* new ApprovalRefused({ reason: "Skewed", message })
  })

  const look = Effect.fnUntraced(function* (statement: Statement.ReadRequest, signature: string) {
    const payoutToApprove = yield* proved(statement, signature)
    yield* fresh(statement)
    return payoutToApprove
  })

  const list = Effect.fnUntraced(function* (
    statement: Statement.ListRequest,
    signature: string,
    { after, limit }: { readonly limit: number; readonly after: Cursor | undefined }
  ) {
    const merchant = directory.merchant(statement.merchant)
    const approver = merchant?.approvers.find(({ name }) => name === statement.approver)
    const holds = Statement.verify(statement, signature, approver?.key ?? unknownKey)
    if (merchant === undefined || approver === undefined || !holds) return yield* unknownApprover
    yield* fresh(statement)
    return yield* waiting(merchant.login, limit, after)
  })

  const requestOf = Effect.fnUntraced(function* ({ approval }: WaitingPayouts.WaitingPayout) {
    const request = yield* store.load(OrderRequest, [approval.requestId])
    return request !== undefined && isOfRail(request)
      ? request
      : yield* Effect.die(new Error(`the approval of order ${approval.orderId} names no payment`))
  })

  const attempt = Effect.fnUntraced(function* (statement: Statement.Statement, signature: string) {
    const payoutToApprove = yield* proved(statement, signature)
    const { approval, order, payout } = payoutToApprove
    if (statement.amount !== amountOf(order) || statement.recipient !== payout.recipient) {
      const message = "amount or recipient are not what waits; look again before you sign"
      return yield* new ApprovalRefused({ reason: "Differs", message })
    }
    if (approval.state === states[statement.decision]) return payoutToApprove
    if ((yield* gate.closedForMs(order.orderId)) !== undefined) return yield* closed
    const nowMs = yield* Clock.currentTimeMillis
    const signed = { approver: statement.approver, signature }
    const terms = {
      nowMs,
      auditId: ids.next(),
      claim: (kind: Parameters<typeof scheduler.claim>[1]) => scheduler.claim(nowMs, kind, order.merchantId)
    }
    const request: RailRequest = yield* requestOf(payoutToApprove)
    const form = yield* HostedPage.formOf(store, request)
    const decision = isWaiting(approval)
      ? PayoutApproval[statement.decision]({ approval, order, request, form }, signed, terms)
      : undefined
    if (decision === undefined) {
      const state = isWaiting(approval) ? "out of time" : approval.state
      const message = `the payout no longer waits: it is ${state}`
      return yield* new ApprovalRefused({ reason: "Decided", message })
    }
    yield* store.commit(decision)
    return (yield* load(order.orderId)) ?? payoutToApprove
  })

  const decide = (statement: Statement.Statement, signature: string) =>
    Transact.transact({
      attempt: attempt(statement, signature),
      exhausted: () =>
        Effect.fail(new ApprovalRefused({ reason: "Busy", message: "others changed it each time; try again" }))
    })

  return { list, look, decide }
})
