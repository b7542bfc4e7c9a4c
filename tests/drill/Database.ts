/** The database of the drill: a PostgreSQL server on a disk of its own, with the roles and the schema of docs/operators/postgres.md. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { root } from "../../scripts/Workspace.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as LimitedDisk from "../postgres/LimitedDisk.ts"
import * as PostgresServer from "../postgres/PostgresServer.ts"
import * as Session from "../postgres/Session.ts"

export const pay = join(root, "apps/cli/src/main.ts")

const diskMegabytes = 256
const settings = { max_wal_size: "96MB", min_wal_size: "32MB" }

export interface Database {
  readonly server: PostgresServer.PostgresServer
  readonly disk: LimitedDisk.LimitedDisk
  /** The gateways' settings for it. */
  readonly environment: Readonly<Record<string, string>>
}

/** Runs the program `pay` to its end; a defect with its output if it fails. */
export const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const command = { args: [pay, ...args], env, ready: () => undefined, onLine: (line: string) => lines.push(line) }
    const child = yield* Effect.acquireRelease(ChildProcess.launch<void>(command), ({ kill }) => kill)
    return { code: yield* child.ended, lines }
  }).pipe(Effect.scoped)

export const make = Effect.fnUntraced(function* (folder: string) {
  const disk = yield* LimitedDisk.make(diskMegabytes)
  const server = yield* PostgresServer.make({ disk: disk.folder, settings })
  const admin = Session.superuser(server)
  const passwords = { pay_owner: "owner-secret", pay_run: "run-secret" }
  for (const [role, password] of Object.entries(passwords)) {
    yield* Session.query(admin, `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`)
    writeFileSync(join(folder, role), `${password}\n`, { mode: 0o600 })
  }
  yield* Session.query(admin, "CREATE DATABASE pay OWNER pay_owner ENCODING 'UTF8' TEMPLATE template0")
  yield* Session.query(admin, "GRANT pg_monitor TO pay_run")
  const url = (role: string) => `postgres://${role}@localhost:${server.port}/pay`
  const migration = yield* run(["store", "migrate", "--run-as", "pay_run"], {
    PAY_DATABASE_URL: url("pay_owner"),
    PAY_DATABASE_PASSWORD_FILE: join(folder, "pay_owner")
  })
  if (migration.code !== 0) return yield* Effect.die(new Error(migration.lines.join("\n")))
  const environment = { PAY_DATABASE_URL: url("pay_run"), PAY_DATABASE_PASSWORD_FILE: join(folder, "pay_run") }
  return { disk, environment, server } satisfies Database
})
