/** The error of a request that got no whole answer, with its cause in words. */
import { Data } from "effect"

/** The code of an answer whose connection was closed before its end. */
export const cutOff = "ANSWER_CUT_OFF"

/** The code of an answer that is longer than the suite reads. */
export const tooLong = "ANSWER_TOO_LONG"

/** The code of an answer that did not arrive within the time limit. */
export const tooLate = "ANSWER_TOO_LATE"

const causes: ReadonlyArray<readonly [code: RegExp, cause: string]> = [
  [/^ECONNREFUSED$/, "nothing listens at the address"],
  [/^(ECONNRESET|EPIPE)$/, "the connection was reset"],
  [/^(ENOTFOUND|EAI_)/, "the name of the host is not known"],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, "the host is not reached"],
  [/^(EPROTO$|ERR_SSL_)/, "the address does not speak TLS: it may need http"],
  [/CERT|SELF_SIGNED|^UNABLE_TO_|ALTNAME/, "the certificate is not trusted"],
  [/^HPE_HEADER_OVERFLOW$/, "the headers of the answer are too long"],
  [/^HPE_/, "the answer is not HTTP"],
  [/^ERR_INVALID_/, "the address is not one with http or https"],
  [/^ANSWER_CUT_OFF$/, "the connection was closed before the end of the answer"],
  [/^ANSWER_TOO_LONG$/, "the answer is longer than 4 MiB"],
  [/^ANSWER_TOO_LATE$/, "it did not arrive within the time limit"]
]

/** There was no whole answer. */
export class Unanswered extends Data.TaggedError("Unanswered")<{ readonly code: string }> {
  override get message(): string {
    const cause = causes.find(([code]) => code.test(this.code))?.[1]
    return cause === undefined ? `no answer (${this.code})` : `no answer: ${cause} (${this.code})`
  }
}
