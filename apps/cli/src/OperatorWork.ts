/** What a command for operators works with: the client, the command line, and ways to print. */
import type { Given } from "./Flags.ts"
import type { Json, OperatorClient } from "./OperatorClient.ts"
import type { Operation } from "./OperatorOperations.ts"
import * as Rows from "./Rows.ts"

export interface OperatorWork {
  readonly client: OperatorClient
  /** The operation that the words of the command name. */
  readonly operation: Operation
  readonly given: Given
  /** The words that follow. */
  readonly operands: ReadonlyArray<string>
  readonly print: (text: string, json: Json) => void
  /** To people who wait: on standard error, so that standard output stays the answer. */
  readonly progress: (text: string) => void
}

const lookAgainMs = 500

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, lookAgainMs).ref())

/** Follows work that goes on in the gateway to its end, and returns its last report. */
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

/** The plain fields, then a table for each list that is not empty. */
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

/** An answer for people. */
export const textOf = (operation: Operation, answer: Json): string => {
  const message = operation.message(answer)
  if (message !== undefined) return message
  const { rows } = operation
  const headline = operation.headline(answer)
  const body = rows === undefined ? page(operation, answer) : Rows.table(Rows.rowsOf(answer[rows.field]), rows.columns)
  const more = typeof answer.next === "string" && rows !== undefined ? `\n\nMore: --after ${answer.next}` : ""
  return `${headline === undefined ? "" : `${headline}\n`}${body}${more}`
}

/** An answer for programs. */
export const jsonOf = ({ jsonName }: Operation, answer: Json): Json =>
  jsonName === undefined ? answer : { [jsonName]: answer }
