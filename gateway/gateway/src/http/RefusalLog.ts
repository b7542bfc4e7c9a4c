/** Logs refused requests: the gateway's own numbers, and from the client's fields only its number of the order. */
import * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect } from "effect"
import type { RequestRefused } from "../kernel/Answer.ts"
import * as LogText from "../kernel/LogText.ts"

const { codes } = ErrorCode

/** Codes of refusals of unauthenticated requests. They are logged at debug level, because any client could fill the log. */
const unproved: ReadonlySet<number> = new Set([
  codes.acceptRequired.code,
  codes.contentTypeRequired.code,
  codes.malformedForm.code,
  codes.tooManyParameters.code,
  codes.authenticationFailed.code,
  codes.oauthMalformed.code,
  codes.oauthMethodUnsupported.code,
  codes.oauthSignatureInvalid.code,
  codes.timestampSkewed.code,
  codes.notFound.code,
  codes.methodNotAllowed.code,
  codes.rateLimited.code
])

/**
 * The operation and the endpoint number in the path of a request. A path that has none is not logged, because it may contain
 * anything.
 */
export interface Place {
  readonly operation: { readonly name: string }
  readonly pathId: string
}

export const log = (refused: RequestRefused, place: Place | undefined): Effect.Effect<void> => {
  const { clientOrderId, code, orderId, problems, status } = refused
  const write = unproved.has(code) ? Effect.logDebug : Effect.logInfo
  return write("A request was refused").pipe(
    Effect.annotateLogs({
      ...(place === undefined ? {} : { operation: place.operation.name, endpoint: LogText.of(place.pathId) }),
      status,
      code,
      fields: LogText.of(problems.map(({ field }) => field).join(",")),
      ...(orderId === undefined ? {} : { orderId }),
      ...(clientOrderId === undefined ? {} : { clientOrderId: LogText.of(clientOrderId) })
    })
  )
}
