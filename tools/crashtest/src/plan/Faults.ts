/**
 * The table of faults. Each has a name for `--kinds`, a sentence of what happens in reality, and the moments at which it can
 * happen.
 */

/** The part of a payment that a fault concerns. */
type Place = "request" | "callback" | "bank" | "customer" | "clock"

/** The shop is killed, the gateway is restarted or takes no connection, or the clock of the shop is ahead. */
export type Shared = "killed" | "gatewayRestarts" | "refused" | "clockAhead"

interface Row {
  readonly at: Place
  /** What happens in reality. */
  readonly sentence: string
  /** The fault in a few words, where `{}` is the request that meets it: `a lost answer to sale`. */
  readonly brief: string
  /** What happens to everything at once. Orders with such a fault wait for each other at its moment, and meet it together. */
  readonly shared?: Shared
}

const table = {
  // Requests of the shop to the gateway
  refused: {
    at: "request",
    shared: "refused",
    sentence: "The connection is refused: the gateway is being restarted, or a firewall is wrong. Nothing arrives.",
    brief: "a refused connection at {}"
  },
  lostRequest: {
    at: "request",
    sentence: "The connection breaks before the request has arrived.",
    brief: "a connection that broke before {} arrived"
  },
  cutRequest: {
    at: "request",
    sentence: "The connection breaks in the middle of the request.",
    brief: "a connection that broke within {}"
  },
  lostAnswer: {
    at: "request",
    sentence: "The gateway executes the request, and the connection breaks before the answer arrives.",
    brief: "a lost answer to {}"
  },
  cutAnswer: {
    at: "request",
    sentence: "The gateway executes the request, and the connection breaks in the middle of the answer.",
    brief: "a cut answer to {}"
  },
  lateAnswer: {
    at: "request",
    sentence: "The gateway executes the request, and the answer comes after the shop's time-out.",
    brief: "a late answer to {}"
  },
  repeatedRequest: {
    at: "request",
    sentence: "A proxy sends the request a second time, and the shop gets the second answer.",
    brief: "{} sent twice by a proxy"
  },
  otherAnswer: {
    at: "request",
    sentence: "The shop gets the answer to another customer's request: a proxy mixed up connections.",
    brief: "another customer's answer to {}"
  },
  errorAfter: {
    at: "request",
    sentence: "The gateway executes the request, and the answer is 500.",
    brief: "500 after {} was executed"
  },
  tooMany: {
    at: "request",
    sentence: "The gateway takes no more requests for now: 429 with Retry-After.",
    brief: "429 to {}"
  },
  htmlBefore: {
    at: "request",
    sentence: "A proxy answers 502 with a page in HTML. The request has not arrived.",
    brief: "502 in HTML before {} arrived"
  },
  htmlAfter: {
    at: "request",
    sentence: "The gateway executes the request, and a proxy answers 504 with a page in HTML.",
    brief: "504 in HTML after {} was executed"
  },
  gatewayRestarts: {
    at: "request",
    shared: "gatewayRestarts",
    sentence: "The gateway executes the request, is killed before it answers, and starts again.",
    brief: "a restart of the gateway during {}"
  },
  killedBefore: {
    at: "request",
    shared: "killed",
    sentence: "The shop is killed while it sends the request. Nothing arrives.",
    brief: "the shop killed before {} arrived"
  },
  killedWaiting: {
    at: "request",
    shared: "killed",
    sentence: "The shop is killed while it waits for the answer. The gateway has executed the request.",
    brief: "the shop killed while it waited for {}"
  },
  killedAfter: {
    at: "request",
    shared: "killed",
    sentence: "The shop is killed right after the answer has arrived.",
    brief: "the shop killed after the answer to {}"
  },

  // Callbacks of the gateway to the shop
  earlyCallback: {
    at: "callback",
    sentence: "The callback arrives before the answer to the shop's request.",
    brief: "an early callback"
  },
  lateCallback: { at: "callback", sentence: "The callback arrives a day late.", brief: "a late callback" },
  repeatedCallback: {
    at: "callback",
    sentence: "The callback arrives three times, two of them at once.",
    brief: "a repeated callback"
  },
  lostCallback: {
    at: "callback",
    sentence: "The callback never arrives, and neither do its repetitions.",
    brief: "a lost callback"
  },
  disorderedCallback: {
    at: "callback",
    sentence: "The callback of an earlier state arrives again after that of a later one.",
    brief: "callbacks out of order"
  },
  forgedCallback: {
    at: "callback",
    sentence: "The bank declines, and somebody sends a callback that says approved, with a signature that he made up.",
    brief: "a forged callback"
  },
  killedByCallback: {
    at: "callback",
    shared: "killed",
    sentence: "The shop is killed while it processes the callback, or right after it has acknowledged it.",
    brief: "the shop killed during a callback"
  },

  // The bank
  declined: { at: "bank", sentence: "The bank declines.", brief: "a decline" },
  approvedLate: {
    at: "bank",
    sentence: "The bank's answer is lost. Hours later it says: approved.",
    brief: "an approval hours later"
  },
  declinedLate: {
    at: "bank",
    sentence: "The bank's answer is lost. Hours later it says: declined.",
    brief: "a decline hours later"
  },

  // The customer
  neverReturns: {
    at: "customer",
    sentence: "The customer pays, and closes the browser before the shop's page opens.",
    brief: "a customer who never returned"
  },
  returnsTwice: {
    at: "customer",
    sentence: "The customer returns from the payment, and reloads the page.",
    brief: "a customer who returned twice"
  },
  returnsWithoutResult: {
    at: "customer",
    sentence: "The customer returns by the shop's address, without the fields that the gateway adds.",
    brief: "a customer who returned without a result"
  },
  buysTwice: { at: "customer", sentence: "The customer presses the button twice.", brief: "a button pressed twice" },

  // Clocks
  clockAhead: {
    at: "clock",
    shared: "clockAhead",
    sentence: "The clock of the shop is ten minutes ahead.",
    brief: "a clock that is ahead"
  }
} as const satisfies Readonly<Record<string, Row>>

export type Fault = keyof typeof table

export const faults: Readonly<Record<Fault, Row>> = table

/** The names of all faults, in the order of the table. */
export const names: ReadonlyArray<Fault> = Object.keys(table).filter((name): name is Fault => name in table)
