/**
 * `/pay/{token}`: the hosted page of an order. GET shows its state. POST submits a card or the destination of a payout, or
 * cancels, and then redirects to the page.
 */
import { Clock, Effect } from "effect"
import * as HostedPage from "../../hosted/HostedPage.ts"
import * as SubmitCard from "../../hosted/SubmitCard.ts"
import { AuthClock } from "../../kernel/AuthClock.ts"
import * as ProcessLease from "../../kernel/ProcessLease.ts"
import { Settings } from "../../kernel/Settings.ts"
import type { StoreUnavailable } from "../../kernel/Store.ts"
import { Directory } from "../../merchants/Directory.ts"
import * as CustomerAddress from "../../network/CustomerAddress.ts"
import * as RateLimit from "../../network/RateLimit.ts"
import { AuthenticationGate } from "../../orders/bank/AuthenticationGate.ts"
import * as SubmitRecipient from "../../payouts/SubmitRecipient.ts"
import type { PageAnswer, PageRequest } from "../Pages.ts"
import * as BrowserInput from "./BrowserInput.ts"
import * as CardEntry from "./CardEntry.ts"
import * as CardPage from "./CardPage.ts"
import * as DestinationEntry from "./DestinationEntry.ts"
import * as DestinationPage from "./DestinationPage.ts"
import type * as EntryForm from "./EntryForm.ts"
import type * as Language from "./Language.ts"
import * as Layout from "./Layout.ts"
import * as Payment from "./Payment.ts"
import * as Phase from "./Phase.ts"
import * as ReturnForm from "./ReturnForm.ts"
import * as StatePage from "./StatePage.ts"

/** Renders the page of one instrument, and submits its entry. */
interface InstrumentPage {
  readonly open: (
    language: Language.Language,
    view: EntryForm.View,
    visit: HostedPage.Visit
  ) => Effect.Effect<Layout.HtmlPage, StoreUnavailable>
  /**
   * Returns the page again if the entry has flaws; `undefined` if the entry was submitted. `read` returns fields of the request.
   */
  readonly enter: (
    request: PageRequest,
    read: (name: string) => string,
    view: EntryForm.View,
    visit: HostedPage.Visit,
    nowMs: number
  ) => Effect.Effect<Layout.HtmlPage | undefined, StoreUnavailable>
  readonly cancel: (visit: HostedPage.Visit) => Effect.Effect<void, StoreUnavailable>
}

const makeInstrumentPage = <Asks, Retry extends object, Entry>(
  { asks, cancel, submit }: HostedPage.Actions<Asks, Entry>,
  blank: Retry,
  page: (language: Language.Language, view: EntryForm.View & Asks & Retry) => Layout.HtmlPage,
  check: (read: (name: string) => string, asks: Asks, nowMs: number) => EntryForm.Checked<Entry, Retry>
): InstrumentPage => ({
  cancel,
  open: (language, view, { order }) =>
    Effect.map(asks(order), (facts) => page(language, { ...view, ...facts, ...blank })),
  enter: Effect.fnUntraced(function* (request, read, view, visit, nowMs) {
    const { order } = visit
    const facts = yield* asks(order)
    const checked = check(read, facts, nowMs)
    if (checked._tag === "Flawed") return page(BrowserInput.language(request), { ...view, ...facts, ...checked })
    yield* submit(visit, checked.entry, {
      ...BrowserInput.browser(request),
      ip: CustomerAddress.addressOf(order.ipAddress)
    })
    return undefined
  })
})

const cardRetry: CardEntry.Retry = { flaws: {}, kept: { expiry: "", holder: "" } }
const recipientRetry: DestinationEntry.Retry = { flaws: {}, kept: { way: undefined, recipient: "" } }

/** The two instruments of a hosted page. */
const makeInstrumentPages = Effect.gen(function* () {
  return {
    card: makeInstrumentPage(yield* SubmitCard.make, cardRetry, CardPage.page, (read, { asksReceiver }, nowMs) =>
      CardEntry.check(read, nowMs, asksReceiver)
    ),
    recipient: makeInstrumentPage(
      yield* SubmitRecipient.make,
      recipientRetry,
      DestinationPage.page,
      (read, { payout, ways }) => DestinationEntry.check(read, ways, payout)
    )
  }
})

export const make = Effect.gen(function* () {
  const visitByToken = yield* HostedPage.visitByToken
  const oneAtATime = yield* HostedPage.oneAtATime
  const { card, recipient } = yield* makeInstrumentPages
  const show = yield* Layout.renderer
  const settings = yield* Settings
  const directory = yield* Directory
  const wallClock = yield* AuthClock
  const { plan } = yield* AuthenticationGate
  const perSession = RateLimit.make(settings.sessionRate)
  const perAddress = yield* ProcessLease.sharedLimit(settings.attemptRate)

  const notice = (request: PageRequest, about: Parameters<typeof StatePage.notice>[1]) =>
    show(StatePage.notice(BrowserInput.language(request), about))

  const instrumentPageOf = ({ kind }: HostedPage.Visit["order"]): InstrumentPage =>
    kind === "payout" ? recipient : card

  const paymentOf = ({ merchant, order }: HostedPage.Visit) =>
    Payment.of(order, merchant, directory.endpoint(order.endpointId))

  const viewOf = (request: PageRequest, visit: HostedPage.Visit): EntryForm.View => {
    const { attempts, maxAttempts } = visit.session
    const endpoint = directory.endpoint(visit.order.endpointId)
    return {
      payment: paymentOf(visit),
      attempts,
      attemptsLeft: maxAttempts - attempts,
      failure: Phase.ofAttempt(visit.attempt?.errorCode ?? null),
      isEncrypted: request.publicBaseUrl.startsWith("https:"),
      isAuthenticated: endpoint !== undefined && plan(endpoint) !== "off"
    }
  }

  const showPage = Effect.fnUntraced(function* (
    request: BrowserInput.Visit,
    visit: HostedPage.Visit,
    phase: Phase.Phase
  ) {
    const { merchant, order, session, threedsToken } = visit
    const language = BrowserInput.language(request)
    if (phase === "open") return show(yield* instrumentPageOf(order).open(language, viewOf(request, visit), visit))
    if (phase === "issuer" && threedsToken !== undefined) {
      return BrowserInput.seeOther(`${request.root}3ds/${threedsToken}${BrowserInput.next(request)}`)
    }
    const payment = paymentOf(visit)
    if (Phase.isState(phase)) {
      return show(StatePage.outcome(language, payment, phase, ReturnForm.make(order, merchant)))
    }
    const ask = { state: phase, url: `${request.root}pay/${session.token}/state`, next: BrowserInput.next(request) }
    const unknown = phase === "unknown" ? { back: ReturnForm.make(order, merchant) } : undefined
    return show(StatePage.waiting(language, payment, ask, unknown))
  })

  const submitForm = Effect.fnUntraced(function* (request: PageRequest, visit: HostedPage.Visit, nowMs: number) {
    const { order, session } = visit
    const read = BrowserInput.fields(request)
    const reload: PageAnswer = BrowserInput.seeOther(BrowserInput.next(request))
    if (read("action") === "cancel") return yield* Effect.as(instrumentPageOf(order).cancel(visit), reload)
    if (read("attempts") !== String(session.attempts)) return reload
    if (perAddress.take(CustomerAddress.network(request.remoteAddress), wallClock.nowMs()) !== undefined)
      return notice(request, "crowded")
    const flawedPage = yield* instrumentPageOf(order).enter(request, read, viewOf(request, visit), visit, nowMs)
    return flawedPage === undefined ? reload : show(flawedPage)
  })

  const answer = Effect.fnUntraced(function* (request: BrowserInput.Visit, token: string, part: string) {
    const visit = yield* visitByToken(token)
    if (visit === undefined) return notice(request, "missing")
    if (perSession.take(token, wallClock.nowMs()) !== undefined) return notice(request, "crowded")
    const nowMs = yield* Clock.currentTimeMillis
    const phase = Phase.ofSession(visit.order, visit.session, nowMs)
    if (part === "/state") return BrowserInput.plain(200, phase)
    if (part !== "") return notice(request, "missing")
    return request.method === "POST" && phase === "open"
      ? yield* submitForm(request, visit, nowMs)
      : request.method === "POST"
        ? BrowserInput.seeOther(BrowserInput.next(request))
        : yield* showPage(request, visit, phase)
  })

  return (request: BrowserInput.Visit, token: string, part: string) =>
    request.method === "POST" ? oneAtATime(token)(answer(request, token, part)) : answer(request, token, part)
})
