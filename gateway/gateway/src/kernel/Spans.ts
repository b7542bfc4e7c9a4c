/**
 * Named spans of a payment: a request, its jobs, and their steps, such as a commit, a request to bank or rail, a callback. They exist
 * only in a program that provides a tracer, and steps only where their trace is sampled, because a span for every commit costs a tenth
 * of a sale's processor time.
 */
import { Context, Effect, Tracer } from "effect"

type Attributes = Readonly<Record<string, string>>

/**
 * Gives the effect a span with this name, as a step of the current trace. Attributes are the gateway's own numbers, never a field of
 * the payer or the card. Without a span they are not evaluated.
 */
export type Spanned = <A, E>(
  effect: Effect.Effect<A, E>,
  name: string,
  attributes?: () => Attributes,
  kind?: Tracer.SpanKind
) => Effect.Effect<A, E>

/** Whether the current trace is exported. */
const isSampled = Effect.withFiber((fiber) => Effect.succeed(fiber.cache.span?.sampled === true))

const traced: Spanned = (effect, name, attributes = () => ({}), kind = "internal") =>
  Effect.flatMap(isSampled, (sampled) =>
    sampled ? Effect.withSpan(effect, name, { captureStackTrace: false, attributes: attributes(), kind }) : effect
  )

const untraced: Spanned = (effect) => effect

/** The default tracer, which a program has if it provides none. */
const standard = Context.get(Context.empty(), Tracer.Tracer)

export const make: Effect.Effect<Spanned> = Effect.map(Tracer.Tracer, (tracer) =>
  tracer === standard ? untraced : traced
)

/** Begins a trace, or the part of a trace that this process contributes to the one of `parent`. */
export type Begun = <A, E>(
  effect: Effect.Effect<A, E>,
  name: string,
  options: {
    readonly kind: Tracer.SpanKind
    readonly parent: Tracer.AnySpan | undefined
    readonly attributes: Attributes
  }
) => Effect.Effect<A, E>

const begun: Begun = (effect, name, { parent, ...options }) =>
  Effect.withSpan(effect, name, {
    captureStackTrace: false,
    ...options,
    ...(parent === undefined ? { root: true } : { parent })
  })

/** What begins traces. Undefined: the program has no tracer. */
export const begin: Effect.Effect<Begun | undefined> = Effect.map(Tracer.Tracer, (tracer) =>
  tracer === standard ? undefined : begun
)

/** Adds what is known only at the end to the current span, if it is exported. */
export const annotate = (attributes: () => Readonly<Record<string, string | number>>): Effect.Effect<void> =>
  Effect.flatMap(isSampled, (sampled) => (sampled ? Effect.annotateCurrentSpan(attributes()) : Effect.void))
