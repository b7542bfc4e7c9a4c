/** Requests the status of an order. The order is named by the merchant's number, or with `--orderid`. */
import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import * as PayClient from "@pay/transport/PayClient"
import type { PayError } from "@pay/transport/PayError"
import { Effect, Result } from "effect"
import type { Given } from "../command/Flags.ts"
import * as Program from "../terminal/Program.ts"
import * as Client from "./Client.ts"
import * as Credentials from "./Credentials.ts"
import * as Failure from "./Failure.ts"

const operation = PayApi.operations.STATUS

/** Runs `use` with an effect that requests the status once. */
export const asking = async <A>(
  clientOrderId: string | undefined,
  given: Given,
  use: (ask: Effect.Effect<StatusResponse, PayError>) => Effect.Effect<A, PayError>
): Promise<Result.Result<A, Failure.Failure>> => {
  const orderId = given.flags.get("orderid")
  const serialNumber = given.flags.get("by-request-sn")
  const request = Operation.decode(operation)({
    login: Credentials.need(given, "login"),
    ...(clientOrderId !== undefined && { client_orderid: clientOrderId }),
    ...(orderId !== undefined && { orderid: orderId }),
    ...(serialNumber !== undefined && { "by-request-sn": serialNumber })
  })
  if (Result.isFailure(request)) return Result.fail(Failure.invalid(request.failure, `call ${operation.command}`))
  const program = Effect.flatMap(PayClient.PayClient, ({ status }) => use(status(request.success)))
  const ended = await Program.run(Effect.provide(program, await Client.layer(given)))
  if (ended._tag === "Done") return Result.succeed(ended.value)
  return Result.fail(Failure.ofEnd(ended, { operation, clientOrderId, orderId, idempotencyKey: undefined }))
}

/** Requests the status once. */
export const statusOf = (
  clientOrderId: string | undefined,
  given: Given
): Promise<Result.Result<StatusResponse, Failure.Failure>> => asking(clientOrderId, given, (ask) => ask)
