/** The command of the command line that does what a request of an operation does, for people who read an answer elsewhere. */
import type { OperatorOperation } from "./OperatorOperation.ts"
import * as OperatorParameter from "./OperatorParameter.ts"

const plain = /^[\w.:@/+-]+$/

/** Quotes a word for a POSIX shell, if it needs that. */
const quoted = (word: string): string => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/**
 * @example of(operations.searchOrders, { status: "unknown" }) // "pay orders search --status unknown"
 */
export const of = (operation: OperatorOperation, input: Readonly<Record<string, unknown>>): string => {
  const flags = Object.entries(operation.input.fields).flatMap(([name, field]) => {
    const info = OperatorParameter.infoOf(field)
    if (info === undefined || input[name] === undefined || operation.operands.includes(name)) return []
    const flag = `--${OperatorParameter.flagOf(name, info)}`
    if (info.kind === "switch") return [flag]
    return [flag, info.kind === "duration" ? `${Math.ceil(Number(input[name]) / 1000)}s` : quoted(String(input[name]))]
  })
  const operands = operation.operands.map((name) => quoted(String(input[name])))
  return ["pay", operation.command, ...operands, ...flags].join(" ")
}
