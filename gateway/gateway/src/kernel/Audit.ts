/**
 * The audit row of a privileged change, as one more write of the same decision. The change and its record are one commit, so
 * neither exists without the other.
 */
import * as Decision from "./Decision.ts"
import * as Entity from "./Entity.ts"

/**
 * The actor of a privileged change: a person, by the name of their token or of their account on the gateway's machine, or the
 * gateway itself.
 */
export type Actor = `operator:${string}` | `approver:${string}` | `host:${string}` | "gateway"

/** The audit trail: one row for each privileged change, written in its commit. It records the actor, the action and the time. */
export const AuditEntry = Entity.make("audit", {
  columns: {
    auditId: Entity.text(),
    atMs: Entity.integer,
    actor: Entity.text<Actor>(),
    /** Subject and verb of the action: `order.resolve`, `key.add`, … */
    action: Entity.text(),
    /** `done`; or `refused`, for a refused attempt that is worth a record. */
    outcome: Entity.text<"done" | "refused">(),
    /** Kind of the subject: `order`, `card-ref`, `callback`, …; `subjectId` identifies it. */
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
  /** Unique identifier (`Ids.next`). It stays the same when the decision is made again. */
  readonly auditId: string
  readonly atMs: number
  readonly actor: Actor
  /** Subject and verb of the action, such as `order.resolve`. */
  readonly action: string
  readonly subject: { readonly kind: string; readonly id: string }
  /** Plain values only: the type excludes `Redacted` values. The values must not contain card data or an account. */
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>
  /** Default: `done`. */
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
