/** The request, the answer and the error of a wire, for implementations of a wire and for code that sends over one. */
import { Context, Data, Duration, Effect } from "effect"

/** One HTTP `POST` that is ready to be sent: signed, encoded, with every header. */
export interface WireRequest {
  /** Absolute http(s) URL without fragment. */
  readonly url: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The form-encoded body. */
  readonly body: string
  /** Milliseconds after which the wire gives up, in every phase of the request. */
  readonly timeoutMs: number
}

/** The answer to a request: any status, with the whole body as text. */
export interface WireAnswer {
  readonly status: number
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/**
 * There is no answer. `NotSent`: provably no byte of the request left this process. `Lost`: the gateway may have received the
 * request, so its outcome is unknown.
 */
export class WireError extends Data.TaggedError("WireError")<{
  readonly reason: "NotSent" | "Lost"
  /** The system's code of the cause, such as `ECONNREFUSED`; never text from the request or the answer. */
  readonly code: string
}> {
  override get message(): string {
    return `${this.reason}: ${this.code}`
  }
}

/** The code of the error of a request whose time was up. */
export const DEADLINE = "DEADLINE"

/** Sends requests to a gateway: never follows a redirect, never repeats a request, never adds tracing headers. */
export class Wire extends Context.Service<
  Wire,
  { readonly send: (request: WireRequest) => Effect.Effect<WireAnswer, WireError> }
>()("@pay/transport/Wire") {}

/** Limits the duration of a request. A request that began before the limit may have arrived, so the error is `Lost`. */
export const expiring = (
  request: WireRequest,
  sending: Effect.Effect<WireAnswer, WireError>
): Effect.Effect<WireAnswer, WireError> =>
  Effect.timeoutOrElse(sending, {
    duration: Duration.millis(request.timeoutMs),
    orElse: () => Effect.fail(new WireError({ reason: "Lost", code: DEADLINE }))
  })
