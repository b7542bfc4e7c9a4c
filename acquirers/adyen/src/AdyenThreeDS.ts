/** The port of the 3-D Secure server on Adyen's native authentication, without a payment. Adyen itself asks the issuer for the result. */
import { randomUUID } from "node:crypto"
import type * as ThreeDSServer from "@pay/gateway/ThreeDSServer"
import { Result } from "effect"
import * as AdyenCall from "./AdyenCall.ts"
import type { AdyenSettings } from "./AdyenSettings.ts"
import * as Answer from "./AuthenticationAnswer.ts"
import * as AuthenticationBody from "./AuthenticationBody.ts"
import * as PaymentAnswer from "./PaymentAnswer.ts"

export interface Toolkit extends AdyenCall.OwnEffect {
  readonly ThreeDSServer: Pick<typeof ThreeDSServer, "ThreeDSServerError">
}

type Finished = Extract<Answer.Step, { readonly _tag: "Finished" }>

export const make = (settings: AdyenSettings, toolkit: Toolkit): ThreeDSServer.Adapter => {
  const { Effect, Redacted } = toolkit
  const post = AdyenCall.make(settings, toolkit)
  const failed = (message: string) => new toolkit.ThreeDSServer.ThreeDSServerError({ message })

  /** Returns the step that an answer leads to. */
  const ask = (call: AdyenCall.Call) =>
    post(call).pipe(
      Effect.mapError(({ code }) => failed(code)),
      Effect.flatMap((answer) => {
        const reading = PaymentAnswer.read(Answer.AuthenticationAnswer, answer)
        return reading._tag === "Answered"
          ? Effect.fromResult(Result.mapError(Answer.stepOf(reading.answer), failed))
          : Effect.fail(failed(reading.message))
      })
    )

  const verdictOf = ({ authenticationValue, eci, transStatus }: Finished): ThreeDSServer.Verdict => ({
    transStatus,
    eci,
    authenticationValue: authenticationValue === undefined ? undefined : Redacted.make(authenticationValue)
  })

  const enrolment = (step: Answer.Step): ThreeDSServer.Enrolment | undefined => {
    switch (step._tag) {
      case "NotRequired":
        return { _tag: "NotEnrolled" }
      case "Fingerprint": {
        const { methodUrl, serverTransId, session } = step
        return { _tag: "Version2", version: AuthenticationBody.version, serverTransId, methodUrl, session }
      }
      case "Challenge":
        return step
      case "Finished":
        return step.serverTransId === undefined
          ? undefined
          : {
              _tag: "Finished",
              version: step.version ?? AuthenticationBody.version,
              serverTransId: step.serverTransId,
              verdict: verdictOf(step)
            }
      case "NotReported":
        return undefined
    }
  }

  const authenticationAnswer = (step: Answer.Step): ThreeDSServer.AuthenticationAnswer | undefined => {
    if (step._tag === "Finished") return { _tag: "Finished", verdict: verdictOf(step) }
    return step._tag === "Challenge" ? step : undefined
  }

  const unexpected = Effect.fail(failed("the answer is not one to this step"))

  return {
    capabilities: { deadlineMs: 20_000, paresRoots: [], ...AdyenCall.simulation(settings) },
    enrol: (lookup) => {
      const body = AuthenticationBody.beginning(lookup, settings, Redacted.value)
      if (body === undefined) return Effect.fail(failed(`Adyen does not take this amount in ${lookup.currency}`))
      return Effect.flatMap(ask({ path: "/payments", key: lookup.reference, body }), (step) => {
        const answer = enrolment(step)
        return answer === undefined ? unexpected : Effect.succeed(answer)
      })
    },
    authenticate: ({ completionIndicator, reference, session = "" }) => {
      const body = AuthenticationBody.fingerprint(session, completionIndicator)
      return Effect.flatMap(ask({ path: "/payments/details", key: `${reference}-method`, body }), (step) => {
        const answer = authenticationAnswer(step)
        return answer === undefined ? unexpected : Effect.succeed(answer)
      })
    },
    result: (_serverTransId, session = "") => {
      const body = AuthenticationBody.challengeEnd(session)
      // A new key for each request: the first answer may be that there is no result yet. The request moves no money.
      return Effect.flatMap(ask({ path: "/payments/details", key: randomUUID(), body }), (step) => {
        if (step._tag === "Finished") return Effect.succeed(verdictOf(step))
        return step._tag === "NotReported" ? Effect.undefined : unexpected
      })
    }
  }
}
