/**
 * The audit row of a privileged change, as one more write of its decision: what is done and what is recorded are one
 * commit, so neither stands without the other.
 */
import * as Decision from "./Decision.ts"
import * as Entity from "./Entity.ts"

/** A person by the name of their token, or of their account on the gateway's machine; or the gateway of its own accord. */
export type Actor = `operator:${string}` | `approver:${string}` | `host:${string}` | "gateway"

/** The audit trail: one row for each privileged change, written in its commit. It records the actor, the action and the time. */
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

export interface Audited {
  /** Unique (`Ids.next`), and the same when the decision is made again. */
  readonly auditId: string
  readonly atMs: number
  readonly actor: Actor
  /** What it is about, then what was done: `order.resolve`. */
  readonly action: string
  readonly subject: { readonly kind: string; readonly id: string }
  /** Plain values only, which leaves out whatever is `Redacted`; never card data, never an account. */
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>
  /** `done` unless it says otherwise. */
  readonly outcome?: "done" | "refused"
}

export const row = ({ action, actor, atMs, auditId, detail = {}, outcome = "done", subject }: Audited): AuditEntry => ({
  auditId,
  atMs,
  actor,
  action,
  outcome,
  subjectKind: subject.kind,
  subjectId: subject.id,
  detail: JSON.stringify(detail)
})

export const entry = (audited: Audited): Decision.Write => Decision.append(AuditEntry, row(audited))
