/** The span of a request of a merchant, with the names of OpenTelemetry's conventions for HTTP servers. */
import { Effect } from "effect"
import type { Answer } from "../kernel/Answer.ts"
import { Settings } from "../kernel/Settings.ts"
import * as Spans from "../kernel/Spans.ts"
import * as TraceContext from "../kernel/TraceContext.ts"
import { header, type ReceivedRequest } from "./RequestHead.ts"
import * as RequestLog from "./RequestLog.ts"
import { operationPathOf, type Target } from "./RequestTarget.ts"
import { orderIdOf } from "./WrittenAnswer.ts"

export const make = Effect.gen(function* () {
  const begin = yield* Spans.begin
  const { traceFromMerchants } = yield* Settings

  const ended = (observed: RequestLog.Observed) => (answer: Answer) =>
    Spans.annotate(() => {
      // The number in the request may be any text, so it is masked like in the log.
      const orderId = orderIdOf(answer) ?? RequestLog.aboutOf(observed).orderId
      return {
        "http.response.status_code": answer.status,
        ...(answer.status >= 500 && { "error.type": String(answer.status) }),
        ...(observed.merchant !== undefined && { "pay.merchant": observed.merchant }),
        ...(observed.operation !== undefined && { "pay.operation": observed.operation }),
        ...(observed.merchant !== undefined && orderId !== undefined && { "pay.order_id": orderId })
      }
    })

  return (
    request: ReceivedRequest,
    { path }: Target,
    observed: RequestLog.Observed,
    answer: Effect.Effect<Answer>
  ): Effect.Effect<Answer> => {
    if (begin === undefined) return answer
    const operation = operationPathOf(path)?.operation
    const route = operation === undefined ? undefined : `${operation.path}/{endpoint}`
    return begin(
      Effect.tap(answer, ended(observed)),
      route === undefined ? request.method : `${request.method} ${route}`,
      {
        kind: "server",
        parent: traceFromMerchants ? TraceContext.parse(header(request, "traceparent")) : undefined,
        attributes: {
          "http.request.method": request.method,
          ...(route !== undefined && { "http.route": route }),
          "client.address": request.remoteAddress
        }
      }
    )
  }
})
