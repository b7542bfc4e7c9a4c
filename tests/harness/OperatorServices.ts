/** What the operators' interface needs, around a sandbox in memory: no orders are made, and the gate is open. */
import { Handlers, LogThreshold, SecureRandom } from "@pay/gateway/Gateway"
import { KeyRing, KeyVaultLocal } from "@pay/gateway/KeyVault"
import { AuthClock, Ids } from "@pay/gateway/Store"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Effect, Layer } from "effect"
import * as RequestLog from "../../gateway/gateway/src/http/RequestLog.ts"
import * as Continuations from "../../gateway/gateway/src/orders/outcomes/Continuations.ts"
import * as OpenGate from "../../gateway/gateway/test/OpenGate.ts"

const { none } = Continuations

export const layer = Layer.mergeAll(
  Sandbox.layer(),
  Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing }))).pipe(
    Layer.provide(AuthClock.layer)
  ),
  Layer.merge(Ids.layer, RequestLog.layer).pipe(Layer.provideMerge(AuthClock.layer)),
  SecureRandom.layer,
  LogThreshold.layer("Warn"),
  OpenGate.layer,
  Layer.succeed(Handlers, new Map()),
  Layer.succeed(Continuations.Continuations, { api: none, hosted: none, recurring: none })
)
