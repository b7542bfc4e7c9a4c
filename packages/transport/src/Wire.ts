/**
 * The port between the signed client and the network: send one request, get one answer, and when there is none,
 * say whether the gateway can have seen a byte of it. Money depends on that last word.
 */
import { Context, Data, Duration, Effect, Layer } from "effect"
import type { HttpClient } from "effect/http"
import type { InvalidSetting } from "./InvalidSetting.ts"
import * as UndiciExchange from "./UndiciExchange.ts"

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

export type UndiciOptions = UndiciExchange.Options

/**
 * Own keep-alive connection pool of undici over HTTP/1.1; closes with the layer's scope. At most so many requests are
 * under way as there are connections; further ones wait their turn, and an expired one proves that nothing left. Refused
 * where the runtime has an undici of its own, as Bun has: {@link layerHttpClient} on `FetchHttpClient` works there.
 */
export const layerUndici = (options: UndiciOptions = {}): Layer.Layer<Wire, InvalidSetting> =>
  Layer.effect(
    Wire,
    Effect.map(UndiciExchange.make(options), (exchange) =>
      Wire.of({
        send: (request) =>
          Effect.callback<WireAnswer, WireError>((resume) =>
            exchange(request, {
              onAnswer: (answer) => resume(Effect.succeed(answer)),
              onError: (reason, code) => resume(Effect.fail(new WireError({ reason, code }))),
              onExpired: (reason) => resume(Effect.fail(new WireError({ reason, code: DEADLINE })))
            })
          )
      })
    )
  )

/**
 * Any Effect `HttpClient` (platform, fetch, instrumented …). It must neither retry nor follow redirects (fetch is told so),
 * or `NotSent` proves nothing. Costs two to three times the CPU of {@link layerUndici}.
 */
export const layerHttpClient: Layer.Layer<Wire, never, HttpClient.HttpClient> = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./HttpClientWire.ts")),
    (adapter) => adapter.layer
  )
)

/** Gives up in time. What had begun by then may have arrived. */
export const expiring = (
  request: WireRequest,
  sending: Effect.Effect<WireAnswer, WireError>
): Effect.Effect<WireAnswer, WireError> =>
  Effect.timeoutOrElse(sending, {
    duration: Duration.millis(request.timeoutMs),
    orElse: () => Effect.fail(new WireError({ reason: "Lost", code: DEADLINE }))
  })

/** Answers come from a function in this process: for tests, and for a gateway embedded beside its client. */
export const layerInProcess = (
  handler: (request: WireRequest) => Effect.Effect<WireAnswer, WireError>
): Layer.Layer<Wire> =>
  Layer.succeed(
    Wire,
    Wire.of({
      send: (request) =>
        expiring(
          request,
          Effect.suspend(() => handler(request))
        )
    })
  )
