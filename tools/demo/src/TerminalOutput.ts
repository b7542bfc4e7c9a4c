/** Formats the output of the demonstration: plain lines, with colours in a terminal. */
import * as Canonical from "@pay/schema/Canonical"
import * as Money from "@pay/schema/Money"
import type { Operation } from "@pay/schema/Operation"
import { Console, Effect } from "effect"

const coloured = process.stdout.isTTY && process.env.NO_COLOR === undefined
const paint = (code: number) => (text: string) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold = paint(1)
export const dim = paint(2)
export const red = paint(31)
export const green = paint(32)

export const say = (...lines: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.forEach(lines, (line) => Console.log(line), { discard: true })

/** Formats a label and a value as one line: `label      value`. */
export const row = (label: string, value: string): string => `  ${dim(label.padEnd(10))} ${value}`

/** Returns the parts over which the request's `control` is computed, which are joined without a separator. The key is not shown. */
export const signed = (operation: Operation, fields: Readonly<Record<string, string>>, endpointId: string): string => {
  if (operation.signing._tag !== "Control") return operation.signing.methods.join(" or ")
  const values = Canonical.controlValues(operation, fields, { endpointId, mode: "minor" })
  const parts = operation.signing.recipe.flatMap((slot) => values[slot] || [])
  return `sha1(${[...parts, dim("control key")].join(dim(" then "))})`
}

export const balances = (
  rows: ReadonlyArray<{ readonly account: string; readonly minor: bigint }>
): ReadonlyArray<string> =>
  rows
    .filter(({ minor }) => minor !== 0n)
    .map(({ account, minor }) =>
      row("", `${account.split("/").at(-1)?.padEnd(20)} ${Money.fromMinor(minor, "USD").padStart(10)}`)
    )
