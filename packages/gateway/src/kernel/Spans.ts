/**
 * Named spans of the path of money: a request, a commit, a question to bank or rail, a callback. They exist only in a program that
 * provides a tracer. A span for every commit costs a tenth of a sale's processor time, and without a tracer nobody would read it.
 */
import { Context, Effect, Tracer } from "effect"

/**
 * Gives the effect a span with this name. Attributes are our own numbers, never a field of the payer or the card; nobody makes them
 * where there is no span.
 */
export type Spanned = <A, E>(
  effect: Effect.Effect<A, E>,
  name: string,
  attributes?: () => Readonly<Record<string, string>>
) => Effect.Effect<A, E>

const traced: Spanned = (effect, name, attributes = () => ({})) =>
  Effect.withSpan(effect, name, { captureStackTrace: false, attributes: attributes() })

const untraced: Spanned = (effect) => effect

/** The tracer of a context in which nobody has provided one. */
const standard = Context.get(Context.empty(), Tracer.Tracer)

export const make: Effect.Effect<Spanned> = Effect.map(Tracer.Tracer, (tracer) =>
  tracer === standard ? untraced : traced
)
