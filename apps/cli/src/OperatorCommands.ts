/** The commands of the operator contract, from a file that `npm run docs` writes, so that help and flags need no Effect. */
import type { Command } from "./Command.ts"
import written from "./OperatorCommands.json" with { type: "json" }

/** A command as the file contains it: other names separated by spaces, one example per line. */
export interface WrittenCommand extends Omit<Command, "also" | "examples"> {
  readonly also: string
  readonly examples: string
}

export type Name = keyof typeof written

const asCommand = ({ also, examples, ...command }: WrittenCommand): Command => ({
  ...command,
  ...(also !== "" && { also: also.split(" ") }),
  examples: examples.split("\n")
})

/** Adds `pay keys new`, the only verb of `pay keys` that calls no gateway. */
const withNew = (keys: Command): Command => ({
  ...keys,
  usage: `pay keys new --rsa [--out FOLDER]\n       ${keys.usage}`,
  about: `new makes a pair of RSA keys for tests and one for real money on this machine, and says what to give to the gateway's operator. ${keys.about}`,
  flags: {
    rsa: { about: "For new: Make RSA keys, 3072 bits." },
    out: {
      value: "FOLDER",
      about: "For new: Where the files are written; this folder by default. Existing files stay."
    },
    ...keys.flags
  },
  examples: ["pay keys new --rsa --out keys", ...keys.examples]
})

/** Returns a command as help shows it. */
export const read = (name: string, command: WrittenCommand): Command =>
  name === "keys" ? withNew(asCommand(command)) : asCommand(command)

export const commands: Readonly<Record<Name, Command>> = {
  audit: read("audit", written.audit),
  logs: read("logs", written.logs),
  orders: read("orders", written.orders),
  callbacks: read("callbacks", written.callbacks),
  merchants: read("merchants", written.merchants),
  keys: read("keys", written.keys),
  payout: read("payout", written.payout),
  balance: read("balance", written.balance),
  bookings: read("bookings", written.bookings),
  tasks: read("tasks", written.tasks),
  reconciliation: read("reconciliation", written.reconciliation),
  cards: read("cards", written.cards),
  settlement: read("settlement", written.settlement),
  subscriptions: read("subscriptions", written.subscriptions),
  clock: read("clock", written.clock)
}
