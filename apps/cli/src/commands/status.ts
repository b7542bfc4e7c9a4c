/** `pay status`: prints the status of an order, once or until it is final. */

import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Result } from "effect"
import * as AnswerText from "../AnswerText.ts"
import * as Client from "../Client.ts"
import { commands } from "../Commands.ts"
import * as Credentials from "../Credentials.ts"
import { codes, type ExitCode } from "../ExitCode.ts"
import * as Failure from "../Failure.ts"
import * as Flags from "../Flags.ts"
import * as Output from "../Output.ts"
import * as Program from "../Program.ts"
import { UsageError } from "../UsageError.ts"
import { changes, type WatchEvents, watch } from "../Watch.ts"

const operation = PayApi.operations.STATUS

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.parse(args, { flags: new Map(Object.entries(commands.status.flags)) }, "status")
  const [clientOrderId, ...others] = given.operands
  const orderId = given.flags.get("orderid")
  if ((clientOrderId === undefined && orderId === undefined) || others.length > 0) {
    throw new UsageError("Name one order: pay status CLIENT_ORDERID, or pay status --orderid ID", "status")
  }
  const asJson = given.flags.has("json")
  const request = decode({
    login: Credentials.need(given, "login"),
    client_orderid: clientOrderId,
    orderid: orderId,
    "by-request-sn": given.flags.get("by-request-sn")
  })
  const attempt = { operation, clientOrderId, orderId, idempotencyKey: undefined }
  if (Result.isFailure(request)) return fail(Failure.invalid(request.failure, `call ${operation.command}`), asJson)
  const isWatched = given.flags.has("watch")

  const program = Effect.gen(function* () {
    const client = yield* PayClient.PayClient
    const ask = client.status(request.success)
    return isWatched ? yield* watch(ask, telling(asJson)) : { answer: yield* ask, isFinal: false }
  })
  const ended = await Program.run(Effect.provide(program, await Client.layer(given)))
  if (ended._tag === "Stopped") return fail(Failure.interrupted(attempt), asJson)
  if (ended._tag === "Failed") return fail(Failure.describe(ended.error, attempt), asJson)

  const { answer, isFinal } = ended.value
  if (!isWatched) {
    tell(AnswerText.table(AnswerText.texts(answer)), answer, asJson)
    return codes.ok
  }
  if (isFinal) return answer.status === "approved" ? codes.ok : codes.refused
  const text = "Nothing has changed for an hour: wait for the callback, or ask again later."
  Output.printFailure({ text, json: { outcome: "unknown", reason: "Unchanged" } }, asJson)
  return codes.unknown
}

const decode = (texts: Readonly<Record<string, string | undefined>>) =>
  Operation.decode(operation)(
    Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])))
  )

const fail = ({ code, report }: Failure.Failure, asJson: boolean): ExitCode => {
  Output.printFailure(report, asJson)
  return code
}

const tell = (text: string, answer: StatusResponse, asJson: boolean): void =>
  Output.print({ text, json: { outcome: "answered", operation: operation.name, answer } }, asJson)

const telling = (asJson: boolean): WatchEvents => ({
  onChange: (answer, before, elapsedMs) => {
    const texts = AnswerText.texts(answer)
    if (before === undefined) return tell(AnswerText.table(texts), answer, asJson)
    const changed = changes(before, answer).map((name) => `${name} ${texts[name]}`)
    tell(`+${Math.round(elapsedMs / 1000)} s  ${changed.join(", ")}`, answer, asJson)
  },
  onMissed: (error) =>
    Output.printFailure({ text: `${error.message}; asking again`, json: { outcome: "asking-again" } }, asJson)
})
