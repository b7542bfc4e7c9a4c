/**
 * A new payout: the rows that are written when it is accepted, before the rail is called. Its amount is reserved in the same
 * commit. A balance that is too low and an exceeded limit of the endpoint are outcomes; the request is not refused
 * (docs/assumptions.md#payout-balance).
 */

import { declines } from "@pay/schema/Decline"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as LedgerTable from "../../kernel/LedgerTable.ts"
import type { Endpoint } from "../../merchants/Directory.ts"
import type { CustomerAddress } from "../../network/CustomerAddress.ts"
import * as Callbacks from "../../orders/decide/Callbacks.ts"
import * as Register from "../../orders/decide/Register.ts"
import type { RailAction } from "../../orders/record/Actions.ts"
import { Order, type PayoutKind } from "../../orders/record/Order.ts"
import { OrderRequest } from "../../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../../orders/record/PayoutLifecycle.ts"
import type * as Recipient from "../../recipients/Recipient.ts"
import * as Risk from "../../risk/Risk.ts"
import * as PayoutApproval from "./PayoutApproval.ts"

export interface Registration {
  /** The data of the order. A payout has no card, CVV or 3-D Secure of its own. */
  readonly opening: Omit<Register.Opening, "gate" | "initiator" | "encryptedCvv"> & { readonly kind: PayoutKind }
  readonly payout: Recipient.RecipientColumns
  /** The first action for the rail. `check`: the payout is made in two steps. */
  readonly action: RailAction
  /** Time until which a second approver may approve the payment; undefined if no approval is needed. */
  readonly approvalUntilMs: number | undefined
  /** Time at which a checked payout expires if the merchant does not pay it. */
  readonly lapsesAtMs: number
  readonly claim: (kind: Job["kind"]) => Jobs.Claim | undefined
}

/** The data of a payout whose destination is not known yet. */
export type PayoutStart = Pick<Registration, "opening" | "claim">

type Reason = { readonly code: number; readonly message: string }

/** Registers a payout that ends at once, with its order and its callbacks. */
const stopped = (
  { claim, opening }: PayoutStart,
  base: Order,
  event: "filter" | "decline",
  { code: errorCode, message: errorMessage }: Reason,
  registered: (order: Order, request: OrderRequest) => ReadonlyArray<Decision.Write>
): Register.Registered => {
  const { nowMs } = opening
  const progress = event === "filter" ? "filtered" : "declined"
  const state = PayoutLifecycle.after("registered", event)
  const order: Order = { ...base, state, errorCode, errorMessage, processedAtMs: nowMs }
  const request: OrderRequest = { ...requestOf(opening, order), progress, errorCode, errorMessage, finishedAtMs: nowMs }
  const callbacks = Callbacks.enqueue(order, request, nowMs, claim("callback"))
  return {
    order: callbacks.order,
    decision: { guards: guards(order), writes: [...registered(callbacks.order, request), ...callbacks.writes] }
  }
}

const guards = (order: Order): ReadonlyArray<Decision.Guard> => [
  Decision.absent(Order, "clientOrder", [order.merchantId, order.clientOrderId])
]

/** The payout is first reserved and then paid. */
const room = (order: Order): ReadonlyArray<Decision.Guard> =>
  LedgerTable.room(order, ["payoutHold", "payout"], order.amountMinor)

const requestOf = (opening: Registration["opening"], order: Order): OrderRequest =>
  Register.requestOf({ ...opening, ...ofMerchant }, order)

const ofMerchant = { initiator: "merchant", encryptedCvv: undefined, gate: undefined } as const

export const decide = (registration: Registration): Register.Registered => {
  const { action, approvalUntilMs, claim, lapsesAtMs, opening, payout } = registration
  const { filteredBy, nowMs, orderId, requestId } = opening
  const base: Order = { ...Register.orderOf({ ...opening, ...ofMerchant }), state: "registered" }
  const row = Register.recipientRow(opening, payout)
  const rows = (order: Order, request: OrderRequest): ReadonlyArray<Decision.Write> => [
    Decision.append(Order, order),
    Decision.append(OrderRequest, { ...request, action }),
    row
  ]
  if (filteredBy !== undefined) return stopped(registration, base, "filter", Risk.declineOf(filteredBy), rows)

  const waits = action === "pay" && approvalUntilMs !== undefined
  const order: Order = { ...base, state: PayoutLifecycle.after("registered", waits ? "wait" : action) }
  const request = requestOf(opening, order)
  const railClaim = waits ? undefined : claim("rail")
  const job = Jobs.make({ kind: "rail", subject: requestId, merchantId: order.merchantId, nowMs, claim: railClaim })
  const lapse = Jobs.make({ kind: "lapse", subject: orderId, merchantId: order.merchantId, nowMs, dueAtMs: lapsesAtMs })
  const available = LedgerTable.account(order, "payout_available")
  return {
    order,
    decision: {
      guards: [...guards(order), Decision.balanceAtLeast(available, order.amountMinor), ...room(order)],
      writes: [
        ...rows(order, request),
        ...LedgerTable.book(order, orderId, requestId, "payoutHold", order.amountMinor, nowMs),
        ...(action === "check" ? [Decision.append(Job, lapse)] : []),
        ...(waits ? PayoutApproval.begin(request, nowMs, approvalUntilMs) : [Decision.append(Job, job)])
      ]
    },
    ifBalanceTooLow: () => stopped(registration, base, "decline", declines.balanceTooLow, rows)
  }
}

/**
 * Registers a payout whose recipient enters the destination on a hosted page. Its amount is reserved from the start, so that it
 * can be paid later.
 */
export const openForm = (
  begun: PayoutStart,
  page: (ended: boolean) => ReadonlyArray<Decision.Write>
): Register.Registered => {
  const { opening } = begun
  const { filteredBy, nowMs, orderId, requestId } = opening
  const order: Order = { ...Register.orderOf({ ...opening, ...ofMerchant }), state: "registered" }
  const rows = (ended: boolean) => (row: Order, request: OrderRequest) => [
    Decision.append(Order, row),
    Decision.append(OrderRequest, { ...request, action: "check" as const }),
    ...page(ended)
  ]
  if (filteredBy !== undefined) return stopped(begun, order, "filter", Risk.declineOf(filteredBy), rows(true))
  const available = LedgerTable.account(order, "payout_available")
  return {
    order,
    decision: {
      guards: [...guards(order), Decision.balanceAtLeast(available, order.amountMinor), ...room(order)],
      writes: [
        ...rows(false)(order, requestOf(opening, order)),
        ...LedgerTable.book(order, orderId, requestId, "payoutHold", order.amountMinor, nowMs)
      ]
    },
    ifBalanceTooLow: () => stopped(begun, order, "decline", declines.balanceTooLow, rows(true))
  }
}

const noEntries = { card: [], email: [], address: [] } as const

/**
 * Returns the rule of the endpoint that stops a payout: its limit for payouts or a block list. Velocity rules count customers'
 * payments only. Undefined: none.
 */
export const judge = (
  endpoint: Endpoint,
  payout: {
    readonly amountMinor: number
    readonly currency: string
    readonly bin: string
    readonly cardHashes: ReadonlyArray<string>
    readonly email: string
    readonly ipAddress: CustomerAddress
  },
  nowMs: number
): string | undefined => {
  const { amountMinor, bin, cardHashes, currency, email, ipAddress } = payout
  return Risk.judge(
    { ...endpoint.risk, maxMinor: endpoint.payoutMaxMinor, velocity: [] },
    {
      bin,
      cardHashes,
      email,
      address: ipAddress,
      country: undefined,
      amountMinor,
      currency,
      nowMs,
      velocityEntries: noEntries
    }
  )
}
