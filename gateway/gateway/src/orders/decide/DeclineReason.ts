/**
 * What a merchant reads of a bank's decline: `error-code` and `error-message`. A bank's own code is never read as one of the gateway's
 * (90–99), and never as an action code of ISO 8583:1993 unless it can be one.
 */
import { byCode, declines } from "@pay/schema/Decline"
import type { BankAnswer } from "../bank/BankAnswer.ts"
import * as BankDetails from "../record/BankDetails.ts"

export type Declined = Extract<BankAnswer, { readonly _tag: "Declined" }>

/** The reason of a decline, with the words of the bank. */
export interface DeclineReason {
  readonly code: number
  readonly message: string
}

/** The lowest action code of ISO 8583:1993 that is a decline. */
const leastActionCode = 100

export const of = ({ code, message, reason }: Pick<Declined, "code" | "message" | "reason">): DeclineReason => {
  const named = reason === undefined ? undefined : declines[reason]
  if (named !== undefined) return { code: named.code, message: message || named.message }
  return { code: typeof code === "number" && code >= leastActionCode ? code : declines.doNotHonour.code, message }
}

/**
 * Whether another try with the same card is pointless: the reason says so, or the network's category. A soft decline of a charge without its
 * cardholder cannot be cured, because only the cardholder can authenticate.
 */
export const isHard = (declined: Pick<Declined, "code" | "message" | "reason" | "category">): boolean =>
  declined.category === "final" ||
  declined.category === "stopped" ||
  declined.category === "authenticate" ||
  byCode(of(declined).code)?.hard === true

/** Returns what the order keeps of an answer beside its outcome, as a column. The bank's code is kept if the merchant reads another one. */
export const detailsOf = (answer: BankAnswer): string | null => {
  const { advice, avsResult, cvvResult, eci, networkCode, retrievalReference, schemeReference } = answer
  const decline =
    answer._tag === "Declined"
      ? { code: answer.code === of(answer).code ? undefined : String(answer.code), category: answer.category }
      : {}
  return BankDetails.write({
    ...{ schemeReference, retrievalReference, eci, avsResult, cvvResult, networkCode, advice },
    ...decline
  })
}
