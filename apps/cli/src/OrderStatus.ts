/** Requests the status of an order once. The order is named by the merchant's number, or with `--orderid`. */
import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Result } from "effect"
import * as Client from "./Client.ts"
import * as Credentials from "./Credentials.ts"
import * as Failure from "./Failure.ts"
import type { Given } from "./Flags.ts"
import * as Program from "./Program.ts"

const operation = PayApi.operations.STATUS

export type StatusResult =
  | { readonly _tag: "Answered"; readonly answer: StatusResponse }
  | { readonly _tag: "Failed"; readonly failure: Failure.Failure }

export const statusOf = async (clientOrderId: string | undefined, given: Given): Promise<StatusResult> => {
  const orderId = given.flags.get("orderid")
  const request = Operation.decode(operation)({
    login: Credentials.need(given, "login"),
    ...(clientOrderId !== undefined && { client_orderid: clientOrderId }),
    ...(orderId !== undefined && { orderid: orderId })
  })
  const attempt: Failure.Attempt = { operation, clientOrderId, orderId, idempotencyKey: undefined }
  if (Result.isFailure(request))
    return { _tag: "Failed", failure: Failure.invalid(request.failure, `call ${operation.command}`) }
  const ask = Effect.flatMap(PayClient.PayClient, (client) => client.status(request.success))
  const ended = await Program.run(Effect.provide(ask, await Client.layer(given)))
  if (ended._tag === "Done") return { _tag: "Answered", answer: ended.value }
  const failure = ended._tag === "Stopped" ? Failure.interrupted(attempt) : Failure.describe(ended.error, attempt)
  return { _tag: "Failed", failure }
}
