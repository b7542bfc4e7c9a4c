/** An operator who asks the gateway of the context over its socket. */
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect, Schema } from "effect"
import * as Http from "./Http.ts"

export interface Reply extends Http.Answer {
  /** Empty where the answer is not JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

type Method = "GET" | "POST"

/** Sends a request to the operator interface, with the token if there is one and the content as JSON. */
export const as =
  (token?: string) =>
  (method: Method, target: string, sent?: object): Effect.Effect<Reply, never, NodeServer> =>
    Effect.gen(function* () {
      const { operatorUrl } = yield* NodeServer
      const answer = yield* Http.send(operatorUrl + target, {
        method,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        body: sent === undefined ? undefined : JSON.stringify(sent)
      })
      const isJson = String(answer.headers["content-type"]).startsWith("application/json")
      return { ...answer, body: isJson ? Http.json(answer.text) : {} }
    })

export const ask = as()

const Displayed = Schema.decodeUnknownSync(
  Schema.Struct({ resolutions: Schema.Array(Schema.Struct({ digest: Schema.String, state: Schema.String })) })
)

/** A second person confirms what the order shows as proposed, or as settled last. */
export const confirm = Effect.fnUntraced(function* (who: ReturnType<typeof as>, orderId: string, output: object) {
  const { body } = yield* who("GET", `/operator/orders/${orderId}`)
  const { resolutions } = Displayed(body)
  const meant = resolutions.find(({ state }) => state === "proposed") ?? resolutions.at(-1)
  const digest = meant?.digest ?? "0".repeat(32)
  return yield* who("POST", `/operator/orders/${orderId}/confirm`, { digest, ...output })
})
