/**
 * The port of the 3-D Secure server (EMV 3-D Secure 2.x; 3-D Secure 1.0.2). It sends requests to the directory and the issuer,
 * and receives the result from the issuer itself (RReq). Data that passes through the browser only shows that a step has ended;
 * the result is requested here. Every call carries our own reference, so that it can be repeated after a lost answer.
 */
import { Context, type Effect, type Redacted, Schema } from "effect"
import * as PortShape from "../kernel/PortShape.ts"
import type { Browser } from "../orders/CustomerBrowser.ts"

export type { Browser } from "../orders/CustomerBrowser.ts"

/** Nothing was sent, or the answer was lost. The call can safely be repeated, because it is idempotent by its reference. */
export class ThreeDSServerError extends Schema.TaggedError<ThreeDSServerError>()("ThreeDSServerError", {
  message: Schema.String
}) {}

/** Behaviour that a test selects at a simulated issuer. A real issuer decides by itself. */
export type Hint = "challenge" | "none"

export interface Lookup {
  /** The reference `orderid-threeds-n`; n is the number of the payment attempt of a hosted session. */
  readonly reference: string
  readonly pan: Redacted.Redacted<string>
  readonly expireMonth: number
  readonly expireYear: number
  readonly amountMinor: number
  readonly currency: string
  readonly merchantName: string
  /** Set only for a server that lists `hints`, and never in production. */
  readonly hint?: Hint
}

/** The directory's answer about the card. The version is fixed here for the whole authentication. */
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

/** The value of `threeDSCompInd`: the method step ended, did not end within 10 s, or there was none. */
export type CompletionIndicator = "Y" | "N" | "U"

export interface AuthenticationRequest {
  readonly reference: string
  readonly serverTransId: string
  readonly completionIndicator: CompletionIndicator
  readonly browser: Browser
  /** The address to which the issuer sends the browser with the CRes. */
  readonly notificationUrl: string
}

/** The issuer's verdict as the 3-D Secure server received it. */
export interface Verdict {
  /** Y, A: authenticated. N, R: not authenticated. U: unavailable. Unknown letters count as U. */
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
      /** Root certificates, as PEM, of the signers of a PaRes (3-D Secure 1.0.2). Only their signatures are accepted. */
      readonly paresRoots: ReadonlyArray<string>
      /**
       * Set only by a simulated server: the behaviour that each security code selects. Security codes are never sent to a 3-D
       * Secure server.
       */
      readonly hints?: ReadonlyMap<string, Hint>
    }
    readonly enrol: (lookup: Lookup) => Effect.Effect<Enrolment, ThreeDSServerError>
    readonly authenticate: (request: AuthenticationRequest) => Effect.Effect<AuthenticationAnswer, ThreeDSServerError>
    /** Returns the result that the issuer has reported (RReq); undefined if there is none yet. */
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
