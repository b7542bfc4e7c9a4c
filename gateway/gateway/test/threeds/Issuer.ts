/** A 3-D Secure server that says what a test tells it to, and remembers what it was asked. */

import { Effect, Layer, Redacted } from "effect"
import type {
  AuthenticationAnswer,
  AuthenticationRequest,
  Enrolment,
  Hint,
  Lookup,
  Verdict
} from "../../src/threeds/ThreeDSServer.ts"
import { ThreeDSServer, ThreeDSServerError } from "../../src/threeds/ThreeDSServer.ts"

export const transId = "8a880dc0-d2d2-4067-bcb1-b08d1690b26e"
export const acsTransId = "d7c1ee99-9478-44a6-b1f2-391e29c6b340"
export const acsUrl = "https://acs.example/challenge"
export const creq = "eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ"
export const methodUrl = "https://acs.example/method"

/** `silence`: the server does not answer at all; `error`: it says that it cannot. */
export type Scripted<A> = A | "silence" | "error"

export interface Script {
  enrolment: Scripted<Enrolment>
  answer: Scripted<AuthenticationAnswer>
  /** Undefined: the issuer has not reported yet. */
  report: Scripted<Verdict> | undefined
  roots: ReadonlyArray<string>
  readonly hints: ReadonlyMap<string, Hint> | undefined
  readonly lookups: Array<Lookup>
  readonly requests: Array<AuthenticationRequest>
  /** The session of each request for a result. */
  readonly sessions: Array<string | undefined>
  reports: number
}

export const verdict = (transStatus: string, eci = "05", value = "AAABBZEEBgAAAAAAAAQGAAAAAAA="): Verdict => ({
  transStatus,
  eci,
  authenticationValue: Redacted.make(value)
})

export const challenge: AuthenticationAnswer = { _tag: "Challenge", acsUrl, creq, acsTransId }
export const finished = (transStatus: string): AuthenticationAnswer => ({
  _tag: "Finished",
  verdict: verdict(transStatus)
})
const version2 = { _tag: "Version2", version: "2.2.0", serverTransId: transId } as const
export const withMethod = { ...version2, methodUrl } satisfies Enrolment
export const withoutMethod = { ...version2, methodUrl: undefined } satisfies Enrolment

/** A card with a method URL and a challenge, which the customer passes. */
export const script = (changes: Partial<Script> = {}): Script => ({
  enrolment: withMethod,
  answer: challenge,
  report: verdict("Y"),
  roots: [],
  hints: undefined,
  lookups: [],
  requests: [],
  sessions: [],
  reports: 0,
  ...changes
})

const respond = <A>(answer: Scripted<A>): Effect.Effect<A, ThreeDSServerError> =>
  answer === "silence"
    ? Effect.never
    : answer === "error"
      ? Effect.fail(new ThreeDSServerError({ message: "out of order" }))
      : Effect.succeed(answer)

export const deadlineMs = 5_000

export const layer = (script: Script): Layer.Layer<ThreeDSServer> =>
  Layer.succeed(
    ThreeDSServer,
    ThreeDSServer.checked({
      capabilities: {
        deadlineMs,
        ...(script.hints === undefined ? {} : { hints: script.hints }),
        get paresRoots() {
          return script.roots
        }
      },
      enrol: (lookup) =>
        Effect.suspend(() => {
          script.lookups.push(lookup)
          return respond(script.enrolment)
        }),
      authenticate: (request) =>
        Effect.suspend(() => {
          script.requests.push(request)
          return respond(script.answer)
        }),
      result: (_serverTransId, session) =>
        Effect.suspend(() => {
          script.sessions.push(session)
          script.reports += 1
          return script.report === undefined ? Effect.undefined : respond(script.report)
        })
    })
  )
