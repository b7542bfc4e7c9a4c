/** `pay balance`: its words and flags. */
import type { Command } from "./Command.ts"
import * as OperatorGateway from "./OperatorGateway.ts"

export const commands = {
  balance: {
    usage:
      "pay balance add --reference TEXT --merchant LOGIN --endpoint ID --amount AMOUNT\n       pay balance show --merchant LOGIN",
    summary: "Make money payable for a merchant, or tell what may be paid out.",
    about:
      "A posting is booked once for its reference: sent again with the same content it answers the same, with other content it is refused. Captured sales do not become payable by themselves. The audit tells who made money payable.",
    flags: {
      reference: { value: "TEXT", about: "Your own name for the posting, never used before." },
      merchant: { value: "LOGIN", about: "Whose balance." },
      endpoint: { value: "ID", about: "Balances stand per endpoint and currency." },
      amount: { value: "AMOUNT", about: "In major units: 1000.00." },
      currency: { value: "CODE", about: "Where the endpoint takes several." },
      ...OperatorGateway.flags
    },
    examples: [
      "pay balance add --reference wire-2026-11-21 --merchant shop --endpoint 1001 --amount 1000.00",
      "pay balance show --merchant shop"
    ]
  }
} satisfies Readonly<Record<string, Command>>
