/** The context of an operator's command: the client, the command line, and functions that print. */

import type { Given } from "../command/Flags.ts"
import type * as Color from "../terminal/Color.ts"
import type { Json, OperatorClient } from "./OperatorClient.ts"
import type { Operation } from "./OperatorOperations.ts"
import * as Rows from "./Rows.ts"

export interface OperatorWork {
  readonly client: OperatorClient
  /** The operation that the words of the command name. */
  readonly operation: Operation
  readonly given: Given
  /** The words after the operation. */
  readonly operands: ReadonlyArray<string>
  readonly print: (text: string, json: Json, paint?: Color.Painter) => void
  /** Prints progress on standard error, so that standard output contains only the answer. */
  readonly progress: (text: string) => void
}

const lookAgainMs = 500

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, lookAgainMs).ref())

/** Polls work that runs in the gateway until it ends, and returns its last report. */
export const followed = async <Report extends { readonly state: string }>(
  begun: Report,
  look: () => Promise<Report>,
  report: (report: Report) => void
): Promise<Report> => {
  let latest = begun
  while (latest.state === "running") {
    report(latest)
    await pause()
    latest = await look()
  }
  return latest
}

/** Formats the plain fields, then a table for each list that is not empty. */
const page = ({ tables }: Operation, answer: Json): string =>
  [
    Rows.card(answer),
    ...Object.entries(answer).flatMap(([name, value]) => {
      const rows = Rows.rowsOf(value)
      const columns = tables.find(({ field }) => field === name)?.columns
      const all = [...new Set(rows.flatMap((row) => Object.keys(row)))]
      return rows.length === 0 ? [] : [`${name}\n${Rows.table(rows, columns ?? all)}`]
    })
  ].join("\n\n")

/** Formats an answer for people. */
export const textOf = (operation: Operation, answer: Json): string => {
  const message = operation.message(answer)
  if (message !== undefined) return message
  const { rows } = operation
  const headline = operation.headline(answer)
  const body = rows === undefined ? page(operation, answer) : Rows.table(Rows.rowsOf(answer[rows.field]), rows.columns)
  const more = typeof answer.next === "string" && rows !== undefined ? `\n\nMore: --after ${answer.next}` : ""
  return `${headline === undefined ? "" : `${headline}\n`}${body}${more}`
}

/** Formats an answer for programs. */
export const jsonOf = ({ jsonName }: Operation, answer: Json): Json =>
  jsonName === undefined ? answer : { [jsonName]: answer }
