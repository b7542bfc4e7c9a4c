/** Recurring payments as operators see them, and the sandbox's time, in which they can be lived through. */
import type { Command } from "./Command.ts"
import * as OperatorGateway from "./OperatorGateway.ts"

export const commands = {
  subscriptions: {
    usage: "pay subscriptions list [flags]\n       pay subscriptions show ID",
    summary: "List recurring payments, or show one with its occurrences.",
    about: "Newest first. ID is the recurring-payment-id.",
    flags: {
      merchant: { value: "LOGIN", about: "Of one merchant." },
      state: {
        value: "STATE",
        about: "starting, active, paused, suspended, finished, cancelled or failed; without --merchant."
      },
      after: { value: "CURSOR", about: "Go on where the page before ended, which names it." },
      limit: { value: "COUNT", about: "At most so many, up to 1000; 100 by default." },
      ...OperatorGateway.flags
    },
    examples: ["pay subscriptions list --state suspended", "pay subscriptions show 117526936239656961"]
  },
  clock: {
    usage: "pay clock show\n       pay clock advance TIME\n       pay clock reset",
    summary: "Tell or move the business time of a sandbox gateway.",
    about:
      "TIME is 45d, 12h, 30m or 10s. Time passes through everything that becomes due, in order: holds lapse, recurring payments are charged, callbacks repeat. Signatures keep to wall time; reset goes back to it.",
    flags: OperatorGateway.flags,
    examples: ["pay clock advance 45d"]
  }
} satisfies Readonly<Record<string, Command>>
