/** Adyen's answers about an authentication of the cardholder (EMV 3-D Secure 2), without a payment. */
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Result, Schema } from "effect"

const Action = Schema.Struct({
  type: Schema.String,
  subtype: Schema.optionalKey(Schema.String),
  token: Schema.optionalKey(Schema.String),
  paymentData: Schema.optionalKey(Schema.NonEmptyString)
})

/** The parts of `PaymentResponse` and `PaymentDetailsResponse` that an authentication has. */
export const AuthenticationAnswer = Schema.Struct({
  resultCode: Schema.String,
  action: Schema.optionalKey(Action),
  refusalReasonCode: Schema.optionalKey(Schema.String),
  threeDS2ResponseData: Schema.optionalKey(
    Schema.Struct({
      threeDSServerTransID: Schema.optionalKey(Schema.String),
      messageVersion: Schema.optionalKey(Schema.String)
    })
  ),
  threeDS2Result: Schema.optionalKey(
    Schema.Struct({
      transStatus: Schema.optionalKey(Schema.String),
      eci: Schema.optionalKey(Schema.String),
      authenticationValue: Schema.optionalKey(Schema.String),
      threeDSServerTransID: Schema.optionalKey(Schema.String),
      messageVersion: Schema.optionalKey(Schema.String)
    })
  )
})
export type AuthenticationAnswer = typeof AuthenticationAnswer.Type

const FingerprintToken = Schema.Struct({
  threeDSServerTransID: Schema.NonEmptyString,
  threeDSMethodURL: Schema.optionalKey(Schema.NonEmptyString)
})

const ChallengeToken = Schema.Struct({
  threeDSServerTransID: Schema.NonEmptyString,
  acsTransID: Schema.NonEmptyString,
  acsURL: Schema.NonEmptyString,
  messageVersion: Schema.NonEmptyString
})

/** What comes next in an authentication. */
export type Step =
  | { readonly _tag: "NotRequired" }
  | {
      readonly _tag: "Fingerprint"
      readonly serverTransId: string
      readonly methodUrl: string | undefined
      readonly session: string
    }
  | {
      readonly _tag: "Challenge"
      readonly serverTransId: string
      readonly version: string
      readonly acsUrl: string
      readonly acsTransId: string
      readonly creq: string
      readonly session: string
    }
  | {
      readonly _tag: "Finished"
      readonly serverTransId: string | undefined
      readonly version: string | undefined
      readonly transStatus: string
      readonly eci: string | undefined
      readonly authenticationValue: string | undefined
    }
  /** The issuer has not reported the result of the challenge yet. */
  | { readonly _tag: "NotReported" }

const decodeToken = <A>(schema: Schema.Decoder<A>, { token = "" }: typeof Action.Type): Result.Result<A, string> =>
  Result.mapError(
    Schema.decodeUnknownResult(Schema.fromJsonString(schema))(Buffer.from(token, "base64").toString("utf8")),
    () => "the token of the action cannot be read"
  )

const actionOf = (answer: AuthenticationAnswer, subtype: string) => {
  const { action } = answer
  return action?.type === "threeDS2" && action.subtype === subtype && action.paymentData !== undefined
    ? Result.succeed({ action, session: action.paymentData })
    : Result.fail(`the answer has no action for a ${subtype}`)
}

const fingerprint = (answer: AuthenticationAnswer): Result.Result<Step, string> =>
  Result.flatMap(actionOf(answer, "fingerprint"), ({ action, session }) =>
    Result.map(
      decodeToken(FingerprintToken, action),
      ({ threeDSMethodURL: methodUrl, threeDSServerTransID: serverTransId }) => ({
        _tag: "Fingerprint",
        serverTransId,
        methodUrl,
        session
      })
    )
  )

const challenge = (answer: AuthenticationAnswer): Result.Result<Step, string> =>
  Result.flatMap(actionOf(answer, "challenge"), ({ action, session }) =>
    Result.map(decodeToken(ChallengeToken, action), ({ acsTransID, acsURL, messageVersion, threeDSServerTransID }) => ({
      _tag: "Challenge",
      serverTransId: threeDSServerTransID,
      version: messageVersion,
      acsUrl: acsURL,
      acsTransId: acsTransID,
      creq: ThreeDS.creq.encode({ messageType: "CReq", messageVersion, threeDSServerTransID, acsTransID }),
      session
    }))
  )

const finished = ({
  threeDS2Result: result,
  threeDS2ResponseData: response
}: AuthenticationAnswer): Result.Result<Step, string> =>
  result?.transStatus === undefined
    ? Result.fail("the answer has no transStatus")
    : Result.succeed({
        _tag: "Finished",
        serverTransId: result.threeDSServerTransID ?? response?.threeDSServerTransID,
        version: result.messageVersion ?? response?.messageVersion,
        transStatus: result.transStatus,
        eci: result.eci,
        authenticationValue: result.authenticationValue
      })

/** Adyen's reason if it has no result of the issuer: "RReq not received from DS". */
const noReport = "39"

/** Returns what comes next. A failure says why the answer cannot be used; it never counts as a verdict. */
export const stepOf = (answer: AuthenticationAnswer): Result.Result<Step, string> => {
  switch (answer.resultCode) {
    case "IdentifyShopper":
      return fingerprint(answer)
    case "ChallengeShopper":
      return challenge(answer)
    case "AuthenticationFinished":
      return finished(answer)
    case "AuthenticationNotRequired":
      return Result.succeed({ _tag: "NotRequired" })
    case "Refused":
      return answer.refusalReasonCode === noReport
        ? Result.succeed({ _tag: "NotReported" })
        : Result.fail(`Adyen refused the authentication (${answer.refusalReasonCode ?? "no code"})`)
    case "RedirectShopper":
      return Result.fail("Adyen wants the customer on a page of its own, which this adapter does not offer")
    default:
      return Result.fail("the answer has a resultCode that an authentication does not have")
  }
}
