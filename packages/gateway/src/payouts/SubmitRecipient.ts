/**
 * What a recipient does on the page of a payout: says where the money goes, or gives it up. One attempt at a time: whoever
 * comes with an older page, or twice, changes nothing and sees how the payout stands.
 */

import * as Canonical from "@pay/schema/Canonical"
import * as CardRules from "@pay/schema/Card"
import { declines } from "@pay/schema/Decline"
import type { FieldTexts } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import type * as HostedAttempt from "../hosted/HostedAttempt.ts"
import { HostedSession } from "../hosted/HostedSession.ts"
import { hostedSessionOf } from "../hosted/LoadHostedSession.ts"
import { Ids } from "../kernel/Ids.ts"
import { KeyedLock } from "../kernel/KeyedLock.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Directory } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import * as CardIdentity from "../orders/CardIdentity.ts"
import { Order } from "../orders/Order.ts"
import { isOfRail, OrderRequest } from "../orders/OrderRequest.ts"
import * as PayoutLifecycle from "../orders/PayoutLifecycle.ts"
import { RiskCheck } from "../orders/RiskCheck.ts"
import * as Destination from "../recipients/Destination.ts"
import { Payout } from "../recipients/Payout.ts"
import * as Recipient from "../recipients/Recipient.ts"
import * as Risk from "../risk/Risk.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as FormerPayout from "./FormerPayout.ts"
import * as FormerPayoutAttempts from "./FormerPayoutAttempts.ts"
import * as PayoutEnd from "./PayoutEnd.ts"
import * as PayoutForm from "./PayoutForm.ts"
import { PayoutRail } from "./PayoutRail.ts"
import * as PayoutRisk from "./PayoutRisk.ts"

export class SubmitRecipient extends Context.Service<
  SubmitRecipient,
  {
    /** The kinds of destination that the rail can pay to. */
    readonly ways: ReadonlyArray<Destination.Kind>
    /** `seen`: how many attempts the recipient's page knew of; `fields`: of a payout request, naming the destination. */
    readonly receive: (
      token: string,
      shownAttempt: number,
      fields: Redacted.Redacted<FieldTexts>
    ) => Effect.Effect<void, StoreUnavailable>
    readonly cancel: (token: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pay/gateway/SubmitRecipient") {
  static readonly layer = Layer.effect(
    SubmitRecipient,
    Effect.gen(function* () {
      const store = yield* Store
      const vault = yield* KeyVault
      const ids = yield* Ids
      const scheduler = yield* Scheduler
      const directory = yield* Directory
      const locks = yield* KeyedLock
      const screening = yield* RiskCheck
      const formerPayments = yield* FormerPayoutAttempts.make
      const rail = Option.getOrUndefined(yield* Effect.serviceOption(PayoutRail))

      /** Only an open page takes a destination or a cancellation, and only in time. */
      const open = Effect.fnUntraced(function* (token: string) {
        const session = yield* store.load(HostedSession, [token])
        const order = session === undefined ? undefined : yield* store.load(Order, [session.orderId])
        const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
        const form = request === undefined ? undefined : yield* hostedSessionOf(store, request)
        const nowMs = yield* Clock.currentTimeMillis
        return order !== undefined &&
          request !== undefined &&
          form !== undefined &&
          isOfRail(request) &&
          PayoutLifecycle.next(order.state, "check") !== undefined &&
          nowMs < form.session.expiresAtMs
          ? { order, request, form, nowMs }
          : undefined
      })

      /** Somebody else was faster: the page shows what they did. */
      const act = Effect.fnUntraced(function* (next: HostedAttempt.Next | undefined) {
        if (next === undefined) return
        if ((yield* Transact.lostOf(store, next.decision)) === undefined)
          scheduler.start(next.started, next.decision.writes)
      })

      /** Not where the former life of a restored copy had it paid, or may have. */
      const unpaid = Effect.fnUntraced(function* (page: Effect.Success<ReturnType<typeof open>>) {
        const former = page === undefined ? undefined : yield* formerPayments(page)
        if (page === undefined || former === undefined) return page
        if (former.answer._tag === "CannotSay") return undefined
        const { nowMs } = page
        return yield* act(
          FormerPayout.paidBefore(page, former.sequence, nowMs, scheduler.claim(nowMs, "rail", page.order.merchantId))
        )
      })

      const giveUp = Effect.fnUntraced(function* (
        { form, nowMs, order, request }: NonNullable<Effect.Success<ReturnType<typeof open>>>,
        reason: PayoutEnd.GivenUp
      ) {
        const terms = { nowMs, claim: scheduler.claim(nowMs, "callback", order.merchantId) }
        const event = reason.filteredBy === undefined ? "abandon" : "filter"
        yield* act(PayoutEnd.giveUp(order, request, event, reason, terms, form))
      })

      /** Which rule stops a payout to this recipient. */
      const judge = (
        order: Order,
        destination: Destination.Destination,
        fields: Redacted.Redacted<FieldTexts>,
        nowMs: number
      ): string | undefined => {
        const { kind, number } = destination
        const endpoint = directory.endpoint(order.endpointId)
        if (endpoint === undefined || !endpoint.enabled) return "endpoint-off"
        const ipAddress = CustomerAddress.of(order.ipAddress)
        if (kind !== "card") return PayoutRisk.judge(endpoint, { ...order, ipAddress, bin: "", cardHashes: [] }, nowMs)
        if (screening.tooOften(number) !== undefined) return "velocity:card-rate"
        const card = Canonical.card(PayApi.operations.PAYOUT, Redacted.value(fields))
        const cardHashes = [
          vault.cardHash(order.merchantId, Redacted.make(card, { label: "card" })),
          ...CardIdentity.listed(vault, endpoint.risk, order.merchantId, number)
        ]
        const bin = CardRules.bin(Redacted.value(number))
        return PayoutRisk.judge(endpoint, { ...order, ipAddress, bin, cardHashes }, nowMs)
      }

      const receive = Effect.fnUntraced(function* (
        token: string,
        shownAttempt: number,
        fields: Redacted.Redacted<FieldTexts>
      ) {
        const current = yield* open(token)
        const destination = Destination.of(Redacted.value(fields))
        if (current === undefined || destination === undefined || current.form.session.attempts !== shownAttempt) return
        const page = yield* unpaid(current)
        if (page === undefined) return
        const { form, nowMs, order, request } = page
        const filteredBy = judge(order, destination, fields, nowMs)
        if (filteredBy !== undefined) return yield* giveUp(page, { ...Risk.declineOf(filteredBy), filteredBy })
        const { merchantId, orderId } = order
        const facts = Recipient.facts(vault, destination, { orderId, merchantId, purpose: form.session.purpose })
        const former = yield* store.load(Payout, [orderId])
        yield* act(
          PayoutForm.begin({
            order,
            request,
            session: form.session,
            former,
            payout: { ...facts, orderId, merchantId, paidAtMs: null, createdAtMs: nowMs, erasedAtMs: null },
            attemptId: ids.next(),
            nowMs,
            claim: scheduler.claim(nowMs, "rail", order.merchantId)
          })
        )
      })

      const cancel = Effect.fnUntraced(function* (token: string) {
        const page = yield* unpaid(yield* open(token))
        if (page !== undefined) yield* giveUp(page, declines.cancelledByCustomer)
      })

      return SubmitRecipient.of({
        ways: Destination.kinds.filter((kind) => rail?.capabilities.destinations.has(kind) === true),
        receive: (token, shownAttempt, fields) => locks(token)(receive(token, shownAttempt, fields)),
        cancel: (token) => locks(token)(cancel(token))
      })
    })
  )
}
