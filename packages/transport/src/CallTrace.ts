/** The span of one call: route template and order ids, never a field of the payer or the card. */
import { Effect, Exit, Tracer } from "effect"
import type { Call } from "./Call.ts"
import * as RequestForm from "./RequestForm.ts"

/** Without a tracer that would keep the span, costs nothing. Nothing of it is sent to the gateway. */
export const traced =
  (call: Call) =>
  <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
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

const conclude = (span: Tracer.Span, exit: Exit.Exit<unknown, unknown>): void => {
  if (Exit.isFailure(exit)) return
  const answer = exit.value
  if (typeof answer !== "object" || answer === null || !("paynet-order-id" in answer)) return
  span.attribute("pay.order_id", answer["paynet-order-id"])
}
