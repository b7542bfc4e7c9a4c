/** `pay call`: calls any operation of the contract through the signing client. */
import { randomUUID } from "node:crypto"
import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Result } from "effect"
import { commands } from "../Commands.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import * as AnswerText from "./AnswerText.ts"
import * as Client from "./Client.ts"
import * as Credentials from "./Credentials.ts"
import * as DryRun from "./DryRun.ts"
import * as Failure from "./Failure.ts"
import * as FieldInput from "./FieldInput.ts"
import * as Mask from "./Mask.ts"

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const input = await FieldInput.read("call", commands.call, args)
  const { given, texts } = input
  const asJson = given.flags.has("json")
  Credentials.needSigning(given, input.operation.signing)
  const operation = PayApi.byCommand.get(input.operation.command)
  if (operation === undefined) throw new Error("the command line is older than the contract: run npm run docs")
  const request = Operation.decode(operation)(texts)
  if (Result.isFailure(request))
    return Failure.print(Failure.invalid(request.failure, `call ${operation.command}`), asJson)

  const isRepeatable = operation.acts === "onOrder" || operation.acts === "onSubscription"
  const idempotencyKey = given.flags.get("idempotency-key") ?? (isRepeatable ? randomUUID() : undefined)
  const attempt: Failure.Attempt = {
    operation,
    clientOrderId: texts.client_orderid ?? texts["client-order-id"] ?? texts["client-orderid"],
    orderId: texts.orderid,
    idempotencyKey
  }
  const calling = PayClient.call(operation, request.success, { ...(idempotencyKey && { idempotencyKey }) })
  const dry = given.flags.has("dry-run") ? DryRun.capturing() : undefined
  const client = await (dry === undefined ? Client.layer(given) : Client.layerOn(given, dry.layer))
  const ended = await Program.run(Effect.provide(calling, client))
  const captured = dry?.request()
  if (captured !== undefined) {
    Output.print(DryRun.report(input, captured), asJson)
    return codes.ok
  }
  if (ended._tag !== "Done") return Failure.print(Failure.ofEnd(ended, attempt), asJson)

  const conceal = Mask.conceal(input.operation, texts)
  const answer = Object.entries(AnswerText.texts(ended.value)).map(([name, text]) => [name, conceal(text)] as const)
  Output.print(report(Object.fromEntries(answer), attempt), asJson)
  return codes.ok
}

const report = (
  answer: Readonly<Record<string, string>>,
  { clientOrderId, idempotencyKey, operation }: Failure.Attempt
): Output.Report => {
  const orderId = answer["paynet-order-id"]
  const isAcknowledged = answer.type === "async-response" && clientOrderId !== undefined
  const next = isAcknowledged ? `${Failure.statusCommand(clientOrderId, orderId)} --watch` : undefined
  const key = idempotencyKey === undefined ? {} : { idempotencyKey }
  return {
    text: `${AnswerText.table(answer)}${next === undefined ? "" : `\n\nAccepted; the outcome comes later:\n  ${next}`}`,
    json: { outcome: "answered", operation: operation.name, ...key, answer, ...(next && { next }) }
  }
}
