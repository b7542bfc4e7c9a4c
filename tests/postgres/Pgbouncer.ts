/** A pgbouncer in front of a server, in transaction mode: each transaction of a client has whatever connection is free. */
import { join } from "node:path"
import { Effect } from "effect"
import * as Program from "../../scripts/Pgbouncer.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as DataTemplate from "./DataTemplate.ts"
import * as ServerAccount from "./ServerAccount.ts"

export interface Options {
  /** Default: 5 connections to the server, which all clients share. */
  readonly connections?: number
  /** The password of each role that connects, besides the superuser. */
  readonly roles?: Readonly<Record<string, string>>
}

/** The port on which it listens; it is killed when the scope closes. */
export const make = Effect.fnUntraced(function* (server: { readonly port: number }, options: Options = {}) {
  const program = Program.find()
  if (program === undefined) return yield* Effect.die(new Error(`No pgbouncer is installed: ${Program.howToGet}`))
  const folder = yield* ServerAccount.folder
  const port = yield* ServerAccount.freePort
  const roles = { postgres: DataTemplate.superuserPassword, ...options.roles }
  const users = join(folder, "users.txt")
  const file = join(folder, "pgbouncer.ini")
  ServerAccount.writeSecret(
    users,
    Object.entries(roles)
      .map(([name, password]) => `"${name}" "${password}"\n`)
      .join("")
  )
  ServerAccount.writeSecret(
    file,
    [
      "[databases]",
      `* = host=127.0.0.1 port=${server.port}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${users}`,
      "pool_mode = transaction",
      `default_pool_size = ${options.connections ?? 5}`,
      "server_login_retry = 0.1",
      ""
    ].join("\n")
  )
  yield* ChildProcess.start({
    program,
    args: [file],
    place: { ...ServerAccount.account, cwd: folder },
    ready: (line) => line.includes("process up") || undefined,
    // Its errors are of interest where it does not start.
    onLine: () => undefined
  })
  return port
})
