/**
 * What a browser does in 3-D Secure, as the gateway's own pages and the merchant's uploads ask for it: which step comes now,
 * and that a step has ended. Nothing here believes a result that passed the browser: a CRes only says that the challenge
 * has ended, a PaRes counts only with the issuer's signature (decisions: 3-D Secure).
 */
import type * as ErrorCode from "@pay/schema/ErrorCode"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { PublicAddress } from "../kernel/PublicAddress.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as Lifecycle from "../orders/Lifecycle.ts"
import { Order } from "../orders/Order.ts"
import * as AdvanceAuthentication from "./AdvanceAuthentication.ts"
import { Authentication } from "./Authentication.ts"
import * as ThreeDSAddresses from "./ThreeDSAddresses.ts"
import * as ThreeDSAnswer from "./ThreeDSAnswer.ts"
import * as ThreeDSPaRes from "./ThreeDSPaRes.ts"
import type { Browser } from "./ThreeDSServer.ts"

/** What the browser should do now. */
export type Step =
  /** Ask again in a moment: the gateway talks to the issuer or to the bank. */
  | { readonly _tag: "Waiting" }
  /** Post `threeDSMethodData` to `url` in a hidden frame; over at `deadlineMs` (business time) at the latest. */
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
  /** Nothing: the order has its outcome (or nobody knows it yet, `unknown`); back to `order.redirectUrl`. */
  | { readonly _tag: "Done" }

export interface Progress {
  readonly order: Order
  readonly step: Step
}

/** What was said of a step does not fit where the authentication stands; nothing has changed. */
export class StepRefused extends Data.TaggedError("StepRefused")<{
  readonly error: ErrorCode.Name
  readonly field: string | undefined
  readonly message: string
}> {}

type StepResult = Effect.Effect<void, StepRefused | StoreUnavailable>

export class ThreeDSSteps extends Context.Service<
  ThreeDSSteps,
  {
    /** Undefined for a token that no authentication on the gateway's own pages has. */
    readonly byPageToken: (token: string) => Effect.Effect<Progress | undefined, StoreUnavailable>
    /** The hidden frame came back (`Y`) or did not (`N`), and what is known of the browser. */
    readonly methodEnded: (token: string, indicator: "Y" | "N", browser: Browser) => StepResult
    /** `cres` as the browser posted it. Said twice, it is accepted twice. */
    readonly challengeEnded: (token: string, cres: string) => StepResult
    /** `PaRes` and `MD` as the browser posted them. Said twice, it is accepted twice. */
    readonly paresArrived: (token: string, pares: string, md: string | undefined) => StepResult
  }
>()("@pay/gateway/ThreeDSSteps") {}

const unknownToken = new StepRefused({ error: "orderNotFound", field: undefined, message: "No such authentication" })

export const layer = Layer.effect(
  ThreeDSSteps,
  Effect.gen(function* () {
    const store = yield* Store
    const publicAddress = yield* PublicAddress
    const tell = yield* AdvanceAuthentication.make
    const paRes = yield* ThreeDSPaRes.make

    const load = Effect.fnUntraced(function* (token: string) {
      const authentication = yield* store.load(Authentication, [token], "pageToken")
      if (authentication?.mode !== "gateway") return undefined
      const order = yield* store.load(Order, [authentication.orderId])
      return order === undefined ? undefined : { order, authentication }
    })

    /** A refused `result` is counted: after some the step is over. */
    const advance = Effect.fnUntraced(function* (
      token: string,
      judge: ThreeDSAnswer.Judge,
      result?: "challenge" | "pareq"
    ) {
      const current = yield* load(token)
      if (current === undefined) return yield* unknownToken
      const judged = yield* tell(current, judge)
      if (judged._tag !== "Refuse") return
      if (result !== undefined && judged.error === "parameterInvalid") {
        yield* tell(current, ThreeDSAnswer.refusedResult(result))
      }
      return yield* new StepRefused(judged)
    })

    return ThreeDSSteps.of({
      byPageToken: Effect.fnUntraced(function* (token) {
        const current = yield* load(token)
        if (current === undefined) return undefined
        const { authentication, order } = current
        return { order, step: stepOf(order, authentication, publicAddress.baseUrl(), yield* Clock.currentTimeMillis) }
      }),
      methodEnded: (token, indicator, browser) => advance(token, ThreeDSAnswer.method(indicator, browser)),
      challengeEnded: (token, cres) => advance(token, ThreeDSAnswer.challenge(cres), "challenge"),
      paresArrived: (token, pares, md) => Effect.flatMap(paRes(pares, md), (judge) => advance(token, judge, "pareq"))
    })
  })
)

const stepOf = (order: Order, authentication: Authentication, baseUrl: string, nowMs: number): Step => {
  const { acsUrl, creq, deadlineMs, md, methodUrl, pageToken, pareq, stage } = authentication
  const addresses = ThreeDSAddresses.make(baseUrl, pageToken)
  if (stage === "done") return Lifecycle.states[order.state].wire === "processing" ? waiting : done
  // The time of this step may be over before a job has recorded it. The browser is not sent there again.
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
