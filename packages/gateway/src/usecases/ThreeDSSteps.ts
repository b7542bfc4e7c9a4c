/**
 * What a browser does in 3-D Secure, as the gateway's own pages and the merchant's uploads ask for it: which step comes now,
 * and that a step has ended. Nothing here believes a result that passed the browser: a CRes only says that the challenge
 * has ended, a PaRes counts only with the issuer's signature (decisions: 3-D Secure).
 */
import type * as ErrorCode from "@pay/schema/ErrorCode"
import { Context, Data, type Effect } from "effect"
import type { Order } from "../domain/entities/Order.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import type { Browser } from "../ports/ThreeDSServer.ts"

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

type Told = Effect.Effect<void, StepRefused | StoreUnavailable>

export class ThreeDSSteps extends Context.Service<
  ThreeDSSteps,
  {
    /** Undefined for a token that no authentication on the gateway's own pages has. */
    readonly byPageToken: (token: string) => Effect.Effect<Progress | undefined, StoreUnavailable>
    /** The hidden frame came back (`Y`) or did not (`N`), and what is known of the browser. */
    readonly methodEnded: (token: string, indicator: "Y" | "N", browser: Browser) => Told
    /** `cres` as the browser posted it. Said twice, it is accepted twice. */
    readonly challengeEnded: (token: string, cres: string) => Told
    /** `PaRes` and `MD` as the browser posted them. Said twice, it is accepted twice. */
    readonly paresArrived: (token: string, pares: string, md: string | undefined) => Told
  }
>()("@pay/gateway/ThreeDSSteps") {}
