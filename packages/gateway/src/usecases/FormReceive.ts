/**
 * What a recipient does on the page of a payout: says where the money goes, or gives it up. One attempt at a time: whoever
 * comes with an older page, or twice, changes nothing and sees how the payout stands.
 */

import * as Canonical from "@pay/schema/Canonical"
import { declines } from "@pay/schema/Decline"
import type { FieldTexts } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { Agenda } from "../Agenda.ts"
import { Directory } from "../Directory.ts"
import * as Destination from "../domain/Destination.ts"
import { FormSession } from "../domain/entities/FormSession.ts"
import { Order } from "../domain/entities/Order.ts"
import { isOfRail, OrderRequest } from "../domain/entities/OrderRequest.ts"
import type * as FormAttempt from "../domain/FormAttempt.ts"
import * as PayoutEnding from "../domain/PayoutEnding.ts"
import * as PayoutForm from "../domain/PayoutForm.ts"
import * as PayoutLifecycle from "../domain/PayoutLifecycle.ts"
import * as Risk from "../domain/Risk.ts"
import { Ids } from "../ports/Ids.ts"
import { KeyVault } from "../ports/KeyVault.ts"
import { PayoutRail } from "../ports/PayoutRail.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { formOf } from "./FormOf.ts"
import { OrderLocks } from "./OrderLocks.ts"
import * as PayoutRisk from "./PayoutRisk.ts"
import * as Recipient from "./Recipient.ts"

export class FormReceive extends Context.Service<
  FormReceive,
  {
    /** Where the rail can pay to. */
    readonly ways: ReadonlyArray<Destination.Kind>
    /** `seen`: how many attempts the recipient's page knew of; `fields`: of a payout request, naming the destination. */
    readonly receive: (
      token: string,
      seen: number,
      fields: Redacted.Redacted<FieldTexts>
    ) => Effect.Effect<void, StoreUnavailable>
    readonly cancel: (token: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pay/gateway/FormReceive") {
  static readonly layer = Layer.effect(
    FormReceive,
    Effect.gen(function* () {
      const store = yield* Store
      const vault = yield* KeyVault
      const ids = yield* Ids
      const agenda = yield* Agenda
      const directory = yield* Directory
      const locks = yield* OrderLocks
      const rail = Option.getOrUndefined(yield* Effect.serviceOption(PayoutRail))

      /** Only an open page takes a destination or a cancellation, and only in time. */
      const open = Effect.fnUntraced(function* (token: string) {
        const session = yield* store.load(FormSession, [token])
        const order = session === undefined ? undefined : yield* store.load(Order, [session.orderId])
        const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
        const form = request === undefined ? undefined : yield* formOf(store, request)
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
      const act = Effect.fnUntraced(function* (next: FormAttempt.Next | undefined) {
        if (next === undefined) return
        const done = yield* store.commit(next.decision).pipe(
          Effect.as(true),
          Effect.catchTag("GuardFailed", () => Effect.succeed(false))
        )
        if (done) agenda.start(next.started)
      })

      const giveUp = Effect.fnUntraced(function* (token: string, reason: PayoutEnding.GivenUp) {
        const found = yield* open(token)
        if (found === undefined) return
        const { form, nowMs, order, request } = found
        const terms = { nowMs, claim: agenda.claim(nowMs, "callback") }
        const event = reason.filteredBy === undefined ? "abandon" : "filter"
        yield* act(PayoutEnding.giveUp(order, request, event, reason, terms, form))
      })

      /** By which a stored card's holder can be on a block list. */
      const cardHashOf = ({ merchantId }: Order, fields: Redacted.Redacted<FieldTexts>): string => {
        const card = Canonical.card(PayApi.operations.PAYOUT, Redacted.value(fields))
        return vault.cardHash(merchantId, Redacted.make(card, { label: "card" }))
      }

      const receive = Effect.fnUntraced(function* (token: string, seen: number, fields: Redacted.Redacted<FieldTexts>) {
        const found = yield* open(token)
        const destination = Destination.of(Redacted.value(fields))
        if (found === undefined || destination === undefined || found.form.session.attempts !== seen) return
        const { form, nowMs, order, request } = found
        const endpoint = directory.endpoint(order.endpointId)
        const facts = Recipient.facts(vault, destination, { ...order, purpose: form.session.purpose })
        const filteredBy =
          endpoint === undefined || !endpoint.enabled
            ? "endpoint-off"
            : PayoutRisk.judge(endpoint, { ...order, bin: facts.bin, cardHash: cardHashOf(order, fields) }, nowMs)
        if (filteredBy !== undefined) return yield* giveUp(token, { ...Risk.declineOf(filteredBy), filteredBy })
        const { merchantId, orderId } = order
        yield* act(
          PayoutForm.begin({
            order,
            request,
            session: form.session,
            payout: { ...facts, orderId, version: 1, merchantId, paidAtMs: null, createdAtMs: nowMs, erasedAtMs: null },
            attemptId: ids.next(),
            nowMs,
            claim: agenda.claim(nowMs, "rail")
          })
        )
      })

      return FormReceive.of({
        ways: Destination.kinds.filter((kind) => rail?.capabilities.destinations.has(kind) === true),
        receive: (token, seen, fields) => locks(token)(receive(token, seen, fields)),
        cancel: (token) => locks(token)(giveUp(token, declines.cancelledByCustomer))
      })
    })
  )
}
