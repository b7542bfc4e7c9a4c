/** A job: work that is due at a time, and the lease of the process that carries it out. */
import * as Entity from "./Entity.ts"

/**
 * The kinds of jobs. `bank`: carry out a request at the bank; `lapse`: end an order whose time is over; `callback`: deliver a
 * callback to the merchant; `threeds`: take an authentication one step further; `session`: end a hosted page whose time is over;
 * `rail`: carry out a request of a payout at the rail; `recurring`: charge the next occurrence of a recurring payment, or retry a
 * charge; `enumerate`: list what bank and rail booked since the last commit of a restored copy; `reversal`: have the bank reverse
 * a charge of an order that had already ended.
 */
export const kinds = [
  "bank",
  "lapse",
  "callback",
  "threeds",
  "session",
  "rail",
  "recurring",
  "enumerate",
  "reversal"
] as const
export type Kind = (typeof kinds)[number]

/**
 * Whether a date alone causes the job to do what cannot be undone: to release a hold or a payout, to end a page, to charge. Such jobs
 * stop while the time is uncertain (`ClockTrust`). All others go on: requests, inquiries and reversals, callbacks, and the steps of an
 * authentication, which no money follows if its time is over.
 */
export const isDated: Readonly<Record<Kind, boolean>> = {
  bank: false,
  lapse: true,
  callback: false,
  threeds: false,
  session: true,
  rail: false,
  recurring: true,
  enumerate: false,
  reversal: false
}

/**
 * Whether the job may move or end an order, or sends a request of it. Such jobs wait while the gate is closed (`OrderGate`). Callbacks
 * go on, and so does what opens the gate.
 */
export const movesOrders: Readonly<Record<Kind, boolean>> = {
  bank: true,
  lapse: true,
  callback: false,
  threeds: true,
  session: true,
  rail: true,
  recurring: true,
  enumerate: false,
  reversal: true
}

export const Job = Entity.make("jobs", {
  columns: {
    jobId: Entity.text(),
    kind: Entity.text<Kind>(),
    /** Identifier of the subject: a request, an order, a callback event or a recurring payment. */
    subject: Entity.text(),
    /** The merchant whose turn the job takes; "" for jobs of the gateway itself. */
    merchantId: Entity.text(),
    dueAtMs: Entity.integer,
    /** Number of claims since an outcome was last recorded. 0: no process has begun. */
    openAttempts: Entity.integer,
    /** Number of earlier attempts, such as inquiries or deliveries. It selects the delay before the next one. */
    tries: Entity.integer,
    /** Time of the first claim of the open attempt. */
    startedAtMs: Entity.integerOrNull,
    token: Entity.textOrNull(),
    leaseUntilMs: Entity.integer
  },
  key: ["jobId"],
  index: { due: ["kind", "dueAtMs"], merchant: ["kind", "merchantId", "dueAtMs"], lease: ["leaseUntilMs"] }
})
export type Job = Entity.Row<typeof Job>
