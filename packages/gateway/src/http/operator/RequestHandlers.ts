/** The requests of merchants that arrived last. */
import { Effect } from "effect"
import { type Entry, RequestLog } from "../RequestLog.ts"
import type { Handlers } from "./OperatorHandler.ts"

const rowOf = (entry: Entry) => ({
  at: entry.atMs,
  tookMs: Math.round(entry.tookMs),
  operation: entry.operation ?? null,
  endpoint: entry.endpoint ?? null,
  merchant: entry.merchant ?? null,
  merchantOrder: entry.clientOrderId ?? null,
  order: entry.orderId ?? null,
  signature: entry.verdict,
  status: entry.status,
  code: entry.code ?? null,
  fields: entry.fields
})

export const make = Effect.map(
  RequestLog,
  (log): Pick<Handlers, "listRequests"> => ({
    listRequests: ({ refused, signature, ...question }) =>
      Effect.sync(() => {
        const page = log.read({ ...question, verdict: signature, isRefused: refused !== undefined })
        return { requests: page.entries.map(rowOf), missed: page.missed, next: page.next }
      })
  })
)
