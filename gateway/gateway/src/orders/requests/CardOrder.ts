/**
 * Registers an order that a card pays, or whose card is checked: applies the risk rules of its endpoint and commits the order
 * with the encrypted card.
 */
import { Clock, Effect, type Redacted } from "effect"
import * as Change from "../../kernel/Change.ts"
import { Ids } from "../../kernel/Ids.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import * as Transact from "../../kernel/Transact.ts"
import type { Call } from "../../merchants/Call.ts"
import type { Endpoint } from "../../merchants/Directory.ts"
import * as Destination from "../../recipients/Destination.ts"
import * as Recipient from "../../recipients/Recipient.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import { type Authenticating, AuthenticationGate } from "../bank/AuthenticationGate.ts"
import * as Register from "../decide/Register.ts"
import * as CardKinds from "../record/CardKinds.ts"
import type { CardKind, Initiator } from "../record/Order.ts"
import type * as Payment from "../record/Payment.ts"
import type * as Creation from "./Creation.ts"
import * as FormerOrders from "./FormerOrders.ts"
import type { RiskVerdict } from "./JudgeRisk.ts"
import { OrderNumbers } from "./OrderNumbers.ts"
import { RiskCheck } from "./RiskCheck.ts"

export interface CardOrder {
  readonly kind: CardKind
  readonly initiator: Initiator
  /** How the payment uses a stored card, as a column of the order. */
  readonly credential?: string | undefined
  readonly endpoint: Endpoint
  readonly payment: Payment.Payment
  readonly pan: Redacted.Redacted<string>
  /** Keyed hash of the card; see {@link CardIdentity}. */
  readonly panHash: string
  /** Fingerprint of the request; by default it is computed from the content of the request. */
  readonly fingerprint?: string
  readonly cvv: Redacted.Redacted<string> | undefined
  /** The country of the payer's address, if the request has it. */
  readonly country: string | undefined
  /** The 3-D Secure settings; undefined: the payment goes to the bank without 3-D Secure. */
  readonly threeds: Authenticating | undefined
  /** The recurring payment that this order charges or starts. */
  readonly subscriptionId?: string
  /** Adds the changes that are committed together with the order, such as a new recurring payment. */
  readonly complete?: (registered: Register.Registered, nowMs: number) => Register.Registered
  /** Number of the card that receives the money of a transfer. */
  readonly recipient?: Redacted.Redacted<string> | undefined
}

export const make = Effect.fnUntraced(function* (creation: Creation.Creation) {
  const vault = yield* KeyVault
  const ids = yield* Ids
  const numbers = yield* OrderNumbers
  const scheduler = yield* Scheduler
  const authentication = yield* AuthenticationGate
  const riskCheck = yield* RiskCheck
  const adopt = yield* FormerOrders.orRefuse

  return Effect.fnUntraced(function* (call: Call, order: CardOrder) {
    const { country, cvv, endpoint, initiator, kind, pan, panHash, payment, recipient, threeds } = order
    const { amountMinor, bin, currency, email, ipAddress } = payment
    yield* creation.countTry(call, pan)
    const merchantId = call.merchant.login
    const adoption = yield* adopt(merchantId, payment.clientOrderId, {
      action: CardKinds.kinds[kind].action,
      amountsMinor: [amountMinor],
      currency
    })
    const orderId = adoption?.orderId ?? (yield* numbers.next(merchantId))
    const riskPayment = {
      orderId,
      merchantId,
      endpoint,
      pan,
      amountMinor,
      currency,
      bin,
      receiving: recipient,
      storedCard: initiator === "merchant" && kind !== "eligibility" ? panHash : undefined,
      email,
      address: ipAddress,
      country
    }
    const nowMs = yield* Clock.currentTimeMillis
    const register = (verdict: RiskVerdict) => {
      const registered = Register.decide({
        orderId,
        requestId: ids.next(),
        merchantId,
        ...Register.ofEndpoint(endpoint, currency, adoption),
        operation: call.operation.name,
        kind,
        initiator,
        credential: order.credential,
        fingerprint: order.fingerprint ?? creation.identify(call).fingerprint,
        idempotencyKey: null,
        payment,
        subscriptionId: order.subscriptionId,
        encryptedPan: vault.encrypt(pan, orderId),
        panHash,
        encryptedCvv: cvv === undefined ? undefined : vault.encryptShortLived(cvv, orderId),
        recipient:
          recipient === undefined
            ? undefined
            : Recipient.facts(vault, Destination.ofCard(recipient), { orderId, merchantId, purpose: null }),
        ...verdict,
        // An adopted booking passed 3-D Secure before the restore.
        gate: threeds === undefined || adoption !== undefined ? undefined : authentication.gate(threeds),
        nowMs,
        createdAtMs: adoption?.createdAtMs,
        claim: scheduler.claim(nowMs, verdict.filteredBy === undefined ? "bank" : "callback", merchantId)
      })
      const complete = order.complete?.(registered, nowMs) ?? registered
      return creation.commitScreened(call, adoption === undefined ? complete : adoption.complete(complete, nowMs))
    }
    return yield* Transact.noneLost(
      adoption === undefined
        ? riskCheck.screen(riskPayment, register)
        : register({ filteredBy: undefined, velocityEntries: Change.none })
    )
  })
})
