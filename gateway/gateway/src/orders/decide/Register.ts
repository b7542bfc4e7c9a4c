/**
 * A new card payment: the rows that are written when it is accepted, before the bank is called
 * (docs/assumptions.md#calls-to-the-bank). A payment that exceeds a limit of its endpoint gets the outcome `filtered`; its
 * request is not refused.
 */

import * as EmailAddress from "@pay/schema/EmailAddress"
import type { Redacted } from "effect"
import type * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as LedgerTable from "../../kernel/LedgerTable.ts"
import type { CallbackFormat, Endpoint } from "../../merchants/Directory.ts"
import * as Destination from "../../recipients/Destination.ts"
import * as Recipient from "../../recipients/Recipient.ts"
import { Payout } from "../../recipients/Recipient.ts"
import * as Risk from "../../risk/Risk.ts"
import type { KeyVault } from "../../vault/KeyVault.ts"
import type { Gate } from "../bank/AuthenticationGate.ts"
import { Card, Cvv } from "../record/Card.ts"
import * as CardKinds from "../record/CardKinds.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { type CardKind, type Initiator, isCardKind, type Kind, Order } from "../record/Order.ts"
import { OrderRequest } from "../record/OrderRequest.ts"
import type * as Payment from "../record/Payment.ts"
import * as AmountAttempts from "./AmountAttempts.ts"
import * as Callbacks from "./Callbacks.ts"

export interface Registration {
  readonly orderId: string
  readonly requestId: string
  readonly merchantId: string
  readonly endpointId: string
  /** The endpoint's descriptor: the text that the customer reads on the statement. */
  readonly descriptor: string | undefined
  /** `acquirer`: the name of the payment's acquirer. `terminal`: its terminal, as a column of the order. */
  readonly acquirer: string | null
  readonly terminal: string | null
  readonly callbackFormat: CallbackFormat
  readonly operation: string
  readonly kind: CardKind
  readonly initiator: Initiator
  /** How the payment uses a stored card, as a column of the order. */
  readonly credential?: string | undefined
  readonly fingerprint: string
  readonly idempotencyKey: string | null
  readonly payment: Payment.Payment
  /** The recurring payment that the order belongs to. */
  readonly subscriptionId?: string | undefined
  readonly encryptedPan: Uint8Array
  readonly panHash: string
  /** The encrypted CVV; undefined if the request has none. */
  readonly encryptedCvv: Uint8Array | undefined
  /** The card that receives the money of a transfer. */
  readonly recipient?: Recipient.RecipientColumns | undefined
  /** The rule of the endpoint that stops the payment; undefined if no rule does. */
  readonly filteredBy: string | undefined
  /**
   * The merchant's list of amounts, if there is one: the amounts after this one, and the amounts that rules stopped. The stopped
   * amounts include this one if a rule stopped it.
   */
  readonly amounts?: Amounts | undefined
  /** The changes to the counters of velocity rules. They are committed with an order that is not filtered. */
  readonly velocityEntries?: Change.Change
  /** The gate of 3-D Secure; undefined: the payment goes to the bank at once. */
  readonly gate: Gate | undefined
  readonly nowMs: number
  /** The creation time of an order that adopts bookings from before a restore. It defaults to the current time. */
  readonly createdAtMs?: number | undefined
  readonly claim: Jobs.Claim | undefined
}

export interface Amounts {
  readonly leftMinor: ReadonlyArray<number>
  readonly stopped: ReadonlyArray<AmountAttempts.Stopped>
}

export interface Registered {
  readonly order: Order
  readonly decision: Decision.Decision
  /** Returns the registration that replaces this one if a balance that the decision guards is too low. */
  readonly ifBalanceTooLow?: () => Registered
}

/** The data of an order and its first request, without the card or the recipient. */
export type Opening = Omit<Registration, "kind" | "encryptedPan" | "panHash" | "claim"> & { readonly kind: Kind }

const firstEvent = ({ filteredBy, gate }: Opening): Lifecycle.Event =>
  filteredBy !== undefined ? "filter" : gate === undefined ? "send" : "authenticate"

/**
 * What an order keeps of the endpoint that takes it, as the endpoint is then. `made`: an order that was already made keeps its acquirer.
 */
export const ofEndpoint = (
  endpoint: Endpoint,
  currency: string,
  made?: { readonly acquirer?: string | null | undefined }
) => ({
  endpointId: endpoint.id,
  callbackFormat: endpoint.callbackFormat,
  ...placeOf(endpoint, currency, made?.acquirer)
})

/** Returns what an order keeps of the terminal for its currency. `acquirer`: that of its payment, if it was already made. */
export const placeOf = (
  { descriptor, terminals }: Endpoint,
  currency: string,
  acquirer: string | null | undefined = undefined
) => {
  const terminal = terminals.find(
    (each) =>
      (each.currencies?.has(currency) ?? true) && (acquirer === undefined || acquirer === (each.acquirer ?? null))
  )
  return {
    descriptor: terminal?.descriptor ?? descriptor,
    acquirer: acquirer === undefined ? (terminal?.acquirer ?? null) : acquirer,
    terminal: terminal?.column ?? null
  }
}

/** Number of the attempt with which the order starts. */
const sequenceOf = ({ amounts, filteredBy }: Opening): number =>
  amounts === undefined ? 0 : amounts.stopped.length - (filteredBy === undefined ? 0 : 1)

export const orderOf = (registration: Opening): Order => ({
  ...registration.payment,
  customer: EmailAddress.customer(registration.payment.email),
  orderId: registration.orderId,
  version: 1,
  merchantId: registration.merchantId,
  endpointId: registration.endpointId,
  descriptor: registration.descriptor ?? null,
  acquirer: registration.acquirer,
  terminal: registration.terminal,
  callbackFormat: registration.callbackFormat,
  requestId: registration.requestId,
  kind: registration.kind,
  initiator: registration.initiator,
  credential: registration.credential ?? null,
  hasAuthentication: registration.gate === undefined || registration.filteredBy !== undefined ? 0 : 1,
  hasCvv: registration.encryptedCvv === undefined ? 0 : 1,
  filteredBy: registration.filteredBy ?? null,
  state: Lifecycle.next("registered", firstEvent(registration)) ?? "registered",
  remainingAmounts: registration.amounts === undefined ? null : AmountAttempts.toColumn(registration.amounts.leftMinor),
  authorizedMinor: 0,
  capturedMinor: 0,
  refundedMinor: 0,
  chargedBackMinor: 0,
  capturingMinor: 0,
  refundingMinor: 0,
  inFlightCount: 0,
  voiding: 0,
  sequence: sequenceOf(registration),
  errorCode: registration.filteredBy === undefined ? null : Risk.declineOf(registration.filteredBy).code,
  errorMessage: registration.filteredBy === undefined ? null : Risk.declineOf(registration.filteredBy).message,
  bankDetails: null,
  approvalCode: null,
  processorTxId: null,
  subscriptionId: registration.subscriptionId ?? null,
  eventCount: 0,
  createdAtMs: registration.createdAtMs ?? registration.nowMs,
  processedAtMs: registration.filteredBy === undefined ? null : registration.nowMs,
  holdUntilMs: null
})

export const requestOf = (registration: Opening, order: Order): OrderRequest => ({
  requestId: registration.requestId,
  merchantId: registration.merchantId,
  orderId: registration.orderId,
  operation: registration.operation,
  action: isCardKind(registration.kind) ? CardKinds.kinds[registration.kind].action : "pay",
  sequence: order.sequence,
  amountMinor: registration.payment.amountMinor,
  hasAmount: 1,
  progress: registration.filteredBy === undefined ? "processing" : "filtered",
  fingerprint: registration.fingerprint,
  idempotencyKey: registration.idempotencyKey,
  errorCode: order.errorCode,
  errorMessage: order.errorMessage,
  callbackUrl: registration.payment.callbackUrl,
  processorTxId: null,
  acceptedAtMs: registration.nowMs,
  finishedAtMs: registration.filteredBy === undefined ? null : registration.nowMs
})

/** Returns the guards that refuse an order whose approval could take an account past its limit. */
export const room = (order: Order): ReadonlyArray<Decision.Guard> => {
  const cause = isCardKind(order.kind) ? CardKinds.kinds[order.kind].cause : undefined
  return cause === undefined ? [] : LedgerTable.room(order, [cause], order.amountMinor)
}

/** Returns the write of the row with the destination of the money. */
export const recipientRow = (
  { merchantId, nowMs, orderId }: Pick<Opening, "merchantId" | "nowMs" | "orderId">,
  recipient: Recipient.RecipientColumns
): Decision.Write =>
  Decision.append(Payout, {
    ...recipient,
    orderId,
    version: 1,
    merchantId,
    paidAtMs: null,
    createdAtMs: nowMs,
    erasedAtMs: null
  })

/** Returns the write of the row with the card that receives the money of a transfer. */
export const receiverRow = (
  vault: KeyVault["Service"],
  pan: Redacted.Redacted<string>,
  { merchantId, orderId }: Pick<Order, "merchantId" | "orderId">,
  nowMs: number
): Decision.Write =>
  recipientRow(
    { merchantId, orderId, nowMs },
    Recipient.facts(vault, Destination.ofCard(pan), { orderId, merchantId, purpose: null })
  )

export const decide = (registration: Registration): Registered => {
  const { merchantId, nowMs, orderId, requestId } = registration
  const guards = [Decision.absent(Order, "clientOrder", [merchantId, registration.payment.clientOrderId])]
  const order = orderOf(registration)
  const request = requestOf(registration, order)
  const cards = [
    Decision.append(Card, {
      cardId: orderId,
      merchantId,
      encryptedPan: registration.encryptedPan,
      panHash: registration.panHash,
      createdAtMs: nowMs
    }),
    ...(registration.recipient === undefined ? [] : [recipientRow(registration, registration.recipient)])
  ]
  const stopped = AmountAttempts.recordsOf(request, registration.amounts?.stopped ?? [], 0, nowMs)
  if (registration.filteredBy !== undefined) {
    const callbacks = Callbacks.enqueue(order, request, nowMs, registration.claim)
    return {
      order: callbacks.order,
      decision: {
        guards,
        writes: [
          Decision.append(Order, callbacks.order),
          Decision.append(OrderRequest, request),
          ...cards,
          ...stopped,
          ...callbacks.writes
        ]
      }
    }
  }
  const opened = registration.gate?.(order, { nowMs, claim: registration.claim })
  const job =
    opened?.job ??
    Jobs.make({ kind: "bank", subject: requestId, merchantId: order.merchantId, nowMs, claim: registration.claim })
  return {
    order,
    decision: {
      guards: [...guards, ...room(order), ...(registration.velocityEntries?.guards ?? [])],
      writes: [
        Decision.append(Order, order),
        Decision.append(OrderRequest, request),
        ...cards,
        ...(registration.encryptedCvv === undefined
          ? []
          : [Decision.append(Cvv, { cardId: orderId, encryptedCvv: registration.encryptedCvv, createdAtMs: nowMs })]),
        ...(opened?.writes ?? []),
        ...stopped,
        ...(registration.velocityEntries?.writes ?? []),
        Decision.append(Job, job)
      ]
    }
  }
}
