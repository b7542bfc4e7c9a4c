/** What a wire is asked, what it answers, and how it fails: for the wires themselves and whoever sends by one. */
import { Context, Data, Duration, Effect } from "effect"

/** One HTTP `POST`, ready to go: signed, encoded, with every header. */
export interface WireRequest {
  /** Absolute http(s) URL without fragment. */
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The form-encoded body. */
  readonly body: string
  /** The wire gives up after this many milliseconds, whatever it is waiting for. */
  readonly timeoutMs: number
}

/** What came back: any status, with the whole body as text. */
export interface WireAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/**
 * No answer. `NotSent`: provably no byte of the request left this process. `Lost`: the gateway may have received
 * it, so nothing is known about the outcome.
 */
export class WireError extends Data.TaggedError("WireError")<{
  readonly reason: "NotSent" | "Lost"
  /** The machine's name of what happened, e.g. `ECONNREFUSED`; never text from the request or the answer. */
  readonly code: string
}> {
  override get message(): string {
    return `${this.reason}: ${this.code}`
  }
}

/** The code of a request whose time was up. */
export const DEADLINE = "DEADLINE"

/** Sends requests to a gateway: never follows a redirect, never repeats a request, never adds tracing headers. */
export class Wire extends Context.Service<
  Wire,
  { readonly send: (request: WireRequest) => Effect.Effect<WireAnswer, WireError> }
>()("@pay/transport/Wire") {}

/** Gives up in time. What had begun by then may have arrived. */
export const expiring = (
  request: WireRequest,
  sending: Effect.Effect<WireAnswer, WireError>
): Effect.Effect<WireAnswer, WireError> =>
  Effect.timeoutOrElse(sending, {
    duration: Duration.millis(request.timeoutMs),
    orElse: () => Effect.fail(new WireError({ reason: "Lost", code: DEADLINE }))
  })
