/**
 * Named spans of the steps of a payment: a request, a commit, a request to bank or rail, a callback. They exist only in a program
 * that provides a tracer, because a span for every commit costs a tenth of a sale's processor time.
 */
import { Context, Effect, Tracer } from "effect"

/**
 * Gives the effect a span with this name. Attributes are the gateway's own numbers, never a field of the payer or the card.
 * Without a span they are not evaluated.
 */
export type Spanned = <A, E>(
  effect: Effect.Effect<A, E>,
  name: string,
  attributes?: () => Readonly<Record<string, string>>
) => Effect.Effect<A, E>

const traced: Spanned = (effect, name, attributes = () => ({})) =>
  Effect.withSpan(effect, name, { captureStackTrace: false, attributes: attributes() })

const untraced: Spanned = (effect) => effect

/** The default tracer, which a program has if it provides none. */
const standard = Context.get(Context.empty(), Tracer.Tracer)

export const make: Effect.Effect<Spanned> = Effect.map(Tracer.Tracer, (tracer) =>
  tracer === standard ? untraced : traced
)
