/** Handles operations that read the audit trail and the latest requests. */
import { Clock, Effect } from "effect"
import * as Audit from "../../kernel/Audit.ts"
import { AuditEntry } from "../../kernel/Audit.ts"
import * as Change from "../../kernel/Change.ts"
import { Ids } from "../../kernel/Ids.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import { LogThreshold } from "../../kernel/LogThreshold.ts"
import { ProcessName } from "../../kernel/ProcessLease.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import { type Entry, RequestLog } from "../RequestLog.ts"
import type { Handlers } from "./OperatorHandler.ts"

export const auditRowOf = ({ action, actor, atMs, auditId, detail, outcome, subjectId, subjectKind }: AuditEntry) => ({
  id: auditId,
  at: atMs,
  actor,
  action,
  outcome,
  subject: `${subjectKind}:${subjectId}`,
  detail: JSON.parse(detail)
})

const requestRowOf = (entry: Entry) => ({
  at: entry.atMs,
  tookMs: Math.round(entry.tookMs),
  operation: entry.operation ?? null,
  endpoint: entry.endpoint ?? null,
  merchant: entry.merchant ?? null,
  merchantOrder: entry.clientOrderId ?? null,
  order: entry.orderId ?? null,
  signature: entry.verdict,
  address: entry.address,
  key: entry.key ?? null,
  status: entry.status,
  code: entry.code ?? null,
  fields: entry.fields
})

export const make = Effect.map(
  Effect.all([Store, RequestLog, LogThreshold, ProcessName, Ids]),
  ([store, log, threshold, process, ids]): Pick<Handlers, "listAudit" | "listRequests" | "setLogLevel"> => ({
    setLogLevel: Effect.fnUntraced(function* ({ level }, actor) {
      const from = threshold.level()
      const change = Change.writing(
        Audit.entry({
          auditId: ids.next(),
          atMs: yield* Clock.currentTimeMillis,
          actor,
          action: "logs.level",
          subject: { kind: "process", id: process },
          detail: { from, to: level }
        })
      )
      yield* Transact.lostGuardOf(store, change)
      threshold.set(level)
      return { process, from, to: level }
    }),
    listRequests: ({ refused, signature, ...question }) =>
      Effect.sync(() => {
        const page = log.read({ ...question, verdict: signature, isRefused: refused !== undefined })
        return { requests: page.entries.map(requestRowOf), missed: page.missed, next: page.next }
      }),
    listAudit: ({ after, from: fromMs, limit, subject, to: toMs }) => {
      const page = { after, fromMs, limit, toMs }
      const rows =
        subject === undefined
          ? KeysetPage.newest(store, AuditEntry, "at", page)
          : KeysetPage.newest(store, AuditEntry, "subject", { ...page, equals: [subject.kind, subject.id] })
      return Effect.map(rows, (entries) => ({
        entries: entries.map(auditRowOf),
        next: KeysetPage.nextOf(entries, limit, ({ atMs, auditId }) => ({ atMs, key: auditId }))
      }))
    }
  })
)
