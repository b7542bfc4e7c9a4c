/**
 * The port of the 3-D Secure server (EMV 3-D Secure 2.x; 3-D Secure 1.0.2). It sends requests to the directory and the issuer,
 * and receives the result from the issuer itself (RReq). Data that passes through the browser only shows that a step has ended;
 * the result is requested here. Every call carries our own reference, so that it can be repeated after a lost answer.
 */
import { Context, type Effect, Option, type Redacted, Schema } from "effect"
import * as AdapterCall from "../kernel/AdapterCall.ts"
import * as ForeignText from "../kernel/ForeignText.ts"
import * as PortShape from "../kernel/PortShape.ts"
import { parse } from "../orders/record/Booking.ts"
import type { Browser } from "../orders/record/CustomerBrowser.ts"

export type { Browser } from "../orders/record/CustomerBrowser.ts"

/** Nothing was sent, or the answer was lost. The call can safely be repeated, because it is idempotent by its reference. */
export class ThreeDSServerError extends Schema.TaggedError<ThreeDSServerError>()("ThreeDSServerError", {
  message: Schema.String,
  /** What the adapter gave instead of an answer that the gateway can read, as text for operators. */
  answer: Schema.optionalKey(Schema.String)
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
  /** The data about the browser that is known so far. A merchant may add to it in the method step. */
  readonly browser: BrowserInformation
  /** The address to which the issuer sends the browser with the CRes. */
  readonly notificationUrl: string
  /** Set only for a server that lists `hints`, and never in production. */
  readonly hint?: Hint
}

/** Longest message to the issuer, in characters. */
const longestMessage = 65_536

/** The issuer's verdict as the 3-D Secure server received it. */
export const Verdict = Schema.Struct({
  /** Y, A: authenticated. N, R: not authenticated. U: unavailable. Unknown letters count as U. */
  transStatus: ForeignText.Name(16),
  eci: Schema.optional(ForeignText.Text(16)),
  authenticationValue: Schema.optional(Schema.Redacted(ForeignText.Token(255)))
})
export type Verdict = typeof Verdict.Type

/**
 * Text that the server gets back with the next call about the authentication, if it keeps nothing itself. The gateway stores it as it is,
 * so it must contain no secret.
 */
const session = { session: Schema.optional(ForeignText.Token(longestMessage)) }

const challenge = {
  acsUrl: ForeignText.WebAddress,
  creq: ForeignText.Token(longestMessage),
  acsTransId: ForeignText.Token(255),
  ...session
}

const transaction = {
  version: ForeignText.Token(16),
  serverTransId: ForeignText.Token(255)
}

/** The directory's answer about the card. The version is fixed here for the whole authentication. */
export const Enrolment = Schema.Union([
  Schema.TaggedStruct("NotEnrolled", {}),
  Schema.TaggedStruct("Version2", {
    ...transaction,
    methodUrl: Schema.optional(ForeignText.WebAddress),
    ...session
  }),
  /** The server has sent the authentication request at once, because the issuer has no method step: `authenticate` is not called. */
  Schema.TaggedStruct("Finished", { ...transaction, verdict: Verdict }),
  Schema.TaggedStruct("Challenge", { ...transaction, ...challenge }),
  Schema.TaggedStruct("Version1", {
    acsUrl: ForeignText.WebAddress,
    pareq: ForeignText.Token(longestMessage),
    md: ForeignText.Token(longestMessage),
    xid: ForeignText.Token(255)
  })
]).annotate({ message: "Expected NotEnrolled, Version2, Finished, Challenge or Version1" })
export type Enrolment = typeof Enrolment.Type

/**
 * The data about the browser as the message takes it (EMV 3-D Secure, browser information): what the version of the message requires
 * is present, and no value is over the version's limit. Facts of a script are missing only if the version does not require them.
 */
export interface BrowserInformation extends Browser {
  readonly acceptHeader: string
  readonly userAgent: string
  readonly language: string
  readonly javascriptEnabled: boolean
}

/** The value of `threeDSCompInd`: the method step ended, did not end within 10 s, or there was none. */
export type CompletionIndicator = "Y" | "N" | "U"

export interface AuthenticationRequest {
  readonly reference: string
  readonly serverTransId: string
  /** The `session` of the enrolment. */
  readonly session?: string | undefined
  readonly completionIndicator: CompletionIndicator
  readonly browser: BrowserInformation
  /** The address to which the issuer sends the browser with the CRes. */
  readonly notificationUrl: string
}

export const AuthenticationAnswer = Schema.Union([
  Schema.TaggedStruct("Finished", { verdict: Verdict }),
  Schema.TaggedStruct("Challenge", challenge)
]).annotate({ message: "Expected Finished or Challenge" })
export type AuthenticationAnswer = typeof AuthenticationAnswer.Type

/** What the operator of a gateway implements for his 3-D Secure server. */
export interface Adapter {
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
  /** Returns the result that the issuer has reported (RReq); undefined if there is none yet. `session`: that of the challenge. */
  readonly result: (
    serverTransId: string,
    session?: string | undefined
  ) => Effect.Effect<Verdict | undefined, ThreeDSServerError>
}

const reported = Schema.decodeUnknownOption(Schema.TaggedStruct("ThreeDSServerError", { message: ForeignText.Line }))

const call = AdapterCall.make({
  port: "threeDSServer",
  reported: (error) => Option.getOrUndefined(Option.map(reported(error), (failed) => new ThreeDSServerError(failed))),
  lost: (message, answer) => new ThreeDSServerError({ message, answer })
})

const aboutOf = (reference: string): AdapterCall.About => ({ orderId: parse(reference)?.orderId, reference })

export class ThreeDSServer extends Context.Service<ThreeDSServer, AdapterCall.Checked<Adapter>>()(
  "@pay/gateway/ThreeDSServer"
) {
  /** Returns the adapter with every answer decoded. */
  static readonly checked = (adapter: Adapter): ThreeDSServer["Service"] => {
    const enrol = call("enrol", Enrolment)
    const authenticate = call("authenticate", AuthenticationAnswer)
    const result = call("result", Schema.UndefinedOr(Verdict))
    return {
      ...AdapterCall.mark,
      capabilities: adapter.capabilities,
      enrol: (lookup) => enrol(aboutOf(lookup.reference), () => adapter.enrol(lookup)),
      authenticate: (request) => authenticate(aboutOf(request.reference), () => adapter.authenticate(request)),
      result: (serverTransId, session) =>
        result({ reference: serverTransId }, () => adapter.result(serverTransId, session))
    }
  }
}

export const shape: PortShape.PortShape<Adapter> = {
  methods: { enrol: PortShape.method, authenticate: PortShape.method, result: PortShape.method },
  capabilities: {
    deadlineMs: PortShape.milliseconds,
    simulated: PortShape.simulatorOnly,
    paresRoots: PortShape.certificates,
    hints: PortShape.simulatorOnly
  }
}
