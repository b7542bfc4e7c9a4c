/**
 * Serves the operations that return the address of a hosted page. They register an order and its session in one commit. A
 * repeated request gets the same page, which shows the current status of the order.
 */

import type { AsyncCheckoutFormRedirect } from "@pay/schema/AsyncResponse"
import * as Money from "@pay/schema/Money"
import type { Operation } from "@pay/schema/Operation"
import { Clock, Effect, Result } from "effect"
import { type Answer, ok, type RequestRefused } from "../kernel/Answer.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { PublicAddress } from "../kernel/PublicAddress.ts"
import { SecureRandom } from "../kernel/SecureRandom.ts"
import * as SerialNumber from "../kernel/SerialNumber.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { type Call, type Handler, type Served, withNonce } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import { placeOf } from "../merchants/EndpointRules.ts"
import * as Register from "../orders/decide/Register.ts"
import type { Action } from "../orders/record/Actions.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import type { Order } from "../orders/record/Order.ts"
import * as Payment from "../orders/record/Payment.ts"
import * as CardIdentity from "../orders/requests/CardIdentity.ts"
import * as Creation from "../orders/requests/Creation.ts"
import * as FormerOrders from "../orders/requests/FormerOrders.ts"
import { OrderNumbers } from "../orders/requests/OrderNumbers.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import { HostedSession, openPage } from "./decide/HostedSession.ts"

/** The part of a page's order that both instruments register. */
export type Opening = Omit<Register.Opening, "kind" | "initiator" | "encryptedCvv" | "gate" | "filteredBy">

/** The order of a page before it is registered. */
export interface PageOrder<R> {
  readonly call: Call
  readonly request: R
  readonly endpoint: Endpoint
  readonly opening: Opening
  /** Whether the order adopts bookings from before a restore. */
  readonly isAdopted: boolean
  /** Returns the writes of the page. `ended`: the order is over before the page is visited. */
  readonly page: (ended: boolean) => ReadonlyArray<Decision.Write>
}

/** What the order of a page keeps of the terminal. */
export type Place = Pick<Order, "acquirer" | "terminal">

/** The fields of a request for a page, for every instrument. */
type Requested = Parameters<typeof Payment.of>[0] & { readonly client_orderid: string }

/** The differences between pages for a card and for a recipient when they are created. */
export interface Instrument<R> {
  /** The action of the bank or the rail once the page is completed. */
  readonly action: Action
  readonly about: (request: R) => Pick<HostedSession, "kind" | "country" | "purpose">
  /** Completes the registration of the order. Refuses requests that only the instrument can recognize as invalid. */
  readonly register: (
    call: Call,
    place: Place
  ) => Effect.Effect<(pageOrder: PageOrder<R>) => Register.Registered, RequestRefused | StoreUnavailable>
}

export const make = Effect.fnUntraced(function* <R extends Requested>(
  operation: Operation & Creation.Decodes<R>,
  instrument: Instrument<R>
) {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const numbers = yield* OrderNumbers
  const random = yield* SecureRandom
  const settings = yield* Settings
  const publicAddress = yield* PublicAddress
  const adopt = yield* FormerOrders.orRefuse

  const fingerprint = (call: Call, like?: string) => CardIdentity.contentFingerprint(vault, operation, call, like)

  const redirect = (order: Order, token: string, serialNumber: string): Answer => {
    const body: AsyncCheckoutFormRedirect = {
      type: "async-form-response",
      "serial-number": serialNumber,
      "merchant-order-id": order.clientOrderId,
      "paynet-order-id": order.orderId,
      "end-point-id": order.endpointId,
      status: Lifecycle.states[order.state].wire,
      "redirect-url": `${publicAddress.baseUrl()}/pay/${token}`
    }
    return ok(body)
  }

  /** Answers a repeated request with the address of the same page, which shows the order's current status. */
  const replay = Effect.fnUntraced(function* (call: Call) {
    const order = yield* Creation.existing(store, call, fingerprint)
    if (order === undefined) return undefined
    const session = yield* store.load(HostedSession, [order.orderId], "order")
    if (session === undefined) return yield* Effect.die(new Error(`order ${order.orderId} has no hosted session`))
    return redirect(order, session.token, SerialNumber.again(order.requestId, ids.salt()))
  })

  /** Commits the order and its page, and returns the page's address. */
  const open = (call: Call, registered: Register.Registered, token: string): Served =>
    Effect.gen(function* () {
      const { decision, order, ifBalanceTooLow } = registered
      const lost = yield* Transact.lostGuardOf(store, withNonce(decision, call))
      if (lost === undefined) return redirect(order, token, SerialNumber.first(order.requestId))
      return lost._tag === "BalanceAtLeast" && ifBalanceTooLow !== undefined
        ? yield* open(call, ifBalanceTooLow(), token)
        : yield* Creation.answerLostGuard(store, call, lost, replay)
    })

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const { refused, request } = yield* Creation.open(operation, call, settings)
    const place = placeOf(endpoints, call.fields.currency)
    if (place === undefined) return yield* refused("currencyNotEnabled", "currency")
    const { currency, endpoint } = place
    const amount = call.fields.amount === undefined ? Result.succeed(0) : Money.toMinor(call.fields.amount, currency)
    if (Result.isFailure(amount)) return yield* refused(Money.errorOf(amount.failure), "amount")
    const amountMinor = amount.success

    const register = yield* instrument.register(call, Register.placeOf(endpoint, currency))
    const nowMs = yield* Clock.currentTimeMillis
    const merchantId = call.merchant.login
    const adoption = yield* adopt(merchantId, request.client_orderid, {
      action: instrument.action,
      amountsMinor: [amountMinor],
      currency
    })
    const orderId = adoption?.orderId ?? (yield* numbers.next(merchantId))
    const session: HostedSession = {
      ...instrument.about(request),
      token: random.token(),
      version: 1,
      orderId,
      attempts: 0,
      maxAttempts: settings.sessionAttempts,
      attemptId: null,
      paying: 0,
      expiresAtMs: nowMs + settings.sessionMs,
      endedAtMs: null
    }
    const registered = register({
      call,
      request,
      endpoint,
      opening: {
        orderId,
        requestId: ids.next(),
        merchantId,
        ...Register.ofEndpoint(endpoint, currency, adoption),
        operation: operation.name,
        fingerprint: fingerprint(call),
        idempotencyKey: null,
        payment: Payment.of(request, { amountMinor, currency, ...Payment.dialectOf(call) }),
        nowMs,
        createdAtMs: adoption?.createdAtMs
      },
      isAdopted: adoption !== undefined,
      page: (ended) =>
        ended
          ? [Decision.append(HostedSession, { ...session, endedAtMs: nowMs })]
          : openPage(merchantId, session, nowMs)
    })
    return yield* open(call, adoption === undefined ? registered : adoption.complete(registered, nowMs), session.token)
  })

  const handler: Handler = { operation, replay, perform, reads: false }
  return handler
})
