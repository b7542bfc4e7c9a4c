/**
 * Delivers one try of one callback: a GET to an address that a merchant named (decisions: callback). What the answer
 * means, and when to try again, is for the caller.
 */
import { Context, type Effect, Schema } from "effect"

/** The URL, its port or an address of its host is not allowed: nothing was sent. */
export class Refused extends Schema.TaggedClass<Refused>()("Refused", { message: Schema.String }) {}
/** The host has no address, or nobody can say. */
export class Unresolved extends Schema.TaggedClass<Unresolved>()("Unresolved", { message: Schema.String }) {}
/** No connection: nothing was sent. */
export class Unreachable extends Schema.TaggedClass<Unreachable>()("Unreachable", { message: Schema.String }) {}
/** The server does not prove by its certificate that it is the host. */
export class Untrusted extends Schema.TaggedClass<Untrusted>()("Untrusted", { message: Schema.String }) {}
/** No answer in time. */
export class TimedOut extends Schema.TaggedClass<TimedOut>()("TimedOut", { message: Schema.String }) {}
/** The connection ended, or what came was not HTTP, before there was a status. */
export class Broken extends Schema.TaggedClass<Broken>()("Broken", { message: Schema.String }) {}

/** Why a callback got no answer; `message` is short, printable and names no secret: the delivery log keeps it. */
export class CallbackFailure extends Schema.TaggedError<CallbackFailure>()("CallbackFailure", {
  reason: Schema.Union([Refused, Unresolved, Unreachable, Untrusted, TimedOut, Broken])
}) {
  override get message(): string {
    return this.reason.message
  }
}

export interface Callback {
  /** Complete, with its query, as `CallbackUrl.withQuery` writes it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export class CallbackSender extends Context.Service<
  CallbackSender,
  {
    /** The status of the answer, whatever it is: a redirect is not followed, and nothing but the status counts. */
    readonly send: (callback: Callback) => Effect.Effect<{ readonly status: number }, CallbackFailure>
  }
>()("@pay/gateway/CallbackSender") {}
