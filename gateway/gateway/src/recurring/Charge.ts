/** Registers the charge of an occurrence as an ordinary order, with the card and the amount of its recurring payment. */
import { Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import { Ids } from "../kernel/Ids.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import * as Register from "../orders/decide/Register.ts"
import * as StoredCredential from "../orders/record/StoredCredential.ts"
import type { RiskVerdict } from "../orders/requests/JudgeRisk.ts"
import { RiskCheck } from "../orders/requests/RiskCheck.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as ChargeNumber from "./ChargeNumber.ts"
import * as Billing from "./decide/Billing.ts"
import * as BillingDecisions from "./decide/BillingDecisions.ts"
import * as BillingPayment from "./decide/BillingPayment.ts"
import { dialectOf } from "./LoadSubscription.ts"

/** A charge that was already made: its order, and how its registration is completed. It is not screened. */
export interface Made {
  readonly orderId: string
  readonly createdAtMs: number
  readonly acquirer?: string | null | undefined
  readonly complete: (registered: Register.Registered) => Register.Registered
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const { next: numberOf } = yield* ChargeNumber.make
  const scheduler = yield* Scheduler
  const screening = yield* RiskCheck

  const screened = (
    { subscription }: BillingDecisions.BillingContext,
    endpoint: Endpoint,
    orderId: string,
    amountMinor: number
  ) =>
    Effect.map(Effect.orDie(vault.decrypt(subscription.encryptedPan, subscription.subscriptionId)), (pan) => ({
      orderId,
      merchantId: subscription.merchantId,
      endpoint,
      pan,
      amountMinor,
      currency: subscription.currency,
      bin: subscription.bin,
      email: subscription.email,
      address: CustomerAddress.of(subscription.ipAddress),
      country: subscription.country,
      storedCard: subscription.panHash
    }))

  const charge = Effect.fnUntraced(function* (
    context: BillingDecisions.BillingContext,
    endpoint: Endpoint,
    made?: Made
  ) {
    const { nowMs } = context
    const { orderId, subscription } = { ...context, ...(made ?? (yield* numberOf(context.subscription))) }
    const payment = yield* screened(context, endpoint, orderId, subscription.amountMinor)
    const dialect = yield* dialectOf(store, subscription)
    const registerCharge = (verdict: RiskVerdict) => {
      const registered = Register.decide({
        orderId,
        requestId: ids.next(),
        merchantId: subscription.merchantId,
        ...Register.ofEndpoint(endpoint, subscription.currency, made),
        operation: Billing.chargeOperation,
        kind: "sale",
        initiator: "merchant",
        credential: StoredCredential.of({ ...subscription, use: "use", series: "recurring" }),
        fingerprint: "",
        idempotencyKey: null,
        payment: BillingPayment.of(subscription, {
          ...dialect,
          clientOrderId: BillingDecisions.clientOrderIdOf(subscription)
        }),
        subscriptionId: subscription.subscriptionId,
        encryptedPan: vault.encrypt(payment.pan, orderId),
        panHash: subscription.panHash,
        encryptedCvv: undefined,
        ...verdict,
        gate: undefined,
        nowMs,
        createdAtMs: made?.createdAtMs,
        claim: scheduler.claim(nowMs, verdict.filteredBy === undefined ? "bank" : "callback", subscription.merchantId)
      })
      const complete = made === undefined ? registered : made.complete(registered)
      return store.commit(BillingDecisions.charge({ ...context, subscription }, complete))
    }
    yield* made === undefined
      ? Effect.catchIf(screening.screen(payment, registerCharge), Transact.isWithoutRoom, () =>
          registerCharge({ filteredBy: "max-amount", velocityEntries: Change.none })
        )
      : registerCharge({ filteredBy: undefined, velocityEntries: Change.none })
  })

  return { screened, charge }
})
