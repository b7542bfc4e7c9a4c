/** Spans of flows. Their attributes name the order and the outcome, and contain no field of the payer or the card. */
import { Cause, Effect, Exit, Option, Predicate } from "effect"

type Attributes = Readonly<Record<string, string>>

const textOf = (value: unknown, name: string): string | undefined =>
  Predicate.hasProperty(value, name) && typeof value[name] === "string" ? value[name] : undefined

const withoutUndefined = (attributes: Readonly<Record<string, string | undefined>>): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  )

/**
 * Returns the attributes of the order in a result or an error of a flow. The order is the value itself or its field `order`. An
 * error has no order if the gateway created none.
 */
const orderOf = (value: unknown): Attributes => {
  const order = Predicate.hasProperty(value, "order") ? value.order : value
  return withoutUndefined({
    "pay.order_id": textOf(order, "orderId"),
    "pay.client_order_id": textOf(order, "clientOrderId") ?? textOf(value, "clientOrderId"),
    "pay.recurring_payment_id": textOf(value, "recurringPaymentId")
  })
}

/** Returns the attributes of the outcome. There are none if the flow was suspended or interrupted. */
const endOf = (exit: Exit.Exit<unknown, unknown>): Attributes => {
  if (Exit.isSuccess(exit)) {
    const order = Predicate.hasProperty(exit.value, "order") ? exit.value.order : exit.value
    return { ...orderOf(exit.value), "pay.outcome": textOf(order, "status") ?? "succeeded" }
  }
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  const tag = textOf(error, "_tag")
  return tag === undefined ? {} : { ...orderOf(error), "pay.outcome": tag, "error.type": tag }
}

/** Each stack would be the one of the engine. */
const withoutStack = { captureStackTrace: false }

/** Runs the effect in the span of a flow, with attributes for the flow, its identity, the order and the outcome. */
export const traced =
  (flow: string, workflowId: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    self.pipe(
      Effect.onExit((exit) => Effect.annotateCurrentSpan(endOf(exit))),
      Effect.withSpan(`Flow.${flow}`, { attributes: { "pay.flow": flow, "pay.flow_id": workflowId } }, withoutStack)
    )
