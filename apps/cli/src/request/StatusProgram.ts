/** `pay status`: prints the status of an order, once or until it is final. */

import * as PayApi from "@pay/schema/PayApi"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import { Effect, Result } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as AnswerText from "./AnswerText.ts"
import * as Failure from "./Failure.ts"
import { asking } from "./OrderStatus.ts"
import { changes, type WatchEvents, watch } from "./Watch.ts"

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.status, "status")
  const [clientOrderId, ...others] = given.operands
  if ((clientOrderId === undefined && !given.flags.has("orderid")) || others.length > 0) {
    throw new UsageError("Name one order: pay status CLIENT_ORDERID, or pay status --orderid ID", "status")
  }
  const asJson = given.flags.has("json")
  const isWatched = given.flags.has("watch")
  const result = await asking(clientOrderId, given, (ask) =>
    isWatched ? watch(ask, telling(asJson)) : Effect.map(ask, (answer) => ({ answer, isFinal: false }))
  )
  if (Result.isFailure(result)) return Failure.print(result.failure, asJson)
  const { answer, isFinal } = result.success
  if (!isWatched) {
    tell(AnswerText.table(AnswerText.texts(answer)), answer, asJson)
    return codes.ok
  }
  if (isFinal) return answer.status === "approved" ? codes.ok : codes.refused
  const text = "Nothing has changed for an hour: wait for the callback, or ask again later."
  Output.printFailure({ text, json: { outcome: "unknown", reason: "Unchanged" } }, asJson)
  return codes.unknown
}

const tell = (text: string, answer: StatusResponse, asJson: boolean): void =>
  Output.print({ text, json: { outcome: "answered", operation: PayApi.operations.STATUS.name, answer } }, asJson)

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
