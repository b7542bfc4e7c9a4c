/** Receives the callbacks of the demonstration's merchant: a server on the loopback interface that verifies each of them. */
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Context, Deferred, Effect, Layer, type Redacted } from "effect"
import * as LoopbackServer from "./LoopbackServer.ts"

export class Inbox extends Context.Service<
  Inbox,
  {
    /** The address that receives the callbacks. */
    readonly url: string
    /** Waits for the verified callback about the request with this `serial-number`. */
    readonly about: (serialNumber: string) => Effect.Effect<CallbackReceiver.VerifiedCallback>
    /** Waits for the first verified callback about the order with this `client_orderid`. */
    readonly aboutOrder: (clientOrderId: string) => Effect.Effect<CallbackReceiver.VerifiedCallback>
  }
>()("@pay/demo/Inbox") {}

export const layer = (controlKey: Redacted.Redacted<string>): Layer.Layer<Inbox> =>
  Layer.effect(
    Inbox,
    Effect.gen(function* () {
      const arrivals = new Map<string, Deferred.Deferred<CallbackReceiver.VerifiedCallback>>()
      const arrival = (name: string) => {
        const existing = arrivals.get(name) ?? Deferred.makeUnsafe<CallbackReceiver.VerifiedCallback>()
        arrivals.set(name, existing)
        return existing
      }
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const take = Effect.fnUntraced(function* (url: string, headers: NodeJS.Dict<string | string[]>) {
        const callback = yield* CallbackReceiver.verify(
          { url, headers },
          { controlKeys: [controlKey], requireWebhookHeaders: true }
        )
        yield* Deferred.succeed(arrival(callback["serial-number"] ?? ""), callback)
        yield* Deferred.succeed(arrival(`order ${callback.client_orderid}`), callback)
      })
      const address = yield* LoopbackServer.serve(0, (request, response) => {
        const answer = (status: number) => void response.writeHead(status).end()
        run(
          Effect.match(take(request.url ?? "", request.headers), {
            onFailure: () => answer(400),
            onSuccess: () => answer(200)
          })
        )
      }).pipe(Effect.orDie)
      return {
        url: `${address}/callback`,
        about: (serialNumber) => Deferred.await(arrival(serialNumber)),
        aboutOrder: (clientOrderId) => Deferred.await(arrival(`order ${clientOrderId}`))
      }
    })
  )
