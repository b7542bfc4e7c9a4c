/** A job: work that is due at a time, and the lease of the process that carries it out. */
import * as Entity from "./Entity.ts"

/** The queues in which jobs of a process wait, each with its own limit. */
export type Queue = "bank" | "callback" | "threeds" | "rail" | "recurring"

interface KindRules {
  /** Slow merchants' servers must not delay requests to the bank, and a slow bank must not delay callbacks. */
  readonly queue: Queue
  /**
   * Whether a date alone causes the job to do what cannot be undone: to release a hold or a payout, to end a page, to charge. Such jobs
   * stop while the time is uncertain (`ClockTrust`). All others go on: requests, inquiries and reversals, callbacks, and the steps of an
   * authentication, which no money follows if its time is over.
   */
  readonly isDated: boolean
  /**
   * Whether the job may move or end an order, or sends a request of it. Such jobs wait while the gate is closed (`OrderGate`).
   * Callbacks go on, and so does what opens the gate.
   */
  readonly movesOrders: boolean
  /** Whether the job creates orders. Such jobs wait while the store has no room for new orders. */
  readonly createsOrders: boolean
}

const table = {
  /** Carries out a request at the bank. */
  bank: { queue: "bank", isDated: false, movesOrders: true, createsOrders: false },
  /** Ends an order whose time is over. */
  lapse: { queue: "bank", isDated: true, movesOrders: true, createsOrders: false },
  /** Delivers a callback to the merchant. */
  callback: { queue: "callback", isDated: false, movesOrders: false, createsOrders: false },
  /** Takes an authentication one step further. */
  threeds: { queue: "threeds", isDated: false, movesOrders: true, createsOrders: false },
  /** Ends a hosted page whose time is over. */
  session: { queue: "bank", isDated: true, movesOrders: true, createsOrders: false },
  /** Carries out a request of a payout at the rail. */
  rail: { queue: "rail", isDated: false, movesOrders: true, createsOrders: false },
  /** Charges the next occurrence of a recurring payment, or retries a charge. */
  recurring: { queue: "recurring", isDated: true, movesOrders: true, createsOrders: true },
  /** Lists what bank and rail booked since the last commit of a restored copy. */
  enumerate: { queue: "bank", isDated: false, movesOrders: false, createsOrders: false },
  /** Has the bank reverse a charge of an order that had already ended. */
  reversal: { queue: "bank", isDated: false, movesOrders: true, createsOrders: false }
} as const satisfies Readonly<Record<string, KindRules>>

export type Kind = keyof typeof table

/** The kinds of jobs as one table. A further kind enters here, and its handler in `JobHandlers.ts`. */
export const facts: Readonly<Record<Kind, KindRules>> = table

export const kinds: ReadonlyArray<Kind> = Object.keys(table).filter((name): name is Kind => name in table)

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
