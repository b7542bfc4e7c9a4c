/**
 * Calls of an adapter, which the operator of the gateway wrote. Each answer is decoded by the schema of its port before the
 * gateway sees it. An answer that does not decode, a defect, a foreign error and an effect that ends itself count as a lost answer,
 * whose outcome is inquired about and never guessed.
 */
import { Cause, Data, Effect, Exit, Fiber, Predicate, Result, Schema, SchemaIssue } from "effect"
import * as CallMetrics from "./CallMetrics.ts"
import * as LogText from "./LogText.ts"
import * as RawAnswer from "./RawAnswer.ts"

const checked: unique symbol = Symbol.for("@pay/gateway/AdapterCall/checked")

/** An adapter all of whose answers are decoded. Only the port itself makes it, so that no program can provide one without. */
export type Checked<Adapter> = Adapter & { readonly [checked]: true }

export const mark = { [checked]: true } as const

/** The failures of one port. */
export interface Failures<E> {
  /** The name of the port in an adapter module. */
  readonly port: string
  /** Returns the failure that the adapter reported; undefined if the port has no such failure. */
  readonly reported: (error: unknown) => E | undefined
  /** Returns the failure of a call whose answer is lost. `answer`: what the adapter gave instead, as text. */
  readonly lost: (message: string, answer: string) => E
}

/** What the log names of a call. */
export interface About {
  readonly orderId?: string | undefined
  readonly reference?: string | undefined
}

/** Why an answer cannot be used. */
interface Problem {
  /** The part of the answer that is wrong. */
  readonly field: string
  readonly message: string
  readonly answer: string
}

const formatter = SchemaIssue.makeFormatterStandardSchemaV1()

const fieldOf = (path: ReadonlyArray<unknown>, value: unknown): string =>
  path.length > 0 ? path.map(String).join(".") : Predicate.hasProperty(value, "_tag") ? "_tag" : "answer"

/** Returns the parts of a value that its schema does not allow. */
const wrongParts = (error: Schema.SchemaError, value: unknown): ReadonlyArray<readonly [string, string]> =>
  formatter(error.issue).issues.map(({ message, path = [] }) => [fieldOf(path, value), message])

/** Makes the decoder of an answer. Reading a part of the value may throw. */
export const decoder = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (value: unknown): Result.Result<A, Problem> => {
    const answer = () => RawAnswer.text(value)
    const decoded = Result.try(() => decode(value))
    if (Result.isFailure(decoded))
      return Result.fail({ field: "answer", message: `it cannot be read: ${answer()}`, answer: answer() })
    return Result.mapError(decoded.success, (error) => {
      const parts = wrongParts(error, value)
      const message = parts.map(([field, text]) => `${field}: ${text}`).join("; ")
      return { field: parts[0]?.[0] ?? "answer", message, answer: answer() }
    })
  }
}

const isAnswer = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

/** A call returned something else than an effect. */
class NotAnEffect extends Data.Error<{ readonly message: string; readonly answer: string }> {}

const notAnEffect = (value: unknown): NotAnEffect => {
  const answer = RawAnswer.text(value)
  if (!Predicate.isPromiseLike(value)) return new NotAnEffect({ message: "it returned no Effect", answer })
  // A rejection that nothing awaits would end the process.
  void Promise.resolve(value).catch(() => undefined)
  return new NotAnEffect({ message: "it returned a promise, not an Effect: wrap it in Effect.tryPromise", answer })
}

/**
 * Runs a call in a fiber of its own, so that the adapter can neither interrupt the gateway's work nor, by being uninterruptible,
 * hold up a deadline.
 */
const run = (call: () => unknown): Effect.Effect<Exit.Exit<unknown, unknown>> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.forkDetach(
        Effect.suspend(() => {
          const made = call()
          return isAnswer(made) ? made : Effect.die(notAnEffect(made))
        }),
        { startImmediately: true }
      ),
      (fiber) => Effect.onInterrupt(restore(Fiber.await(fiber)), () => Effect.sync(() => fiber.interruptUnsafe()))
    )
  )

/** The problem of a failure that throws when it is read. */
const unreadable: Problem = {
  field: "error",
  message: "it failed with an unreadable error",
  answer: "an unreadable object"
}

/** Returns what a function reads of a value of the adapter, whose getters and proxies may throw. */
const read = <A>(reading: () => A, unreadable: A): A => Result.getOrElse(Result.try(reading), () => unreadable)

const problemOf = (cause: Cause.Cause<unknown>): Problem => {
  const failure = Cause.squash(cause)
  if (failure instanceof NotAnEffect) return { field: "answer", message: failure.message, answer: failure.answer }
  const answer = RawAnswer.text(failure)
  if (Cause.hasInterruptsOnly(cause)) return { field: "answer", message: "it interrupted itself", answer }
  return Cause.hasDies(cause)
    ? { field: "answer", message: `it died: ${answer}`, answer }
    : { field: "error", message: `it failed with an error that the port does not have: ${answer}`, answer }
}

/** `NotSent` or `AnswerLost`: what a port says of a failed call. */
const reasonOf = (error: unknown): unknown => (Predicate.hasProperty(error, "reason") ? error.reason : error)

const outcomes: ReadonlyMap<unknown, string> = new Map([
  ["Approved", "approved"],
  ["Declined", "declined"],
  ["Accepted", "accepted"],
  ["NotFound", "not-found"],
  ["NotSent", "not-sent"],
  ["AnswerLost", "lost"]
])

/** Returns how a call ended, for metrics: one of a few words. A call that was given up has lost its answer. */
const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit))
    return (Predicate.hasProperty(exit.value, "_tag") && outcomes.get(exit.value._tag)) || "answered"
  const reason = reasonOf(Cause.squash(exit.cause))
  return (Predicate.hasProperty(reason, "_tag") && outcomes.get(reason._tag)) || "lost"
}

/** Makes the calls of a port: of each method, the schema of its answer, what the log names, and the call itself. */
export const make =
  <E>({ lost, port, reported }: Failures<E>) =>
  <A>(method: string, schema: Schema.Decoder<A>) => {
    const decode = decoder(schema)
    const refuse = ({ answer, field, message }: Problem, about: About, cause?: Cause.Cause<unknown>) => {
      const text = `${port}.${method}: ${message}`
      return Effect.logError("An adapter gave an answer that its port does not have; it counts as lost").pipe(
        Effect.annotateLogs({
          ...{ adapter: port, method, ...about, field, problem: LogText.of(message), answer },
          ...(cause === undefined ? {} : { cause: LogText.of(read(() => Cause.pretty(cause), "unreadable")) })
        }),
        Effect.andThen(Effect.fail(lost(LogText.of(text), answer)))
      )
    }
    const reportedBy = (cause: Cause.Cause<unknown>): E | undefined => {
      const [reason, ...others] = cause.reasons
      if (reason === undefined || others.length > 0 || !Cause.isFailReason(reason)) return undefined
      return Result.getOrUndefined(Result.try(() => reported(reason.error)))
    }
    const answered = (about: About, call: () => unknown): Effect.Effect<A, E> =>
      Effect.flatMap(run(call), (exit): Effect.Effect<A, E> => {
        if (Exit.isFailure(exit)) {
          const failure = reportedBy(exit.cause)
          return failure === undefined
            ? refuse(
                read(() => problemOf(exit.cause), unreadable),
                about,
                exit.cause
              )
            : Effect.fail(failure)
        }
        const answer = decode(exit.value)
        return Result.isSuccess(answer) ? Effect.succeed(answer.success) : refuse(answer.failure, about)
      })
    const counterparty = { name: port, host: "" }
    return (about: About, call: () => unknown): Effect.Effect<A, E> =>
      CallMetrics.measured(counterparty, method, answered(about, call), outcomeOf)
  }
