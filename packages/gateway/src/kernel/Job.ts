/** Something that is due later, and who holds it. */
import * as Entity from "./Entity.ts"

/**
 * `bank`: carry a request out; `lapse`: a hold's time is over; `callback`: tell the merchant; `threeds`: take an
 * authentication one step further; `session`: a hosted page's time is over; `rail`: carry a payout's request out;
 * `recurring`: a recurring payment's next occurrence, or another try of it; `enumerate`: list what bank and rail booked since a
 * restored copy's last commit; `reversal`: have the bank give back what it took for an order that had ended.
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

export const Job = Entity.make("agenda", {
  columns: {
    itemId: Entity.text(),
    kind: Entity.text<Kind>(),
    /** What it is about: a request, an order, a callback event or a recurring payment. */
    subject: Entity.text(),
    /** Whose turn it takes; "": the gateway's own. Null: as "", written by a release that did not say. */
    merchantId: Entity.textOrNull(),
    dueAtMs: Entity.integer,
    /** Times it was claimed for something whose outcome is not recorded yet; 0: nobody has begun. */
    openAttempts: Entity.integer,
    /** Questions asked, or deliveries tried, since the item exists. */
    tries: Entity.integer,
    /** When the open attempt was first claimed. */
    startedAtMs: Entity.integerOrNull,
    token: Entity.textOrNull(),
    leaseUntilMs: Entity.integer
  },
  key: ["itemId"],
  index: { due: ["kind", "dueAtMs"], turn: ["kind", "merchantId", "dueAtMs"], lease: ["leaseUntilMs"] }
})
export type Job = Entity.Row<typeof Job>
