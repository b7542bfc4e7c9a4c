/**
 * The port between the signed client and the network: send one request, get one answer, and when there is none,
 * say whether the gateway can have seen a byte of it. Money depends on that last word.
 */
import { Effect, Layer, type Scope } from "effect"
import type { HttpClient } from "effect/http"
import * as FetchWire from "./FetchWire.ts"
import type { InvalidSetting } from "./InvalidSetting.ts"
import * as UndiciExchange from "./UndiciExchange.ts"
import { DEADLINE, expiring, Wire, type WireAnswer, WireError, type WireRequest } from "./WirePort.ts"

export { DEADLINE, expiring, Wire, type WireAnswer, WireError, type WireRequest } from "./WirePort.ts"

export type UndiciOptions = UndiciExchange.Options

/**
 * Own keep-alive connection pool of undici over HTTP/1.1; closes with the layer's scope. At most so many requests are
 * under way as there are connections; further ones wait their turn, and an expired one proves that nothing left. Refused
 * where the runtime has an undici of its own, as Bun has: {@link layerFetch} works there.
 */
export const layerUndici = (options: UndiciOptions = {}): Layer.Layer<Wire, InvalidSetting> =>
  Layer.effect(
    Wire,
    Effect.flatMap(UndiciExchange.load, (undici) => makeUndici(options, undici))
  )

/** The wire of {@link layerUndici} on a module that is loaded already. */
export const makeUndici = (
  options: UndiciOptions,
  undici: UndiciExchange.Undici
): Effect.Effect<Wire["Service"], InvalidSetting, Scope.Scope> =>
  Effect.map(UndiciExchange.make(options, undici), (exchange) =>
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

/**
 * Any Effect `HttpClient` (platform, fetch, instrumented …). It must neither retry nor follow redirects (fetch is told so),
 * or `NotSent` proves nothing. Costs two to three times the CPU of {@link layerUndici}.
 */
export const layerHttpClient: Layer.Layer<Wire, never, HttpClient.HttpClient> = /* @__PURE__ */ Layer.unwrap(
  /* @__PURE__ */ Effect.promise(async () => (await import("./HttpClientWire.ts")).layer)
)

/** See {@link FetchWire.layer} of this package: `fetch` of the runtime, without any package. */
export const layerFetch = FetchWire.layer

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
