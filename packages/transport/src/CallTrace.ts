/** The span of one call. It has the route template and order ids, and never a field of the payer or the card. */
import { Cause, Effect, Exit, Tracer } from "effect"
import type { Call } from "./Call.ts"
import type * as PayError from "./PayError.ts"
import * as RequestForm from "./RequestForm.ts"

/**
 * Runs a call in its span. Without a tracer that would record the span, none is made. No part of the span is sent to the gateway.
 */
export const traced =
  (call: Call) =>
  <A>(self: Effect.Effect<A, PayError.PayError>): Effect.Effect<A, PayError.PayError> =>
    Effect.withFiber((fiber) =>
      fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
        ? self
        : Effect.useSpan(`POST ${template(call)}`, { kind: "client", attributes: attributesOf(call) }, (span) =>
            self.pipe(
              Effect.onExit((exit) => Effect.sync(() => conclude(span, exit))),
              Effect.withParentSpan(span)
            )
          )
    )

const template = ({ operation }: Call): string => `${operation.path}/{endpointId}`

const attributesOf = (call: Call): Record<string, string> => {
  const { form, operation, url } = call
  const clientOrderId = RequestForm.clientOrderId(form)
  return {
    "http.request.method": "POST",
    "url.template": template(call),
    "server.address": new URL(url).hostname,
    "pay.operation": operation.name,
    "pay.endpoint_id": call.endpointId,
    ...(clientOrderId === undefined ? {} : { "pay.client_order_id": clientOrderId }),
    ...(form.texts.orderid === undefined ? {} : { "pay.order_id": form.texts.orderid })
  }
}

/** Adds the result to the span: the order for an answer, the kind of error for an error, and the HTTP status if there was one. */
const conclude = (span: Tracer.Span, exit: Exit.Exit<unknown, PayError.PayError>): void => {
  if (Exit.isFailure(exit)) {
    for (const reason of exit.cause.reasons) if (Cause.isFailReason(reason)) failed(span, reason.error)
    return
  }
  span.attribute("http.response.status_code", 200)
  const answer = exit.value
  if (typeof answer !== "object" || answer === null || !("paynet-order-id" in answer)) return
  span.attribute("pay.order_id", answer["paynet-order-id"])
}

const failed = (span: Tracer.Span, error: PayError.PayError): void => {
  span.attribute("error.type", error._tag)
  if (error._tag === "InvalidRequest") return
  const status = error._tag === "Refused" ? String(error.status) : error.code
  if (/^\d{3}$/.test(status)) span.attribute("http.response.status_code", Number(status))
  if (error._tag === "OutcomeUnknown" && error.orderId !== undefined) span.attribute("pay.order_id", error.orderId)
}
