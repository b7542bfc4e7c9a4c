/** A pgbouncer in front of a server, in transaction mode: each transaction of a client has whatever connection is free. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Deferred, Effect } from "effect"
import * as Program from "../../scripts/Pgbouncer.ts"
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
  if (program === undefined) return yield* Effect.die(new Error(`no pgbouncer here; ${Program.howToGet}`))
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
  yield* Effect.acquireRelease(
    Effect.gen(function* () {
      const accepting = yield* Deferred.make<void>()
      const end = yield* Deferred.make<void>()
      const child = spawn(program, [file], {
        ...ServerAccount.account,
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"]
      })
      const lines: Array<string> = []
      createInterface(child.stderr).on("line", (text) => {
        lines.push(text)
        if (text.includes("process up")) Deferred.doneUnsafe(accepting, Effect.void)
      })
      child.on("close", () => {
        Deferred.doneUnsafe(accepting, Effect.die(new Error(lines.join("\n"))))
        Deferred.doneUnsafe(end, Effect.void)
      })
      yield* Deferred.await(accepting)
      return { child, end }
    }),
    ({ child, end }) =>
      Effect.andThen(
        Effect.sync(() => void child.kill("SIGKILL")),
        Deferred.await(end)
      )
  )
  return port
})
