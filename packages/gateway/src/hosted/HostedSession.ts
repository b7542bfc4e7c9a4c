/** A hosted page's session: one order, a few attempts, an unguessable address. */
import * as Entity from "../kernel/Entity.ts"

export type HostedKind = "sale" | "preauth" | "verification" | "transfer" | "payout"

export const HostedSession = Entity.make("formsessions", {
  columns: {
    /** Unguessable (≥ 128 bits): the address of the page. */
    token: Entity.text(),
    version: Entity.integer,
    orderId: Entity.text(),
    kind: Entity.text<HostedKind>(),
    /** The country of the payer's address, as the merchant named it. The endpoint's risk rules use it. */
    country: Entity.textOrNull(),
    /** The purpose of a payout, for the recipient's statement. */
    purpose: Entity.textOrNull(),
    /** Attempts made so far, and how many there may be. */
    attempts: Entity.integer,
    attemptsAllowed: Entity.integer,
    /** The record (`OrderRequest`) of the last attempt; null before the first. */
    attemptId: Entity.textOrNull(),
    /** 1 while an attempt is under way. */
    paying: Entity.integer,
    expiresAtMs: Entity.integer,
    endedAtMs: Entity.integerOrNull
  },
  key: ["token"],
  unique: { order: ["orderId"] }
})
export type HostedSession = Entity.Row<typeof HostedSession>
