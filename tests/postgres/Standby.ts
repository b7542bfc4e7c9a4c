/** A standby of a server: a copy of it that repeats each of its commits, which wait until the standby has them on its disk. */
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import * as PostgresServer from "./PostgresServer.ts"
import * as ServerAccount from "./ServerAccount.ts"
import * as Session from "./Session.ts"

/** The name by which the primary knows its standby. */
const name = "standby"

/** Completes when the query, executed by the superuser until then, gives a row. */
export const untilRow = (server: PostgresServer.PostgresServer, text: string) =>
  Session.query(Session.superuser(server), text).pipe(
    Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (rows) => rows.length > 0 })
  )

/** Completes when commits of the primary wait for the standby, and the standby repeats them. */
export const synchronous = (primary: PostgresServer.PostgresServer) =>
  untilRow(primary, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'")

/**
 * Copies the primary and starts the copy. From now on the primary commits only what the standby has, too. `disk`: the folder that will
 * contain its data, if that is not the server's own.
 */
export const make = Effect.fnUntraced(function* (
  primary: PostgresServer.PostgresServer,
  settings: Readonly<Record<string, string>> = {},
  disk?: string
) {
  const folder = yield* ServerAccount.folder
  const data = join(disk ?? folder, "data")
  const source = `host=${primary.folder} port=${primary.port} user=postgres application_name=${name}`
  const how = ["--wal-method", "stream", "--checkpoint", "fast", "--write-recovery-conf", "--no-sync"]
  const program = join(yield* PostgresServer.programs, "pg_basebackup")
  yield* ServerAccount.run(program, ["--dbname", source, "--pgdata", data, ...how])
  const standby = yield* PostgresServer.launch({
    ...{ authority: primary.authority, data, folder, port: yield* ServerAccount.freePort },
    settings: { ...primary.settings, ...settings }
  })
  yield* Session.query(Session.superuser(primary), `ALTER SYSTEM SET synchronous_standby_names = '${name}'`)
  yield* Session.query(Session.superuser(primary), "SELECT pg_reload_conf()")
  yield* synchronous(primary)
  return standby
})

/** Makes the standby a primary that waits for no other; completes when it accepts changes. */
export const promote = (standby: PostgresServer.PostgresServer) =>
  Session.query(Session.superuser(standby), "SELECT pg_promote(true, 60)")
