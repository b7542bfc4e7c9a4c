/** Reads the positions of the server's standbys at intervals. */
import { Effect, Metric, Schedule, type Scope } from "effect"
import type { Connection } from "./Connections.ts"

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const standbys = gauge("pay_store_standbys", "Standbys that the server sends its changes to")
const lag = gauge("pay_store_replication_lag_bytes", "How far the furthest standby is behind")

/** Selects the lag of each standby. Without the right `pg_monitor`, standbys have no position and no lag. */
const replication = `
  SELECT count(*)::int, min(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint FROM pg_stat_replication
`

const every = Schedule.spaced("15 seconds")

/** Reads the positions while the scope is open. A failed read is ignored, because other connections report the problem. */
export const watch = (connection: Connection): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(connection.session, (session) => session.query({ text: replication, values: [] })).pipe(
    Effect.flatMap(([row]) => {
      const [count, behind] = row ?? []
      return Effect.andThen(
        Metric.update(standbys, Number(count)),
        typeof behind === "number" ? Metric.update(lag, behind) : Effect.void
      )
    }),
    Effect.ignore,
    Effect.repeat(every),
    Effect.forkScoped,
    Effect.asVoid
  )
