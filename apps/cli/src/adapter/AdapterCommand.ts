/** The description and the flags of `pay adapter check`. */
import type { Command } from "../command/Command.ts"
import { json } from "../command/SettingFlags.ts"

export const command = {
  usage:
    "pay adapter check MODULE --merchant LOGIN --currency CODE --file FILE\n       pay adapter check MODULE --merchant LOGIN --currency CODE --card-number NUMBER --declined-card-number NUMBER\n       pay adapter check --example",
  summary: "Check your adapter to a bank against its contract.",
  about:
    "Loads the module as the gateway does, and runs the contract of each of its ports: each promise is kept, broken with what happened and what to do, or not checked for want of a test card. The suites make payments, captures, voids, refunds and payouts: run them against the test system of your bank only, with its test cards. Others on the machine can see numbers on a command line; a file is not seen. Ends with 0 if no promise is broken, with 1 if one is or the module cannot be loaded.",
  flags: {
    acquirer: { value: "NAME", about: "The name of one of the module's `acquirers`; by default its `acquirer`." },
    merchant: { value: "LOGIN", about: "The merchant's login, which the adapter gets as merchantId." },
    currency: { value: "CODE", about: "The currency of the payments, ISO 4217." },
    amount: { value: "AMOUNT", about: "The amount of each payment; 10.00 by default, in decimals of the currency." },
    file: { value: "FILE", about: "Test cards and recipients as JSON; --example prints one; - is standard input." },
    "card-number": { value: "NUMBER", about: "A test card that the bank approves." },
    expiry: { value: "MM/YYYY", about: "The expiry date of the cards of flags; 12 of the year after next by default." },
    cvv: { value: "CODE", about: "The security code of the cards of flags; none by default." },
    cardholder: { value: "NAME", about: "The name on the cards of flags; TEST CARD by default." },
    "declined-card-number": { value: "NUMBER", about: "A test card that the bank declines." },
    "declined-cvv": { value: "CODE", about: "The security code of that card, if it is another one." },
    "recipient-card-number": { value: "NUMBER", about: "A test card that receives transfers." },
    "time-limit": { value: "SECONDS", about: "How long a promise may take; 60 by default." },
    example: { about: "Print a file with the cards of the simulated bank." },
    ...json
  },
  examples: [
    "pay adapter check --example > cards.json",
    "pay adapter check ./my-bank.ts --merchant shop --currency EUR --file cards.json",
    "pay adapter check ./my-bank.ts --merchant shop --currency JPY --amount 1000 --file cards.json --json"
  ]
} satisfies Command
