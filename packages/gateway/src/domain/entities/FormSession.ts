/** A hosted page's session: one order, a few attempts, an unguessable address. */
import * as Entity from "../Entity.ts"

export type FormKind = "sale" | "preauth" | "verification" | "payout"

export const FormSession = Entity.make("formsessions", {
  columns: {
    /** Unguessable (≥ 128 bits): the address of the page. */
    token: Entity.text(),
    version: Entity.integer,
    orderId: Entity.text(),
    kind: Entity.text<FormKind>(),
    /** Attempts made so far. */
    attempts: Entity.integer,
    /** 1 while an attempt is under way. */
    paying: Entity.integer,
    expiresAtMs: Entity.integer,
    endedAtMs: Entity.integerOrNull
  },
  key: ["token"],
  unique: { order: ["orderId"] }
})
export type FormSession = Entity.Row<typeof FormSession>
