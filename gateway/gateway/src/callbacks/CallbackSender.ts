/**
 * Sends one callback once: a GET or a POST to an address that a merchant named (docs/assumptions.md#callback-delivery). The caller
 * interprets the answer and decides on further attempts.
 */
import { Context, type Effect, Schema } from "effect"

/** The URL, its port or an address of its host is not allowed: nothing was sent. */
export class Refused extends Schema.TaggedClass<Refused>()("Refused", { message: Schema.String }) {}
/** The host has no address, or its name cannot be resolved. */
export class Unresolved extends Schema.TaggedClass<Unresolved>()("Unresolved", { message: Schema.String }) {}
/** No connection: nothing was sent. */
export class Unreachable extends Schema.TaggedClass<Unreachable>()("Unreachable", { message: Schema.String }) {}
/** The certificate of the server does not prove that it is the host. */
export class Untrusted extends Schema.TaggedClass<Untrusted>()("Untrusted", { message: Schema.String }) {}
/** No answer in time. */
export class TimedOut extends Schema.TaggedClass<TimedOut>()("TimedOut", { message: Schema.String }) {}
/** The connection ended, or the answer was not HTTP, before there was a status. */
export class Broken extends Schema.TaggedClass<Broken>()("Broken", { message: Schema.String }) {}

/**
 * The reason why a callback got no answer. `message` is short and printable and contains no secret, because the delivery log
 * stores it.
 */
export class CallbackFailure extends Schema.TaggedError<CallbackFailure>()("CallbackFailure", {
  reason: Schema.Union([Refused, Unresolved, Unreachable, Untrusted, TimedOut, Broken])
}) {
  override get message(): string {
    return this.reason.message
  }
}

export interface Callback {
  /** The complete URL with its query, as `CallbackAddress.complete` returns it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body of a POST. Without it, the callback is a GET. */
  readonly body?: string | undefined
}

export class CallbackSender extends Context.Service<
  CallbackSender,
  {
    /**
     * Sends the callback and returns the status of the answer, whatever it is. A redirect is not followed, and only the status
     * matters.
     */
    readonly send: (callback: Callback) => Effect.Effect<{ readonly status: number }, CallbackFailure>
  }
>()("@pay/gateway/CallbackSender") {}
