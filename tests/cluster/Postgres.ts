/** A PostgreSQL server of one test's own: no port, only a socket in its folder, gone with the scope. */
import { execFile, spawn, spawnSync } from "node:child_process"
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Deferred, Effect } from "effect"
import { find } from "../../scripts/Postgres.ts"

/** It refuses to run as root. */
const idOf = (flag: "-u" | "-g", user: string) => Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout)
const as = process.getuid?.() === 0 ? { uid: idOf("-u", "nobody"), gid: idOf("-g", "nobody") } : {}

/** What dies here are runners, never the database: it need not wait for the disk. */
const settings = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "listen_addresses=",
  "unix_socket_permissions=0700",
  "max_connections=50"
]

/** A private folder for temporary files is one that nobody else may enter. */
const mayEnter = (path: string): boolean => spawnSync("test", ["-x", path], as).status === 0
const temporary = [tmpdir(), "/tmp"].find(mayEnter) ?? tmpdir()

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    // Paths of sockets are short, and whoever runs the server must be let in.
    const path = mkdtempSync(join(temporary, "pay-pg-"))
    const data = join(path, "data")
    mkdirSync(data)
    chmodSync(path, 0o755)
    if (as.uid !== undefined) for (const each of [path, data]) chownSync(each, as.uid, as.gid)
    return { path, data }
  }),
  ({ path }) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** The server, until whoever started it closes its input or is killed; then at once: nobody wants what is in it. */
const untilLeft = 'exec 3<&0; "$0" "$@" 3<&- & server=$!; (cat <&3 >/dev/null; kill -QUIT $server) & wait $server'

/** How a client reaches it. */
export const open = (server: string) => ({ host: server, username: "postgres", database: "postgres" })

/** The folder of its socket, which nobody else may open. */
export const server = Effect.gen(function* () {
  const programs = find()
  if (programs === undefined) return yield* Effect.die(new Error("no PostgreSQL server on this machine"))
  const { data, path } = yield* folder
  const options = { ...as, cwd: path, env: { LC_ALL: "C", PATH: process.env.PATH } }
  const made = ["--pgdata", data, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--no-sync"]
  yield* Effect.callback<void>((resume) => {
    execFile(join(programs, "initdb"), made, options, (error) =>
      resume(error === null ? Effect.void : Effect.die(error))
    )
  })
  yield* Effect.acquireRelease(
    Effect.gen(function* () {
      const ready = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const args = ["-D", data, "-k", path, ...settings.flatMap((setting) => ["-c", setting])]
      const child = spawn("sh", ["-c", untilLeft, join(programs, "postgres"), ...args], {
        ...options,
        stdio: ["pipe", "ignore", "pipe"]
      })
      child.stdin.on("error", () => undefined)
      const lines: Array<string> = []
      createInterface(child.stderr).on("line", (line) => {
        lines.push(line)
        if (line.includes("ready to accept connections")) Deferred.doneUnsafe(ready, Effect.void)
      })
      child.on("exit", () => {
        Deferred.doneUnsafe(ready, Effect.die(new Error(lines.join("\n"))))
        Deferred.doneUnsafe(ended, Effect.void)
      })
      yield* Deferred.await(ready)
      return { child, ended }
    }),
    ({ child, ended }) =>
      Effect.andThen(
        Effect.sync(() => void child.stdin.end()),
        Deferred.await(ended)
      )
  )
  return path
})
