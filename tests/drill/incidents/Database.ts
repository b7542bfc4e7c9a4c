/** Incidents of the database. */
import { Effect } from "effect"
import { type Incident, logs, metric, readiness } from "../Incident.ts"
import type { PostgresSite } from "../Site.ts"

export const restarted: Incident<PostgresSite> = {
  name: "postgres-restarted",
  happens: "PostgreSQL is stopped for 5 s and started, then killed (`kill -9`) and started",
  expects: [
    logs(/store (cannot|does not)/i, "says that the store cannot serve"),
    readiness(503, "answers 503 while the store cannot serve"),
    metric(/^pay_store_failed_connects_total/, 1, "counts connections that failed")
  ],
  // A server that was killed has lost the keys of security codes: a payment that certainly was not sent ends without money.
  mayEnd: ["Failed"],
  run: ({ server }) =>
    Effect.gen(function* () {
      yield* Effect.sleep("2 seconds")
      yield* server.stop("fast")
      yield* Effect.sleep("5 seconds")
      yield* server.start
      yield* Effect.sleep("4 seconds")
      yield* server.kill
      yield* server.start
      yield* Effect.sleep("3 seconds")
    })
}
