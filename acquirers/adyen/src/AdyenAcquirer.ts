/** The port of the acquiring bank on Adyen's Checkout API. Adyen has no inquiry: a repeated request gets the first one's answer. */
import type * as Acquirer from "@pay/gateway/Acquirer"
import type { Effect } from "effect"
import { Result, type Schema } from "effect"
import { toAdyen } from "./AdyenAmount.ts"
import * as AdyenCall from "./AdyenCall.ts"
import type { AdyenSettings } from "./AdyenSettings.ts"
import * as PaymentAnswer from "./PaymentAnswer.ts"
import { merchantAccountOf, paymentBody } from "./PaymentBody.ts"

export interface Toolkit extends AdyenCall.OwnEffect {
  readonly Acquirer: Pick<typeof Acquirer, "AcquirerError" | "AnswerLost" | "NotSent">
}

/** Adyen keeps an `Idempotency-Key` for 7 days at least (https://docs.adyen.com/development-resources/api-idempotency). */
const keyWindowMs = 7 * 24 * 60 * 60 * 1000

const resend: ReadonlyArray<Acquirer.Way> = [{ by: "resend", windowMs: keyWindowMs }, { by: "person" }]

const paths: Readonly<Record<Acquirer.FollowUpKind, string>> = {
  capture: "captures",
  refund: "refunds",
  void: "cancels"
}

/** A decline that the gateway makes itself, because it sent nothing. */
const notSent = (reason: "invalidAmount" | "neverSent", message: string) => ({
  _tag: "Declined" as const,
  code: "not sent",
  reason,
  message
})

export const make = (settings: AdyenSettings, toolkit: Toolkit): Acquirer.Adapter => {
  const { Acquirer: errors, Effect, Redacted } = toolkit
  const post = AdyenCall.make(settings, toolkit)
  const lost = (message: string) => new errors.AcquirerError({ reason: new errors.AnswerLost({ message }) })
  const unsent = (message: string) => new errors.AcquirerError({ reason: new errors.NotSent({ message }) })

  type Outcome<A> = (answer: A) => Result.Result<Acquirer.RequestAnswer, string>

  /** Returns what an HTTP answer says about a request. `outcome` fails if the answer is not that of the request. */
  const judge = <A>(
    reading: PaymentAnswer.Reading<A>,
    outcome: Outcome<A>
  ): Effect.Effect<Acquirer.RequestAnswer, Acquirer.AcquirerError> => {
    switch (reading._tag) {
      case "Refused":
        return Effect.succeed(PaymentAnswer.refused(reading))
      case "Undone":
        return Effect.fail(unsent(reading.message))
      case "Lost":
        return Effect.fail(lost(reading.message))
      case "Answered":
        return Result.match(outcome(reading.answer), {
          onFailure: (message) => Effect.fail(lost(message)),
          onSuccess: Effect.succeed
        })
    }
  }

  const ask = <A>(call: AdyenCall.Call, schema: Schema.Decoder<A>, outcome: Outcome<A>) =>
    post(call).pipe(
      Effect.mapError(({ code, isUnsent }) => (isUnsent ? unsent(code) : lost(code))),
      Effect.flatMap((answer) =>
        Effect.map(judge(PaymentAnswer.read(schema, answer), outcome), (value) => ({
          ...value,
          bankTimeMs: Date.parse(answer.header("date") ?? "")
        }))
      )
    )

  const followUp = (kind: Acquirer.FollowUpKind, request: Acquirer.FollowUp) => {
    const { currency, original, reference } = request
    const merchantAccount = merchantAccountOf(request, settings)
    const amount = kind === "void" ? undefined : toAdyen(request.amountMinor, currency)
    const { processorTxId } = original
    if (kind !== "void" && amount === undefined)
      return Effect.succeed(notSent("invalidAmount", `Adyen does not take this amount in ${currency}`))
    if (processorTxId === undefined)
      return Effect.succeed(notSent("neverSent", "Adyen's number of the payment is not known"))
    const path = `/payments/${encodeURIComponent(processorTxId)}/${paths[kind]}`
    const body = { merchantAccount, reference, ...(amount === undefined ? {} : { amount }) }
    return ask({ path, key: reference, body }, PaymentAnswer.ModificationAnswer, (answer) =>
      PaymentAnswer.receiptOf(answer, { reference, amount })
    )
  }

  return {
    capabilities: {
      deadlineMs: 30_000,
      longestProcessingMs: 120_000,
      transfers: false,
      eligibility: false,
      unknownOutcomes: {
        authorize: resend,
        sale: resend,
        verify: resend,
        capture: resend,
        void: resend,
        refund: resend
      },
      ...AdyenCall.simulation(settings)
    },
    authorize: (authorization) => {
      const body = paymentBody(authorization, settings, Redacted.value)
      return body === undefined
        ? Effect.succeed(notSent("invalidAmount", `Adyen does not take this amount in ${authorization.currency}`))
        : ask({ path: "/payments", key: authorization.reference, body }, PaymentAnswer.PaymentAnswer, (answer) =>
            PaymentAnswer.outcomeOf(answer, authorization)
          )
    },
    eligible: () => Effect.die(new Error("The adapter declares that it cannot tell whether a card can send money")),
    followUp,
    inquire: () => Effect.succeed({ _tag: "CannotSay" })
  }
}
