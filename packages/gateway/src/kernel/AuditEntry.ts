/** Who did what with more rights than a merchant has, and when: one row for each privileged change, written in its commit. */
import * as Entity from "./Entity.ts"

/** A person by the name of their token, or of their account on the gateway's machine; or the gateway of its own accord. */
export type Actor = `operator:${string}` | `approver:${string}` | `host:${string}` | "gateway"

export const AuditEntry = Entity.make("audit", {
  columns: {
    auditId: Entity.text(),
    atMs: Entity.integer,
    actor: Entity.text<Actor>(),
    /** `order.resolve`, `key.add`, …: what it was about, then what was done. */
    action: Entity.text(),
    /** `done`, or `refused` where the attempt itself is worth knowing. */
    outcome: Entity.text<"done" | "refused">(),
    /** `order`, `card-ref`, `callback`, …, and which one. */
    subjectKind: Entity.text(),
    subjectId: Entity.text(),
    /** A flat JSON object, without secrets and card data. */
    detail: Entity.text()
  },
  key: ["auditId"],
  index: { subject: ["subjectKind", "subjectId", "atMs", "auditId"], at: ["atMs", "auditId"] },
  appendOnly: true
})
export type AuditEntry = Entity.Row<typeof AuditEntry>
