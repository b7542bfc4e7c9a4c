/** The commands of the operator contract, and `pay keys new`, the only verb of them that calls no gateway. */
import type { Command } from "../command/Command.ts"
import { facts } from "./OperatorFacts.ts"

export type Name = keyof typeof facts

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

export const commands: Readonly<Record<Name, Command>> = { ...facts, keys: withNew(facts.keys) }
