/** The result of a crash test of a careless shop, for the tests of its reports. */
import type { Finding, Kind, Result } from "../src/judgement/Finding.ts"
import type { Event, FaultAt } from "../src/plan/Payment.ts"

const event = (atMs: number, from: Event["from"], text: string, isFault = false): Event => ({
  atMs,
  from,
  text,
  isFault
})

/** A fault at a request, a callback or the whole payment: `lostAnswer 1`. */
export const at = (fault: FaultAt["fault"], of: FaultAt["moment"]["of"], index = 1): FaultAt => ({
  fault,
  moment: of === "whole" ? { of } : { of, index }
})

export const finding = (
  kind: Kind,
  number: number,
  faults: ReadonlyArray<FaultAt>,
  more: Partial<Finding> = {}
): Finding => ({
  kind,
  case: { number, action: "buy", faults, killedAt: 0 },
  difference: "The bank has 2 charges of 10.42 USD, and the customer bought once.",
  requests: ["sale", "status"],
  timeline: [
    event(0, "customer", "presses the button"),
    event(12, "shop", "sale, client_orderid a1, amount 10.42"),
    event(31, "crash test", "the answer is lost", true),
    event(12_431, "shop", 'sale, client_orderid <b1> & "quoted"'),
    event(93_600_000, "bank", "approved twice")
  ],
  ...more
})

const twice = Array.from({ length: 37 }, (_, index) =>
  finding("chargedTwice", 318 + index, [at(index < 30 ? "lostAnswer" : "errorAfter", "request")])
)
const notShipped = Array.from({ length: 12 }, (_, index) =>
  finding("notShipped", 700 + index, [at("earlyCallback", "callback")])
)
const refundLost = Array.from({ length: 4 }, (_, index) =>
  finding("refundLost", 900 + index, [at("errorAfter", "request", 3)], {
    requests: ["sale", "status", "return"],
    timeline: []
  })
)

export const careless: Result = {
  seed: 7,
  command: ["php", "-S", "127.0.0.1:9000", "my shop.php"],
  payments: 1000,
  met: { lostAnswer: 1200, errorAfter: 800, earlyCallback: 340, clockAhead: 0 },
  notMet: 1,
  seconds: 61.2,
  findings: [...refundLost, ...notShipped, ...twice]
}

export const careful: Result = { ...careless, notMet: 0, findings: [] }

export const replay = (caseNumber: number): string => `pay crashtest --seed 7 --case ${caseNumber} -- php shop.php`
