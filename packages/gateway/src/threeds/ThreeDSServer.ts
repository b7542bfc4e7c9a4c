/**
 * The 3-D Secure server (EMV 3-D Secure 2.x; 3-D Secure 1.0.2): asks the directory and the issuer, and is told the result by
 * the issuer itself (RReq). What passes through the browser only says that a step has ended; the result is asked for here.
 * Every call carries our own reference, so that a lost answer can be asked for again.
 */
import { Context, type Effect, type Redacted, Schema } from "effect"
import * as PortShape from "../kernel/PortShape.ts"
import type { Browser } from "../orders/CustomerBrowser.ts"

export type { Browser } from "../orders/CustomerBrowser.ts"

/** Nothing was sent, or the answer was lost: asking again is safe, since every call is idempotent by its reference. */
export class ThreeDSServerError extends Schema.TaggedError<ThreeDSServerError>()("ThreeDSServerError", {
  message: Schema.String
}) {}

/** What a test wants of a simulated issuer. A real one decides by itself. */
export type Hint = "challenge" | "none"

export interface Lookup {
  /** `orderid-threeds-n`: n counts payment attempts of one hosted session. */
  readonly reference: string
  readonly pan: Redacted.Redacted<string>
  readonly expireMonth: number
  readonly expireYear: number
  readonly amountMinor: number
  readonly currency: string
  readonly merchantName: string
  /** Only for a server that lists `hints`, and never in production. */
  readonly hint?: Hint
}

/** What the directory knows of the card. The version is fixed here for the whole authentication. */
export type Enrolment =
  | { readonly _tag: "NotEnrolled" }
  | {
      readonly _tag: "Version2"
      readonly version: string
      readonly serverTransId: string
      readonly methodUrl: string | undefined
    }
  | {
      readonly _tag: "Version1"
      readonly acsUrl: string
      readonly pareq: string
      readonly md: string
      readonly xid: string
    }

/** `threeDSCompInd`: the method step ended, did not end within 10 s, or there was none. */
export type CompletionIndicator = "Y" | "N" | "U"

export interface AuthenticationRequest {
  readonly reference: string
  readonly serverTransId: string
  readonly completionIndicator: CompletionIndicator
  readonly browser: Browser
  /** The address to which the issuer sends the browser with the CRes. */
  readonly notificationUrl: string
}

/** The issuer's verdict as the server was told it. */
export interface Verdict {
  /** Y, A: authenticated. N, R: not. U: could not be said. Unknown letters count as U. */
  readonly transStatus: string
  readonly eci: string | undefined
  readonly authenticationValue: Redacted.Redacted<string> | undefined
}

export type AuthenticationAnswer =
  | { readonly _tag: "Finished"; readonly verdict: Verdict }
  | { readonly _tag: "Challenge"; readonly acsUrl: string; readonly creq: string; readonly acsTransId: string }

export class ThreeDSServer extends Context.Service<
  ThreeDSServer,
  {
    readonly capabilities: {
      readonly deadlineMs: number
      /** Set only by a simulator. Production refuses an adapter that sets it. */
      readonly simulated?: true
      /** PEM certificates that sign PaRes (3-D Secure 1.0.2): nothing else is believed. */
      readonly paresRoots: ReadonlyArray<string>
      /** Set only by a simulated server: which security codes ask for what. The codes themselves go to no 3-D Secure server. */
      readonly hints?: ReadonlyMap<string, Hint>
    }
    readonly enrol: (lookup: Lookup) => Effect.Effect<Enrolment, ThreeDSServerError>
    readonly authenticate: (request: AuthenticationRequest) => Effect.Effect<AuthenticationAnswer, ThreeDSServerError>
    /** What the issuer has reported (RReq); undefined: nothing yet. */
    readonly result: (serverTransId: string) => Effect.Effect<Verdict | undefined, ThreeDSServerError>
  }
>()("@pay/gateway/ThreeDSServer") {}

export const shape: PortShape.PortShape<ThreeDSServer["Service"]> = {
  methods: { enrol: PortShape.method, authenticate: PortShape.method, result: PortShape.method },
  capabilities: {
    deadlineMs: PortShape.milliseconds,
    simulated: PortShape.simulatorOnly,
    paresRoots: PortShape.certificates,
    hints: PortShape.simulatorOnly
  }
}
