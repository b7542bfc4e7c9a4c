/**
 * The audit row of a privileged change, as one more write of its decision: what is done and what is recorded are one
 * commit, so neither stands without the other.
 */

import { type Actor, AuditEntry } from "./AuditEntry.ts"
import * as Decision from "./Decision.ts"

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
