/** What the operators' interface needs, around a sandbox in memory: no orders are made, and the gate is open. */
import { Handlers, LogThreshold, OperatorListener, OperatorServer, SecureRandom } from "@pay/gateway/Gateway"
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

/**
 * A process of the gateway on the store of the context. `token`: of the person who asks; without one, a program on the machine. `target`:
 * a path, with a query or without one.
 */
export const process = Effect.map(
  OperatorListener.answers().pipe(Effect.provide(OperatorServer.layer, { local: true })),
  (answer) =>
    (token: string | undefined, target: string, input?: object, remoteAddress = "127.0.0.1") => {
      const [path = "", query = ""] = target.split("?")
      return Effect.map(
        answer({
          method: input === undefined ? "GET" : "POST",
          path,
          query,
          body: JSON.stringify(input ?? {}),
          headers: { host: "127.0.0.1", ...(token && { authorization: `Bearer ${token}` }) },
          remoteAddress,
          publicBaseUrl: "http://127.0.0.1:8081"
        }),
        ({ body, status }) => ({ status, body: String(body), json: JSON.parse(String(body)) })
      )
    }
)
