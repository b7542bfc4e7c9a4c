/** A merchant's request that reaches the gateway without the simulated network. */
import { Front } from "@pay/gateway/Gateway"
import { Context } from "effect"
import type { Exchange } from "../OwnGateway.ts"
import { baseUrl, type SimulatedSystem } from "../SimulatedSystem.ts"

export type Sent = Pick<Exchange, "target" | "headers" | "body">
export type Reply = Pick<Exchange, "status" | "answer">

/** Returns undefined if the gateway is down, overloaded or without a store, or crashes during the request. */
export const ask = async (
  { gateway, run }: SimulatedSystem,
  { body, headers, target }: Sent
): Promise<Reply | undefined> => {
  const answer = await run(
    gateway.serve((services) =>
      Context.get(services, Front).handle({
        ...{ method: "POST", publicBaseUrl: baseUrl, target, headers, body },
        remoteAddress: "127.0.0.1"
      })
    )
  )
  if (answer === "refused" || answer === "cut" || answer.status === 429 || answer.status >= 500) return undefined
  return { status: answer.status, answer: answer.body }
}
