/** A merchant's ear on the loopback: takes callbacks that prove where they come from, and keeps them in order. */
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Context, Effect, Layer, Redacted } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"
import { controlKey } from "./Credentials.ts"

export class Inbox extends Context.Service<
  Inbox,
  { readonly url: string; readonly about: (orderid: string) => ReadonlyArray<CallbackReceiver.VerifiedCallback> }
>()("tests/harness/Inbox") {}

const controlKeys = [Redacted.make(controlKey)]

export const layer = Layer.effect(
  Inbox,
  Effect.gen(function* () {
    const arrived: Array<CallbackReceiver.VerifiedCallback> = []
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const port = yield* serve(({ headers, url = "" }, response) => {
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
    return {
      url: `http://127.0.0.1:${port}/callback`,
      about: (orderid: string) => arrived.filter((callback) => callback.orderid === orderid)
    }
  })
)
