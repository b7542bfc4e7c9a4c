/** The commands of the operator contract, as `npm run docs` writes them from it: help and flags need no Effect. */
import type { Command } from "./Command.ts"
import written from "./OperatorCommands.json" with { type: "json" }

/** A command as it stands in the file: other words with a blank between them, an example a line. */
export interface WrittenCommand extends Omit<Command, "also" | "examples"> {
  readonly also: string
  readonly examples: string
}

export type Name = keyof typeof written

/** A command as help shows it. */
export const read = ({ also, examples, ...command }: WrittenCommand): Command => ({
  ...command,
  ...(also !== "" && { also: also.split(" ") }),
  examples: examples.split("\n")
})

export const commands: Readonly<Record<Name, Command>> = {
  audit: read(written.audit),
  logs: read(written.logs),
  orders: read(written.orders),
  callbacks: read(written.callbacks),
  merchants: read(written.merchants),
  keys: read(written.keys),
  payout: read(written.payout),
  balance: read(written.balance),
  bookings: read(written.bookings),
  tasks: read(written.tasks),
  reconciliation: read(written.reconciliation),
  cards: read(written.cards),
  settlement: read(written.settlement),
  subscriptions: read(written.subscriptions),
  clock: read(written.clock)
}
