/**
 * `/3ds/{token}`: the browser's steps of 3-D Secure, and the addresses to which issuers return the browser: `/method` inside the
 * hidden frame, `/challenge` with `cres`, `/pares` with `PaRes` and `MD`. These requests only report that a step has ended.
 */
import { Effect } from "effect"
import { HostedSession } from "../../hosted/decide/HostedSession.ts"
import { AuthClock } from "../../kernel/AuthClock.ts"
import { Settings } from "../../kernel/Settings.ts"
import { Store, type StoreUnavailable } from "../../kernel/Store.ts"
import { Directory, type Merchant } from "../../merchants/Directory.ts"
import * as RateLimit from "../../network/RateLimit.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import type { Progress, Step, StepRefused } from "../../threeds/ThreeDSSteps.ts"
import * as ThreeDSSteps from "../../threeds/ThreeDSSteps.ts"
import type { PageAnswer, PageRequest } from "../Pages.ts"
import * as BrowserInput from "./BrowserInput.ts"
import * as Layout from "./Layout.ts"
import * as Payment from "./Payment.ts"
import * as Phase from "./Phase.ts"
import * as ReturnForm from "./ReturnForm.ts"
import * as StatePage from "./StatePage.ts"
import * as ThreeDSPage from "./ThreeDSPage.ts"

export const make = Effect.gen(function* () {
  const steps = yield* ThreeDSSteps.make
  const store = yield* Store
  const directory = yield* Directory
  const show = yield* Layout.renderer
  const wallClock = yield* AuthClock
  const settings = yield* Settings
  const perSession = RateLimit.make(settings.sessionRate)

  const notice = (request: PageRequest, about: Parameters<typeof StatePage.notice>[1]) =>
    show(StatePage.notice(BrowserInput.language(request), about))

  const look = (
    request: BrowserInput.Visit,
    token: string,
    merchant: Merchant,
    { order, step }: Progress
  ): PageAnswer => {
    const language = BrowserInput.language(request)
    const payment = Payment.of(order, merchant, directory.endpoint(order.endpointId))
    const ask = { state: step._tag, url: `${request.root}3ds/${token}/state`, next: BrowserInput.next(request) }
    switch (step._tag) {
      case "Method":
        return show(ThreeDSPage.method(language, payment, step, ask))
      case "Challenge":
        return show(
          ThreeDSPage.onward(language, payment, step.acsUrl, [
            ["creq", step.creq],
            ...BrowserInput.sessionData(request)
          ])
        )
      case "PaReq": {
        const { acsUrl, md, pareq, termUrl } = step
        const fields = [
          ["PaReq", pareq] as const,
          ["MD", md] as const,
          ["TermUrl", BrowserInput.inLanguage(request, termUrl)] as const
        ]
        return show(ThreeDSPage.onward(language, payment, acsUrl, fields))
      }
      case "Waiting":
        return show(StatePage.waiting(language, payment, ask))
      case "Done": {
        const phase = Phase.ofOrder(order)
        const back = ReturnForm.make(order, merchant)
        return show(
          Phase.isState(phase)
            ? StatePage.outcome(language, payment, phase, back)
            : StatePage.waiting(language, payment, ask, { back })
        )
      }
    }
  }

  /**
   * Passes the issuer's result to the step. The customer is then shown the state of the payment, or that the result was refused.
   */
  const reportResult = (request: PageRequest, progress: Progress, part: string) => {
    const read = BrowserInput.fields(request)
    switch (part) {
      case "/method":
        return steps.methodEnded(progress, "Y", BrowserInput.browser(request))
      case "/challenge":
        return steps.challengeEnded(progress, read("cres"))
      default:
        return steps.paresArrived(progress, read("PaRes"), read("MD") || undefined)
    }
  }

  return Effect.fnUntraced(function* (request: BrowserInput.Visit, token: string, part: string) {
    const progress = yield* steps.byPageToken(token)
    const merchant = progress === undefined ? undefined : directory.merchant(progress.order.merchantId)
    if (progress === undefined || merchant === undefined) return notice(request, "missing")
    if (perSession.take(token, wallClock.nowMs()) !== undefined) return notice(request, "crowded")
    if (part !== "" && part !== "/state") {
      // A request without a form contains no result.
      const isRefused = request.method !== "POST" || (yield* isRefusedBy(reportResult(request, progress, part)))
      if (part === "/method") return framed
      if (isRefused && leadsToIssuer((yield* steps.byPageToken(token))?.step)) {
        const payment = Payment.of(progress.order, merchant, directory.endpoint(progress.order.endpointId))
        return show(ThreeDSPage.refused(BrowserInput.language(request), payment, `${request.root}3ds/${token}`))
      }
      return BrowserInput.seeOther(`${request.root}3ds/${token}${BrowserInput.next(request)}`)
    }
    const { order } = progress
    const session =
      Lifecycle.next(order.state, "reject") === undefined
        ? yield* store.load(HostedSession, [order.orderId], "order")
        : undefined
    if (part === "/state") return BrowserInput.plain(200, session === undefined ? progress.step._tag : "Elsewhere")
    return session === undefined
      ? look(request, token, merchant, progress)
      : BrowserInput.seeOther(`${request.root}pay/${session.token}${BrowserInput.next(request)}`)
  })
})

const isRefusedBy = (reporting: Effect.Effect<void, StepRefused | StoreUnavailable>) =>
  reporting.pipe(
    Effect.as(false),
    Effect.catchTag("StepRefused", ({ message }) =>
      Effect.as(Effect.logInfo("What an issuer's page sent was refused", message), true)
    )
  )

/**
 * Whether the payment's page would send the browser to the issuer by itself. After a refused result, only the customer does so.
 */
const leadsToIssuer = (step: Step | undefined): boolean => step?._tag === "Challenge" || step?._tag === "PaReq"

/** The empty answer inside the hidden frame. The page around it polls the state. */
const framed: PageAnswer = {
  status: 200,
  headers: {
    ...Layout.headers,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
  },
  body: "<!doctype html><title>-</title>"
}
