/** A merchant's callback address without a network: keeps what arrives, answers 200. */
import { CallbackSender } from "@pay/gateway/CallbackSender"
import { Context, Effect, Layer } from "effect"

export interface Arrived {
  /** Address without its query. */
  readonly url: string
  readonly parameters: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

export class Inbox extends Context.Service<Inbox, { readonly arrived: ReadonlyArray<Arrived> }>()("tests/Inbox") {}

export const layer = Layer.effectContext(
  Effect.sync(() => {
    const arrived: Array<Arrived> = []
    return Context.make(Inbox, { arrived }).pipe(
      Context.add(
        CallbackSender,
        CallbackSender.of({
          send: ({ headers, url }) =>
            Effect.sync(() => {
              const [address = "", query] = url.split("?")
              arrived.push({ url: address, parameters: Object.fromEntries(new URLSearchParams(query)), headers })
              return { status: 200 }
            })
        })
      )
    )
  })
)
