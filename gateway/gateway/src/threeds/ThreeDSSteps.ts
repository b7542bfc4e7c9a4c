/**
 * The steps of a browser in 3-D Secure, for the gateway's own pages: which step comes now, and that a step has ended. A result
 * that passed the browser is never trusted: a CRes only proves that the challenge has ended, a PaRes counts only with the
 * issuer's signature (docs/assumptions.md#results-of-3-d-secure).
 */
import type * as ErrorCode from "@pay/schema/ErrorCode"
import { Clock, Data, Effect } from "effect"
import { PublicAddress } from "../kernel/PublicAddress.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import { Order } from "../orders/record/Order.ts"
import * as AdvanceAuthentication from "./AdvanceAuthentication.ts"
import { Authentication } from "./decide/Authentication.ts"
import * as ThreeDSAddresses from "./decide/ThreeDSAddresses.ts"
import * as ThreeDSAnswer from "./decide/ThreeDSAnswer.ts"
import * as ThreeDSPaRes from "./ThreeDSPaRes.ts"
import type { Browser } from "./ThreeDSServer.ts"

/** The next action of the browser. */
export type Step =
  /** Load the step again in a moment: a request to the issuer or to the bank is in flight. */
  | { readonly _tag: "Waiting" }
  /** Post `threeDSMethodData` to `url` in a hidden frame. The step ends at `deadlineMs` (business time) at the latest. */
  | { readonly _tag: "Method"; readonly url: string; readonly data: string; readonly deadlineMs: number }
  /** Post `creq` to `acsUrl`; the browser comes back with `cres` to the address of the challenge. */
  | { readonly _tag: "Challenge"; readonly acsUrl: string; readonly creq: string }
  /** Post `PaReq`, `MD` and `TermUrl` to `acsUrl`; the browser comes back with `PaRes` and `MD` to `termUrl`. */
  | {
      readonly _tag: "PaReq"
      readonly acsUrl: string
      readonly pareq: string
      readonly md: string
      readonly termUrl: string
    }
  /** No action: the order has its outcome, or its outcome is `unknown`. The browser returns to `order.redirectUrl`. */
  | { readonly _tag: "Done" }

export interface Progress {
  readonly order: Order
  readonly authentication: Authentication
  readonly step: Step
}

/** The data of a step does not fit the authentication. Nothing has changed. */
export class StepRefused extends Data.TaggedError("StepRefused")<{
  readonly error: ErrorCode.Name
  readonly field: string | undefined
  readonly message: string
}> {}

type StepResult = Effect.Effect<void, StepRefused | StoreUnavailable>

export interface ThreeDSSteps {
  /** Loads an authentication by its page token. Undefined: no authentication on the gateway's own pages has this token. */
  readonly byPageToken: (token: string) => Effect.Effect<Progress | undefined, StoreUnavailable>
  /**
   * Ends the method step: the hidden frame reported its end (`Y`) or did not (`N`). `browser`: the data that the page
   * collected.
   */
  readonly methodEnded: (progress: Progress, indicator: "Y" | "N", browser: Browser) => StepResult
  /** Ends the challenge with the `cres` that the browser posted. A repeated call is accepted too. */
  readonly challengeEnded: (progress: Progress, cres: string) => StepResult
  /** Ends the step of version 1 with the `PaRes` and `MD` that the browser posted. A repeated call is accepted too. */
  readonly paresArrived: (progress: Progress, pares: string, md: string | undefined) => StepResult
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const publicAddress = yield* PublicAddress
  const advanceAuthentication = yield* AdvanceAuthentication.make
  const paRes = yield* ThreeDSPaRes.make

  /** Commits the end of a step. With `result`, a refused one is counted; after several the step is over. */
  const advance = Effect.fnUntraced(function* (
    current: Progress,
    check: ThreeDSAnswer.StepCheck,
    result?: "challenge" | "pareq"
  ) {
    const checked = yield* advanceAuthentication(current, check)
    if (checked._tag !== "Refuse") return
    if (result !== undefined && checked.error === "parameterInvalid") {
      yield* advanceAuthentication(current, ThreeDSAnswer.refusedResult(result))
    }
    return yield* new StepRefused(checked)
  })

  const steps: ThreeDSSteps = {
    byPageToken: Effect.fnUntraced(function* (token) {
      const authentication = yield* store.load(Authentication, [token], "pageToken")
      if (authentication?.mode !== "gateway") return undefined
      const order = yield* store.load(Order, [authentication.orderId])
      if (order === undefined) return undefined
      const step = stepOf(order, authentication, publicAddress.baseUrl(), yield* Clock.currentTimeMillis)
      return { order, authentication, step }
    }),
    methodEnded: (progress, indicator, browser) => advance(progress, ThreeDSAnswer.method(indicator, browser)),
    challengeEnded: (progress, cres) => advance(progress, ThreeDSAnswer.challenge(cres), "challenge"),
    paresArrived: (progress, pares, md) =>
      Effect.flatMap(paRes(pares, md), (check) => advance(progress, check, "pareq"))
  }
  return steps
})

const stepOf = (order: Order, authentication: Authentication, baseUrl: string, nowMs: number): Step => {
  const { acsUrl, creq, deadlineMs, md, methodUrl, pageToken, pareq, stage } = authentication
  const addresses = ThreeDSAddresses.make(baseUrl, pageToken)
  if (stage === "done") return Lifecycle.states[order.state].wire === "processing" ? waiting : done
  // The time of this step may be over before a job has recorded it. The browser is not sent to the issuer again.
  if (deadlineMs !== null && nowMs >= deadlineMs) return waiting
  if (stage === "method" && methodUrl !== null) {
    const data = ThreeDSAddresses.methodData(authentication, addresses.method)
    return { _tag: "Method", url: methodUrl, data, deadlineMs: deadlineMs ?? 0 }
  }
  if (stage === "challenge" && acsUrl !== null && creq !== null) return { _tag: "Challenge", acsUrl, creq }
  if (stage === "pareq" && acsUrl !== null && pareq !== null && md !== null) {
    return { _tag: "PaReq", acsUrl, pareq, md, termUrl: addresses.pares }
  }
  return waiting
}

const waiting: Step = { _tag: "Waiting" }
const done: Step = { _tag: "Done" }
