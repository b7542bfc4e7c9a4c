/** A merchant's ear on the loopback: takes callbacks that prove where they come from, and keeps them in order. */
import { createServer } from "node:http"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Context, Effect, Layer, Redacted } from "effect"
import * as TestGateway from "./TestGateway.ts"

export class Inbox extends Context.Service<
  Inbox,
  { readonly url: string; readonly about: (orderid: string) => ReadonlyArray<CallbackReceiver.Proved> }
>()("tests/system/Inbox") {}

const controlKeys = [Redacted.make(TestGateway.controlKey)]

export const layer = Layer.effect(
  Inbox,
  Effect.gen(function* () {
    const arrived: Array<CallbackReceiver.Proved> = []
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const server = createServer(({ headers, url = "" }, response) => {
      const answer = (status: number) => response.writeHead(status).end()
      run(
        Effect.match(CallbackReceiver.verify({ url, headers }, { controlKeys, requireWebhookHeaders: true }), {
          onFailure: () => answer(400),
          onSuccess: (callback) => {
            arrived.push(callback)
            answer(200)
          }
        })
      )
    })
    yield* Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    })
    yield* Effect.addFinalizer(() =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return {
      url: `http://127.0.0.1:${port}/callback`,
      about: (orderid: string) => arrived.filter((callback) => callback.orderid === orderid)
    }
  })
)
