/** How a simulated callback arrives, and how it fails to arrive. */
import * as CallbackSender from "@pay/gateway/CallbackSender"
import * as Callback from "@pay/schema/Callback"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"

/**
 * Returns the address with the content of a posted body as its query, so that checks compare both kinds in one way. Without a body
 * it is the address itself.
 */
export const asQuery = (url: string, body: string | undefined): string => {
  if (body === undefined) return url
  const parameters = Callback.jsonParameters(body)
  return `${url}?${Form.write(parameters.ok ? parameters.value : [])}`
}

export const unreachable = Effect.fail(
  new CallbackSender.CallbackFailure({ reason: new CallbackSender.Unreachable({ message: "connection refused" }) })
)

export const unanswered = Effect.fail(
  new CallbackSender.CallbackFailure({ reason: new CallbackSender.TimedOut({ message: "no answer" }) })
)
