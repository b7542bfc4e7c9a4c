/** The points at which a shop is killed. */
import type { Moment } from "./processes/killAt.ts"

/** What a customer or a clerk orders at the shop. */
export type Kind = "sale" | "threeds" | "refund" | "payout" | "member" | "trip" | "brokenTrip"

/** A request that passes a gate: to the gateway, or to the shop. */
export interface Passing {
  readonly gate: "gateway" | "shop"
  readonly path: RegExp
  /** Before it is passed on, or after its answer, which is not passed on. */
  readonly when: "before" | "after"
}

export interface KillPoint {
  readonly name: string
  /** What must be ordered for the shop to come here. */
  readonly kind?: Kind
  readonly at:
    | ({ readonly _tag: "Request" } & Passing)
    | ({ readonly _tag: "Statement" } & Moment)
    /** The customer has the form for the issuer, or has it sent. */
    | { readonly _tag: "Challenge"; readonly when: "before" | "after" }
    /** The gateway limits the shop's requests, and the shop has said so. */
    | { readonly _tag: "Retry"; readonly path: RegExp }
}

const sides = ["before", "after"] as const

const requests = (name: string, path: RegExp, kind: Kind): ReadonlyArray<KillPoint> =>
  sides.map((when) => ({
    name: `${when} ${name}`,
    kind,
    at: { _tag: "Request", gate: "gateway", path, when }
  }))

const statements = (name: string, file: string, sql: string, skips = 0, kind?: Kind): ReadonlyArray<KillPoint> =>
  sides.map((when) => ({
    name: `${when} ${name}`,
    ...(kind === undefined ? {} : { kind }),
    at: { _tag: "Statement", file, sql, when, skips }
  }))

/** Points of a shop with sales and refunds. */
const common: ReadonlyArray<KillPoint> = [
  ...requests("the request of a sale", /\/api\/v2\/sale\//, "sale"),
  ...requests("a question for the status", /\/api\/v2\/status\//, "sale"),
  ...requests("the upload of the issuer's result", /upload-cres-result/, "threeds"),
  ...requests("the request of a refund", /\/api\/v2\/return\//, "refund"),
  ...sides.map(
    (when): KillPoint => ({
      name: `${when} the issuer's form is sent`,
      kind: "threeds",
      at: { _tag: "Challenge", when }
    })
  ),
  {
    name: "when the browser has come back",
    kind: "threeds",
    at: { _tag: "Request", gate: "shop", path: /^POST \/pay\//, when: "after" }
  },
  ...sides.map(
    (when): KillPoint => ({
      name: `${when} a callback is answered`,
      kind: "sale",
      at: { _tag: "Request", gate: "shop", path: /^GET \/callback/, when }
    })
  ),
  { name: "in the wait before a retry", kind: "sale", at: { _tag: "Retry", path: /\/api\/v2\/sale\// } },
  ...statements("a step is written", "flows.db", "INSERT INTO journal", 3),
  ...statements("a commit of steps", "flows.db", "COMMIT", 9),
  ...statements("a flow ends", "flows.db", "UPDATE execution SET state = 'finished'"),
  ...statements("the shop books", "shop.db", "INSERT INTO bookings", 0, "sale")
]

export const promise: ReadonlyArray<KillPoint> = common

export const effect: ReadonlyArray<KillPoint> = [
  ...common,
  ...requests("the check of a payout", /\/api\/v4\/payout-check\//, "payout"),
  ...requests("the payment of a payout", /\/api\/v4\/payout-pay\//, "payout"),
  ...requests("the request of a subscription", /\/api\/v4\/create-recurring-payment\//, "member"),
  ...requests("the request of a hold", /\/api\/v2\/preauth\//, "trip"),
  ...requests("a capture of a hold", /\/api\/v2\/capture\//, "trip"),
  ...requests("the finalizer of a hold voids it", /\/api\/v2\/void\//, "brokenTrip"),
  ...statements("a callback is stored as handled", "web.db", "INSERT INTO delivery")
]
