/** The audit, as operators read it. */
import { Effect } from "effect"
import { AuditEntry } from "../../kernel/Audit.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import { Store } from "../../kernel/Store.ts"
import type { Handlers } from "./OperatorHandler.ts"

export const rowOf = ({ action, actor, atMs, auditId, detail, outcome, subjectId, subjectKind }: AuditEntry) => ({
  id: auditId,
  at: atMs,
  actor,
  action,
  outcome,
  subject: `${subjectKind}:${subjectId}`,
  detail: JSON.parse(detail)
})

export const make = Effect.map(
  Store,
  (store): Pick<Handlers, "listAudit"> => ({
    listAudit: ({ after, from: fromMs, limit, subject, to: toMs }) => {
      const page = { after, fromMs, limit, toMs }
      const rows =
        subject === undefined
          ? KeysetPage.newest(store, AuditEntry, "at", page)
          : KeysetPage.newest(store, AuditEntry, "subject", { ...page, equals: [subject.kind, subject.id] })
      return Effect.map(rows, (entries) => ({
        entries: entries.map(rowOf),
        next: KeysetPage.nextOf(entries, limit, ({ atMs, auditId }) => ({ atMs, key: auditId }))
      }))
    }
  })
)
