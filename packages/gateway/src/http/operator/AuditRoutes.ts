/** `GET /operator/audit`: who did what, newest first. */
import { Effect } from "effect"
import { AuditEntry } from "../../kernel/Audit.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import { Store } from "../../kernel/Store.ts"
import { json, pageOf, pageRule, type Route, time, wrong } from "./Route.ts"

export const told = ({ action, actor, atMs, auditId, detail, outcome, subjectId, subjectKind }: AuditEntry) => ({
  id: auditId,
  at: time(atMs),
  actor,
  action,
  outcome,
  subject: `${subjectKind}:${subjectId}`,
  detail: JSON.parse(detail)
})

export const make = Effect.map(
  Store,
  (store): ReadonlyArray<Route> => [
    {
      method: "GET",
      path: "/operator/audit",
      run: ({ query }) => {
        const page = pageOf(query)
        const subject = query.get("subject")
        const [, kind, id] = /^([\w-]{1,32}):([\w.:-]{1,128})$/.exec(subject ?? "") ?? []
        if (page === undefined) return Effect.succeed(wrong(pageRule))
        if (subject !== null && (kind === undefined || id === undefined))
          return Effect.succeed(wrong("subject is a kind and an identifier: order:123"))
        const found =
          kind === undefined || id === undefined
            ? KeysetPage.newest(store, AuditEntry, "at", page)
            : KeysetPage.newest(store, AuditEntry, "subject", { ...page, equals: [kind, id] })
        return Effect.map(found, (entries) => {
          const last = entries.length < page.limit ? undefined : entries.at(-1)
          return json(200, {
            entries: entries.map(told),
            ...(last && { next: KeysetPage.written({ atMs: last.atMs, key: last.auditId }) })
          })
        })
      }
    }
  ]
)
