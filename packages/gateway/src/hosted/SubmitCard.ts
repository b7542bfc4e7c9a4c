/**
 * What a customer does on a hosted page: looks, pays, cancels. One attempt at a time: whoever comes with an older page, or
 * twice, changes nothing and sees how the payment stands.
 */

import * as Canonical from "@pay/schema/Canonical"
import { declines } from "@pay/schema/Decline"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import * as CardFacts from "../kernel/CardFacts.ts"
import * as Change from "../kernel/Change.ts"
import { Ids } from "../kernel/Ids.ts"
import { KeyedLock } from "../kernel/KeyedLock.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { SecureRandom } from "../kernel/SecureRandom.ts"
import { GuardFailed, Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Directory, type Merchant } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import { AuthenticationGate } from "../orders/AuthenticationGate.ts"
import type { Browser } from "../orders/CustomerBrowser.ts"
import * as Lifecycle from "../orders/Lifecycle.ts"
import { Order } from "../orders/Order.ts"
import { isOfBank, OrderRequest } from "../orders/OrderRequest.ts"
import * as Register from "../orders/Register.ts"
import { isOvertaken, RiskCheck } from "../orders/RiskCheck.ts"
import * as FormerAttempts from "../orders/restored/FormerAttempts.ts"
import * as Destination from "../recipients/Destination.ts"
import { Payout } from "../recipients/Payout.ts"
import * as Risk from "../risk/Risk.ts"
import { Authentication } from "../threeds/Authentication.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as HostedAttempt from "./HostedAttempt.ts"
import * as HostedAttemptStart from "./HostedAttemptStart.ts"
import { HostedSession } from "./HostedSession.ts"
import { hostedSessionOf } from "./LoadHostedSession.ts"

/** A page's session as it stands. */
export interface Visit {
  readonly merchant: Merchant
  readonly order: Order
  readonly session: HostedSession
  /** The gateway's own page of 3-D Secure, while the customer has something to do there. */
  readonly threedsToken: string | undefined
  /** It is a transfer, and no card that receives the money is known yet. */
  readonly asksReceiver: boolean
}

export interface CardEntry {
  readonly pan: Redacted.Redacted<string>
  readonly cvv: Redacted.Redacted<string>
  readonly cardholder: string
  readonly expireMonth: number
  readonly expireYear: number
  /** The card that receives the money, where the page asks for it. */
  readonly receiver: Redacted.Redacted<string> | undefined
}

interface Opened {
  readonly order: Order
  readonly request: OrderRequest
  readonly form: HostedAttempt.Form
}

export class SubmitCard extends Context.Service<
  SubmitCard,
  {
    /** Undefined for a token that no session has. */
    readonly visit: (token: string) => Effect.Effect<Visit | undefined, StoreUnavailable>
    /** `seen`: how many attempts the customer's page knew of. */
    readonly pay: (
      token: string,
      attemptNumber: number,
      card: CardEntry,
      browser: Browser
    ) => Effect.Effect<void, StoreUnavailable>
    readonly cancel: (token: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("@pay/gateway/SubmitCard") {
  static readonly layer = Layer.effect(
    SubmitCard,
    Effect.gen(function* () {
      const store = yield* Store
      const vault = yield* KeyVault
      const ids = yield* Ids
      const scheduler = yield* Scheduler
      const random = yield* SecureRandom
      const directory = yield* Directory
      const locks = yield* KeyedLock
      const screening = yield* RiskCheck
      const formerTries = yield* FormerAttempts.make
      const { plan } = yield* AuthenticationGate

      const load = Effect.fnUntraced(function* (token: string) {
        const session = yield* store.load(HostedSession, [token])
        const order = session === undefined ? undefined : yield* store.load(Order, [session.orderId])
        const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
        const form = request === undefined ? undefined : yield* hostedSessionOf(store, request)
        return order === undefined || request === undefined || form === undefined ? undefined : { order, request, form }
      })

      /** Only an open order takes an attempt or a cancellation, and only in time. */
      const open = Effect.fnUntraced(function* (token: string) {
        const page = yield* load(token)
        if (page === undefined || Lifecycle.next(page.order.state, "abandon") === undefined) return undefined
        const nowMs = yield* Clock.currentTimeMillis
        return nowMs < page.form.session.expiresAtMs ? { ...page, nowMs } : undefined
      })

      /** Somebody else was faster: the page shows what they did. */
      const act = Effect.fnUntraced(function* ({ decision, started }: HostedAttempt.Next) {
        const lost = yield* Transact.lostOf(store, decision)
        if (lost === undefined) return scheduler.start(started, decision.writes)
        if (isOvertaken(lost)) return yield* new GuardFailed({ guard: lost })
      })

      /** Not where the former life of a restored copy was paid on this page, or may have been. */
      const giveUp = Effect.fnUntraced(function* (
        page: Opened,
        reason: Parameters<typeof HostedAttempt.giveUp>[1],
        nowMs: number
      ) {
        const { form, order, request } = page
        const taken = isOfBank(request) ? yield* formerTries(order, request, form.session.attemptsAllowed) : undefined
        if (taken === undefined) {
          return yield* act(
            HostedAttempt.giveUp(page, reason, nowMs, scheduler.claim(nowMs, "callback", order.merchantId))
          )
        }
        if (taken.answer._tag === "CannotSay") return
        yield* act(
          HostedAttempt.paidBefore(page, taken.sequence, nowMs, scheduler.claim(nowMs, "bank", order.merchantId))
        )
      })

      /** The card that receives the money of a transfer; undefined: no card is known yet. */
      const receiverOf = Effect.fnUntraced(function* (orderId: string) {
        const payout = yield* store.load(Payout, [orderId])
        return payout === undefined
          ? undefined
          : Destination.fromText(yield* Effect.orDie(vault.open(payout.sealedDestination, orderId))).number
      })

      const attempt = Effect.fnUntraced(function* (
        token: string,
        attemptNumber: number,
        card: CardEntry,
        browser: Browser
      ) {
        const page = yield* open(token)
        if (page === undefined || page.form.session.attempts !== attemptNumber) return
        const { form, nowMs, order, request } = page
        const endpoint = directory.endpoint(order.endpointId)
        const claim = scheduler.claim(nowMs, "bank", order.merchantId)
        if (endpoint === undefined || !endpoint.enabled) {
          return yield* giveUp(page, { ...declines.blocked, filteredBy: "endpoint-off" }, nowMs)
        }
        const { cardholder, cvv, expireMonth, expireYear, pan } = card
        const number = Redacted.value(pan)
        const { orderId } = order
        const threeds = plan(endpoint) !== "off"
        const hashed = Redacted.make(
          Canonical.card(PayApi.operations.SALE, {
            credit_card_number: number,
            expire_month: String(expireMonth),
            expire_year: String(expireYear)
          }),
          { label: "card" }
        )
        const panHash = vault.cardHash(order.merchantId, hashed)
        const authentication = threeds ? yield* store.load(Authentication, [orderId]) : undefined
        const entered = {
          order,
          request,
          session: form.session,
          authentication,
          attemptId: ids.next(),
          card: {
            ...CardFacts.of(number),
            cardholder,
            expireMonth,
            expireYear
          },
          sealedPan: vault.seal(pan, orderId),
          panHash,
          sealedCvv: vault.sealBriefly(cvv, orderId),
          threeds: threeds ? ({ mode: "gateway", pageToken: random.token(), browser } as const) : undefined,
          nowMs,
          claim
        }
        const isTransfer = order.kind === "transfer"
        const knownReceiver = isTransfer ? yield* receiverOf(orderId) : undefined
        const receiving = knownReceiver ?? (isTransfer ? card.receiver : undefined)
        if (isTransfer && receiving === undefined) return
        const receiverRows =
          receiving === undefined || knownReceiver !== undefined
            ? []
            : [Register.receiverRow(vault, receiving, order, nowMs)]
        const filtered = (filteredBy: string) => giveUp(page, { ...Risk.declineOf(filteredBy), filteredBy }, nowMs)
        if (screening.tooOften(pan) !== undefined) return yield* filtered("velocity:card-rate")
        const { amountMinor, currency, merchantId } = order
        const payer = {
          bin: entered.card.bin,
          cardHash: panHash,
          email: order.email,
          address: browser.ip ?? CustomerAddress.of(order.ipAddress),
          country: form.session.country ?? undefined
        }
        return yield* screening.screen(
          { ...payer, orderId, merchantId, endpoint, pan, receiving, amountMinor, currency },
          ({ filteredBy, marks }) => {
            if (filteredBy !== undefined) return filtered(filteredBy)
            const { decision, started } = HostedAttemptStart.begin(entered)
            return act({
              decision: Change.all({ ...decision, writes: [...decision.writes, ...receiverRows] }, marks),
              started
            })
          }
        )
      })

      const cancel = Effect.fnUntraced(function* (token: string) {
        const page = yield* open(token)
        if (page === undefined) return
        yield* giveUp(page, declines.cancelledByCustomer, page.nowMs)
      })

      const visit = Effect.fnUntraced(function* (token: string) {
        const session = yield* store.load(HostedSession, [token])
        const order = session === undefined ? undefined : yield* store.load(Order, [session.orderId])
        const merchant = order === undefined ? undefined : directory.merchant(order.merchantId)
        if (session === undefined || order === undefined || merchant === undefined) return undefined
        const inBrowser = Lifecycle.next(order.state, "reject") !== undefined
        const authentication = inBrowser ? yield* store.load(Authentication, [order.orderId]) : undefined
        const asksReceiver = order.kind === "transfer" && (yield* receiverOf(order.orderId)) === undefined
        return { merchant, order, session, threedsToken: authentication?.pageToken, asksReceiver } satisfies Visit
      })

      return SubmitCard.of({
        visit,
        pay: (token, attemptNumber, card, browser) =>
          locks(token)(Transact.noneLost(attempt(token, attemptNumber, card, browser))),
        cancel: (token) => locks(token)(Transact.noneLost(cancel(token)))
      })
    })
  )
}
