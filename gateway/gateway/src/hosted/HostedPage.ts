/**
 * The actions on a hosted page: show, submit an entry, cancel, expire. A page has one attempt at a time. A visitor with an
 * outdated page, or one who submits twice, changes nothing and is shown the status of the order. A card that pays and the
 * recipient of a payout are two instruments of the same page.
 */
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { KeyedLock, type Locked } from "../kernel/KeyedLock.ts"
import { OrderGate } from "../kernel/OrderGate.ts"
import type { Rows } from "../kernel/Rows.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { GuardFailed, Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Directory, type Merchant } from "../merchants/Directory.ts"
import { isHosted, type Load } from "../orders/outcomes/Continuations.ts"
import type { Browser } from "../orders/record/CustomerBrowser.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import { isOvertaken } from "../orders/requests/RiskCheck.ts"
import { Authentication } from "../threeds/decide/Authentication.ts"
import * as HostedAttempt from "./decide/HostedAttempt.ts"
import { type EndReason, type Form, HostedSession, type OpenPage } from "./decide/HostedSession.ts"

/** The time of a change, and the claims for the jobs that it creates. */
export interface PageMoment {
  readonly nowMs: number
  readonly claim: (kind: "bank" | "callback" | "rail") => Jobs.Claim | undefined
}

/** What differs between a card that pays and a recipient of a payout while the page is open. */
export interface Instrument<R extends OrderRequest> {
  /** Whether the request belongs to an order of this instrument. */
  readonly isOf: (request: OrderRequest) => request is R
  /** Whether an order in this state waits for the visitor's entry. */
  readonly takesEntry: (order: Order) => boolean
  /** Whether an order in this state ends with the time of its page. */
  readonly endsInTime: (order: Order) => boolean
  /** Returns the decision that ends the order without a payment. `undefined`: the order no longer waits. */
  readonly giveUp: (page: OpenPage<R>, reason: EndReason, terms: PageMoment) => Decision.Decision | undefined
}

/** The operations on an open page that the entry of an instrument may use. */
export interface PageOperations<R extends OrderRequest> extends PageMoment {
  /** Commits the decision. If another request was faster, nothing changes. */
  readonly act: (decision: Decision.Decision | undefined) => Effect.Effect<void, GuardFailed | StoreUnavailable>
  /** Ends the page. */
  readonly giveUp: (page: OpenPage<R>, reason: EndReason) => Effect.Effect<void, GuardFailed | StoreUnavailable>
}

/** The actions of a visitor of an instrument's page. `Asks` describes what the page of an order requests. */
export interface Actions<Asks, Entry> {
  readonly asks: (order: Order) => Effect.Effect<Asks, StoreUnavailable>
  readonly submit: (visit: Visit, entry: Entry, browser: Browser) => Effect.Effect<void, StoreUnavailable>
  readonly cancel: (visit: Visit) => Effect.Effect<void, StoreUnavailable>
}

/** The hosted session of the order that a request created, with the record of its last attempt; undefined for other orders. */
export const formOf = Effect.fnUntraced(function* (rows: Rows, request: OrderRequest) {
  if (!isHosted(request)) return undefined
  const session = yield* rows.load(HostedSession, [request.orderId], "order")
  if (session === undefined) return undefined
  return { session, attempt: yield* attemptOf(rows, session) } satisfies Form
})

const attemptOf = (rows: Rows, { attemptId }: HostedSession) =>
  attemptId === null ? Effect.undefined : rows.load(OrderRequest, [attemptId])

/** Loads the continuation of an order: that of its hosted session, if the order has one. */
export const continuation: Load = (rows, _, request) =>
  Effect.map(formOf(rows, request), (form) => form && HostedAttempt.continuation(form))

/** The current state of a page: its merchant, order, session and last attempt. */
export interface Visit extends Form {
  readonly merchant: Merchant
  readonly order: Order
  /** Token of the gateway's own 3-D Secure page, while the customer has a step to do there. */
  readonly threedsToken: string | undefined
}

/** Returns the lookup of a page by its token; undefined for a token that no session has. */
export const visitByToken = Effect.gen(function* () {
  const store = yield* Store
  const directory = yield* Directory
  return Effect.fnUntraced(function* (token: string) {
    const session = yield* store.load(HostedSession, [token])
    const order = session === undefined ? undefined : yield* store.load(Order, [session.orderId])
    const merchant = order === undefined ? undefined : directory.merchant(order.merchantId)
    if (session === undefined || order === undefined || merchant === undefined) return undefined
    const inBrowser = Lifecycle.next(order.state, "reject") !== undefined
    const authentication = inBrowser ? yield* store.load(Authentication, [order.orderId]) : undefined
    const attempt = yield* attemptOf(store, session)
    return { merchant, order, session, attempt, threedsToken: authentication?.pageToken } satisfies Visit
  })
})

const termsOf = Effect.map(
  Scheduler,
  (scheduler) =>
    ({ merchantId }: Order) =>
      Effect.map(
        Clock.currentTimeMillis,
        (nowMs): PageMoment => ({ nowMs, claim: (kind) => scheduler.claim(nowMs, kind, merchantId) })
      )
)

/** Runs the work on one page at a time, so that an entry that is sent twice is read after the first one. */
export const oneAtATime = Effect.map(
  KeyedLock,
  (locks) =>
    (token: string): Locked =>
      locks(token)
)

/** Returns `submit` and `cancel` for the pages of an instrument. `enter` handles an entry for the instrument. */
export const make = Effect.fnUntraced(function* <R extends OrderRequest, Entry>(
  instrument: Instrument<R>,
  enter: (
    page: OpenPage<R>,
    entry: Entry,
    operations: PageOperations<R>,
    browser: Browser
  ) => Effect.Effect<void, GuardFailed | StoreUnavailable>
) {
  const store = yield* Store
  const gate = yield* OrderGate
  const terms = yield* termsOf

  /** Commits the decision. If another request was faster, nothing changes, and the page shows the result of that request. */
  const act = Effect.fnUntraced(function* (decision: Decision.Decision | undefined) {
    if (decision === undefined) return
    const lost = yield* Transact.lostGuardOf(store, decision)
    if (lost !== undefined && isOvertaken(lost)) return yield* new GuardFailed({ guard: lost })
  })

  const operationsAt = (at: PageMoment): PageOperations<R> => ({
    ...at,
    act,
    giveUp: (page, reason) => act(instrument.giveUp(page, reason, at))
  })

  /**
   * Runs a change on an open page before it expires. A page in another state ignores entries and cancellations, and so does each page
   * while the gate is closed.
   */
  const onOpen = (
    { attempt, order, session }: Visit,
    change: (page: OpenPage<R>, operations: PageOperations<R>) => Effect.Effect<void, GuardFailed | StoreUnavailable>
  ): Effect.Effect<void, StoreUnavailable> =>
    Transact.noneLost(
      Effect.gen(function* () {
        if (!instrument.takesEntry(order)) return
        if ((yield* gate.closedForMs(order.orderId)) !== undefined) return
        const at = yield* terms(order)
        if (at.nowMs >= session.expiresAtMs) return
        const request = yield* store.load(OrderRequest, [order.requestId])
        if (request === undefined || !instrument.isOf(request)) return
        yield* change({ order, request, form: { session, attempt } }, operationsAt(at))
      })
    )

  return {
    submit: (visit, entry, browser) => onOpen(visit, (page, operations) => enter(page, entry, operations, browser)),
    cancel: (visit) => onOpen(visit, (page, { giveUp }) => giveUp(page, declines.cancelledByCustomer))
  } satisfies Pick<Actions<unknown, Entry>, "submit" | "cancel">
})

/** Returns the handler for the job of a page whose time is over. While an attempt is under way, its outcome decides. */
export const expiry = Effect.fnUntraced(function* <R extends OrderRequest>(instrument: Instrument<R>) {
  const store = yield* Store
  const terms = yield* termsOf

  /**
   * Returns the decision that ends the page. `undefined`: the page cannot end yet, because an attempt is under way or has an
   * unknown outcome.
   */
  const end = ({ form, order, request }: OpenPage, at: PageMoment): Decision.Decision | undefined =>
    instrument.isOf(request) && instrument.endsInTime(order)
      ? instrument.giveUp({ order, request, form }, declines.sessionExpired, at)
      : undefined

  const run = Effect.fnUntraced(function* (job: Job, order: Order) {
    const request = yield* store.load(OrderRequest, [order.requestId])
    const form = request === undefined ? undefined : yield* formOf(store, request)
    if (request === undefined || form === undefined || Lifecycle.isFinal(order.state))
      return yield* store.commit(Jobs.ended(job))
    const at = yield* terms(order)
    const ended = end({ order, request, form }, at) ?? Change.writing(Decision.put(Job, Jobs.later(job, at.nowMs)))
    yield* store.commit({ ...ended, guards: [Decision.leaseOf(job), ...ended.guards] })
  })

  /** Handles the job. If a guard fails, the job stays leased, and is repeated with the current order when the lease ends. */
  return (job: Job, order: Order): Effect.Effect<void> =>
    Effect.catch(run(job, order), (error) => Effect.logDebug("The end of a hosted session has to wait", error))
})
