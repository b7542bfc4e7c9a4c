/**
 * The table of faults. Each has a name for `--kinds`, a sentence of what happens in reality, and the moments at which it can
 * happen.
 */

/** The part of a payment that a fault concerns. */
type Place = "request" | "callback" | "bank" | "customer" | "clock"

interface Row {
  readonly at: Place
  /** What happens in reality. */
  readonly sentence: string
  /**
   * Whether it happens to everything at once: the shop or the gateway ends, or a clock is wrong. Orders with such a fault wait for
   * each other at its moment, and meet it together.
   */
  readonly shared?: true
}

const table = {
  // Requests of the shop to the gateway
  refused: {
    at: "request",
    shared: true,
    sentence: "The connection is refused: the gateway is being restarted, or a firewall is wrong. Nothing arrives."
  },
  lostRequest: { at: "request", sentence: "The connection breaks before the request has arrived." },
  cutRequest: { at: "request", sentence: "The connection breaks in the middle of the request." },
  lostAnswer: {
    at: "request",
    sentence: "The gateway executes the request, and the connection breaks before the answer arrives."
  },
  cutAnswer: {
    at: "request",
    sentence: "The gateway executes the request, and the connection breaks in the middle of the answer."
  },
  lateAnswer: {
    at: "request",
    sentence: "The gateway executes the request, and the answer comes after the shop's time-out."
  },
  repeatedRequest: {
    at: "request",
    sentence: "A proxy sends the request a second time, and the shop gets the second answer."
  },
  otherAnswer: {
    at: "request",
    sentence: "The shop gets the answer to another customer's request: a proxy mixed up connections."
  },
  errorAfter: { at: "request", sentence: "The gateway executes the request, and the answer is 500." },
  tooMany: { at: "request", sentence: "The gateway takes no more requests for now: 429 with Retry-After." },
  htmlBefore: { at: "request", sentence: "A proxy answers 502 with a page in HTML. The request has not arrived." },
  htmlAfter: {
    at: "request",
    sentence: "The gateway executes the request, and a proxy answers 504 with a page in HTML."
  },
  gatewayRestarts: {
    at: "request",
    shared: true,
    sentence: "The gateway executes the request, is killed before it answers, and starts again."
  },
  killedBefore: {
    at: "request",
    shared: true,
    sentence: "The shop is killed while it sends the request. Nothing arrives."
  },
  killedWaiting: {
    at: "request",
    shared: true,
    sentence: "The shop is killed while it waits for the answer. The gateway has executed the request."
  },
  killedAfter: { at: "request", shared: true, sentence: "The shop is killed right after the answer has arrived." },

  // Callbacks of the gateway to the shop
  earlyCallback: { at: "callback", sentence: "The callback arrives before the answer to the shop's request." },
  lateCallback: { at: "callback", sentence: "The callback arrives a day late." },
  repeatedCallback: { at: "callback", sentence: "The callback arrives three times, two of them at once." },
  lostCallback: { at: "callback", sentence: "The callback never arrives, and neither do its repetitions." },
  disorderedCallback: {
    at: "callback",
    sentence: "The callback of an earlier state arrives again after that of a later one."
  },
  forgedCallback: {
    at: "callback",
    sentence: "The bank declines, and somebody sends a callback that says approved, with a signature that he made up."
  },
  killedByCallback: {
    at: "callback",
    shared: true,
    sentence: "The shop is killed while it processes the callback, before it acknowledges it."
  },

  // The bank
  declined: { at: "bank", sentence: "The bank declines." },
  approvedLate: { at: "bank", sentence: "The bank's answer is lost. Hours later it says: approved." },
  declinedLate: { at: "bank", sentence: "The bank's answer is lost. Hours later it says: declined." },

  // The customer
  neverReturns: { at: "customer", sentence: "The customer pays, and closes the browser before the shop's page opens." },
  returnsTwice: { at: "customer", sentence: "The customer returns from the payment, and reloads the page." },
  returnsWithoutResult: {
    at: "customer",
    sentence: "The customer returns by the shop's address, without the fields that the gateway adds."
  },
  buysTwice: { at: "customer", sentence: "The customer presses the button twice." },

  // Clocks
  clockAhead: { at: "clock", shared: true, sentence: "The clock of the shop is ten minutes ahead." }
} as const satisfies Readonly<Record<string, Row>>

export type Fault = keyof typeof table

export const faults: Readonly<Record<Fault, Row>> = table

/** The names of all faults, in the order of the table. */
export const names: ReadonlyArray<Fault> = Object.keys(table).filter((name): name is Fault => name in table)
