/** The operators' commands, derived from the operator contract. The built program contains them as data, like the contract. */
import { type Group, groups } from "@pay/gateway/OperatorApi"
import * as ClockApi from "@pay/sandbox/ClockApi"
import * as Record from "effect/Record"
import type { Command } from "../command/Command.ts"
import type { Flag } from "../command/Flags.ts"
import * as Operands from "./Operands.ts"
import * as OperatorFlags from "./OperatorFlags.ts"
import * as OperatorOperations from "./OperatorOperations.ts"

type Operation = OperatorOperations.Operation

/** Commands whose own program takes what the operation does not say: a file instead of its contents. */
const ownUsages: Readonly<Record<string, string>> = {
  "payout list": "pay payout list --waiting --merchant LOGIN",
  "payout show": "pay payout show ORDER\n       pay payout approve ORDER\n       pay payout reject ORDER",
  "bookings import": "pay bookings import FILE --source SOURCE --from TIME --to TIME"
}
const ownFlags: Readonly<Record<string, Readonly<Record<string, Flag>>>> = {
  payout: {
    waiting: { about: "For list: only payouts that wait for a second person; list needs this flag." },
    "base-url": { value: "URL", about: "Everything before /api/… (PAY_BASE_URL)." },
    approver: { value: "NAME", about: "Your name in the gateway's configuration (PAY_APPROVER)." },
    "approver-key-file": {
      value: "FILE",
      about: "Your private key, PEM; - is standard input (PAY_APPROVER_KEY_FILE)."
    },
    yes: { about: "Sign without asking: for programs that have read the payout with show." }
  },
  logs: {
    limit: { value: "COUNT", about: "Show this many of the last requests, and end." },
    once: { about: "Only show the last requests: do not wait for further ones." },
    all: { about: "Show every request, also those that repeat a question with the same answer." }
  },
  bookings: {
    from: { value: "TIME", about: "For import: the start of the period that the list covers." },
    to: { value: "TIME", about: "For import: the end of that period." }
  }
}

const usageOf = (operation: Operation): string => {
  const flags = Operands.flagsOf(operation)
  const words = [
    ...operation.operands.map((name) => Operands.infoOf(operation, name)?.value ?? name.toUpperCase()),
    ...flags.flatMap(({ flag, info, required }) =>
      required && info.fallback === undefined ? `--${flag}${info.value === undefined ? "" : ` ${info.value}`}` : []
    ),
    ...(flags.some(({ required }) => !required) ? ["[flags]"] : [])
  ]
  return ownUsages[operation.command] ?? ["pay", operation.command, ...words].join(" ")
}

const verbOf = ({ command }: Operation): string => command.split(" ").slice(1).join(" ")

/** The flags of all operations of a command; one that not every operation takes says which do. */
const flagsOf = (operations: ReadonlyArray<Operation>): Readonly<Record<string, Flag>> => {
  const verbs = new Set(operations.map(verbOf))
  const uses = operations.flatMap((operation) =>
    Operands.flagsOf(operation).map(({ flag, info }) => ({ flag, info, verb: verbOf(operation) }))
  )
  return Object.fromEntries(
    uses.map(({ flag, info: { about, value } }) => {
      const takers = new Set(uses.filter((use) => use.flag === flag).map(({ verb }) => verb))
      const prefix = takers.size === verbs.size ? "" : `For ${[...takers].join(", ").replace(/, (\w+)$/, " and $1")}: `
      return [flag, { ...(value === undefined ? {} : { value }), about: `${prefix}${about}` }]
    })
  )
}

/** The commands by name, in the order of the groups. */
export const facts = Record.map({ ...groups, clock: ClockApi.group }, (group: Group, name): Command => {
  const operations = OperatorOperations.ofCommand(name)
  const usages = new Set(operations.map(usageOf))
  const usage = [...usages].filter((line) => !usages.has(`${line} [flags]`)).join("\n       ")
  const flags = { ...flagsOf(operations), ...ownFlags[name], ...OperatorFlags.flags }
  const { about, also, examples, summary } = group
  return { ...(also !== undefined && { also }), usage, summary, about, flags, examples }
})
