/**
 * The port between the signed client and the network. It sends one request and returns one answer. Without an answer, its error
 * states whether the gateway may have received a byte of the request. Whether a payment may be repeated depends on this.
 */
import { Effect, Layer, type Scope } from "effect"
import * as FetchWire from "./FetchWire.ts"
import type { InvalidSetting } from "./InvalidSetting.ts"
import * as UndiciExchange from "./UndiciExchange.ts"
import { DEADLINE, expiring, Wire, type WireAnswer, WireError, type WireRequest } from "./WirePort.ts"

export { DEADLINE, expiring, Wire, type WireAnswer, WireError, type WireRequest } from "./WirePort.ts"

/** The options of {@link layerUndici}. */
export type UndiciOptions = UndiciExchange.Options

/**
 * A wire with its own pool of keep-alive connections of undici over HTTP/1.1. The pool closes with the layer's scope. The number
 * of concurrent requests is limited by the number of connections. Further requests wait; a request that expires while it waits
 * provably was not sent. Fails on a runtime with an undici of its own, such as Bun: use {@link layerFetch} there.
 */
export const layerUndici = (options: UndiciOptions = {}): Layer.Layer<Wire, InvalidSetting> =>
  Layer.effect(
    Wire,
    Effect.flatMap(UndiciExchange.load, (undici) => makeUndici(options, undici))
  )

/** Makes the wire of {@link layerUndici} with a module that is already loaded. */
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

/** A wire over the `fetch` of the runtime, which needs no package. See {@link FetchWire.layer} of this package. */
export const layerFetch = FetchWire.layer

/** A wire whose answers come from a function in this process: for tests, and for a gateway embedded beside its client. */
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
