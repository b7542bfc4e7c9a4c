/** Incidents of the disk on which a store is. */
import { Effect, Schedule } from "effect"
import * as Session from "../../postgres/Session.ts"
import { type Incident, logs, metric, readiness, unchanged } from "../Incident.ts"
import type { FileSite, PostgresSite } from "../Site.ts"

const noSpace = [
  logs(/New orders are refused: space/, "says that new orders are refused, and why"),
  logs(/New orders are taken again/, "says that they are taken again"),
  readiness(503, "answers 503 while new orders are refused"),
  metric(/^pay_not_ready\{why="space"\}/, 1, "names the reason: space")
]

export const fullUnderPostgres: Incident<PostgresSite> = {
  name: "disk-full-postgres",
  happens: "the disk of PostgreSQL is full for 6 s; then there is room, and the server is started if it has ended",
  expects: noSpace,
  run: ({ disk, server }) =>
    Effect.gen(function* () {
      yield* Effect.sleep("2 seconds")
      yield* disk.fill
      yield* Effect.sleep("6 seconds")
      yield* disk.free
      // A server that cannot write its journal ends.
      const revived = Effect.suspend(() => (server.isUp() ? Effect.void : server.start))
      const answered = Effect.andThen(revived, Session.query(Session.superuser(server), "SELECT"))
      yield* Effect.orDie(Effect.retry(answered, { schedule: Schedule.spaced("100 millis"), times: 200 }))
      yield* Effect.sleep("2 seconds")
    })
}

export const fullUnderFile: Incident<FileSite> = {
  name: "disk-full-file",
  happens: "the disk of the data folder is full for 6 s",
  expects: [
    ...noSpace,
    unchanged(/^pay_requests_total\{.*status="500"/, "counts no answer 500: no outcome is unknown to a merchant")
  ],
  run: ({ disk }) =>
    Effect.gen(function* () {
      yield* Effect.sleep("2 seconds")
      yield* disk.fill
      yield* Effect.sleep("6 seconds")
      yield* disk.free
      yield* Effect.sleep("2 seconds")
    })
}
