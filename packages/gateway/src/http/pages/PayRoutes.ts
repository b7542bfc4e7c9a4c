/** `/pay/{token}`: the hosted page of an order. GET shows how it stands; POST pays, says where
 * a payout goes, or cancels, then shows it. */
import { Clock, Effect } from "effect"
import { SubmitCard, type Visit } from "../../hosted/SubmitCard.ts"
import { AuthClock } from "../../kernel/AuthClock.ts"
import * as ProcessLease from "../../kernel/ProcessLease.ts"
import { Settings } from "../../kernel/Settings.ts"
import { Directory } from "../../merchants/Directory.ts"
import * as CustomerAddress from "../../network/CustomerAddress.ts"
import * as RateLimit from "../../network/RateLimit.ts"
import { SubmitRecipient } from "../../payouts/SubmitRecipient.ts"
import type { PageAnswer, PageRequest } from "../Pages.ts"
import * as CardEntry from "./CardEntry.ts"
import * as CardPage from "./CardPage.ts"
import * as DestinationEntry from "./DestinationEntry.ts"
import * as DestinationPage from "./DestinationPage.ts"
import * as Layout from "./Layout.ts"
import * as Payment from "./Payment.ts"
import * as Phase from "./Phase.ts"
import * as ReturnForm from "./ReturnForm.ts"
import * as StatePage from "./StatePage.ts"
import * as Visitor from "./Visitor.ts"

const nothing: { readonly flaws: CardEntry.Flaws; readonly kept: CardEntry.Kept } = {
  flaws: {},
  kept: { expiry: "", holder: "" }
}

const blank: { readonly flaws: DestinationEntry.Flaws; readonly kept: DestinationEntry.Kept } = {
  flaws: {},
  kept: { way: undefined, recipient: "" }
}

export const make = Effect.gen(function* () {
  const form = yield* SubmitCard
  const receiving = yield* SubmitRecipient
  const show = yield* Layout.renderer
  const settings = yield* Settings
  const directory = yield* Directory
  const wallClock = yield* AuthClock
  const perSession = RateLimit.make(settings.sessionRate)
  const perAddress = yield* ProcessLease.sharedLimit(settings.attemptRate)

  const notice = (request: PageRequest, about: Parameters<typeof StatePage.notice>[1]) =>
    show(StatePage.notice(Visitor.language(request), about))

  const card = (
    request: PageRequest,
    { asksReceiver, merchant, order, session }: Visit,
    entered: typeof nothing
  ): PageAnswer =>
    show(
      CardPage.page(Visitor.language(request), {
        payment: Payment.of(order, merchant, directory.endpoint(order.endpointId)),
        attempts: session.attempts,
        attemptsLeft: session.attemptsAllowed - session.attempts,
        asksReceiver,
        ...entered
      })
    )

  const destination = (request: PageRequest, { merchant, order, session }: Visit, entered: typeof blank): PageAnswer =>
    show(
      DestinationPage.page(Visitor.language(request), {
        payment: Payment.of(order, merchant, directory.endpoint(order.endpointId)),
        ways: receiving.ways,
        attempts: session.attempts,
        attemptsLeft: session.attemptsAllowed - session.attempts,
        ...entered
      })
    )

  const look = (request: PageRequest, token: string, visit: Visit, phase: Phase.Phase): PageAnswer => {
    const { merchant, order, threedsToken } = visit
    const language = Visitor.language(request)
    const payment = Payment.of(order, merchant, directory.endpoint(order.endpointId))
    if (phase === "open")
      return order.kind === "payout" ? destination(request, visit, blank) : card(request, visit, nothing)
    if (phase === "issuer" && threedsToken !== undefined) {
      return Visitor.seeOther(`../3ds/${threedsToken}${Visitor.next(request)}`)
    }
    if (Phase.isState(phase)) {
      return show(StatePage.outcome(language, payment, phase, ReturnForm.make(order, merchant)))
    }
    const ask = { state: phase, url: `${token}/state`, next: Visitor.next(request) }
    const unknown = phase === "unknown" ? { back: ReturnForm.make(order, merchant) } : undefined
    return show(StatePage.waiting(language, payment, ask, unknown))
  }

  const act = Effect.fnUntraced(function* (request: PageRequest, token: string, visit: Visit, nowMs: number) {
    const read = Visitor.fields(request)
    const seeHere = Visitor.seeOther(Visitor.next(request))
    const isPayout = visit.order.kind === "payout"
    if (read("action") === "cancel") {
      yield* isPayout ? receiving.cancel(token) : form.cancel(token)
      return seeHere
    }
    if (read("attempts") !== String(visit.session.attempts)) return seeHere
    if (perAddress.take(CustomerAddress.network(request.remoteAddress), wallClock.nowMs()) !== undefined)
      return notice(request, "crowded")
    if (isPayout) {
      const checked = DestinationEntry.check(read, receiving.ways)
      if (checked._tag === "Flawed") return destination(request, visit, checked)
      yield* receiving.receive(token, visit.session.attempts, checked.fields)
      return seeHere
    }
    const checked = CardEntry.check(read, nowMs, visit.asksReceiver)
    if (checked._tag === "Flawed") return card(request, visit, checked)
    yield* form.pay(token, visit.session.attempts, checked.card, {
      ...Visitor.browser(request),
      ip: CustomerAddress.addressOf(visit.order.ipAddress)
    })
    return seeHere
  })

  return Effect.fnUntraced(function* (request: PageRequest, token: string, part: string) {
    const visit = yield* form.visit(token)
    if (visit === undefined) return notice(request, "missing")
    if (perSession.take(token, wallClock.nowMs()) !== undefined) return notice(request, "crowded")
    const nowMs = yield* Clock.currentTimeMillis
    const phase = Phase.ofSession(visit.order, visit.session, nowMs)
    if (part === "/state") return Visitor.plain(200, phase)
    if (part !== "") return notice(request, "missing")
    return request.method === "POST" && phase === "open"
      ? yield* act(request, token, visit, nowMs)
      : request.method === "POST"
        ? Visitor.seeOther(Visitor.next(request))
        : look(request, token, visit, phase)
  })
})
