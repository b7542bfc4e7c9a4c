/**
 * A PostgreSQL server of a test's own, gone with the scope: on a port of the loopback interface and on a socket in its folder. It can
 * be stopped, killed, paused and started again.
 */
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Deferred, Effect } from "effect"
import * as Postgres from "../../scripts/Postgres.ts"
import * as DataTemplate from "./DataTemplate.ts"
import * as Processes from "./Processes.ts"
import * as ServerAccount from "./ServerAccount.ts"
import * as ServerCertificate from "./ServerCertificate.ts"

export interface Options {
  /** Default: false. With it its data is in memory, where a sync costs nothing, if the run has a folder there. */
  readonly inMemory?: boolean
  /** Default: false. With it the first store need not make its tables, which takes the server half a second: they may be there. */
  readonly hasStore?: boolean
  /** Default: true. Without it clients reach the server only by its socket, which has the number 5432. */
  readonly port?: boolean
  /** Default: false. With it the server accepts no connection to its port that is not encrypted. */
  readonly tls?: boolean
  readonly settings?: Readonly<Record<string, string>>
  /** In which it writes messages to sessions whose `lc_messages` is not `C`, where the machine has them: `de`. Default: English. */
  readonly language?: string
  /** The folder that will contain its data, if that is not the server's own. */
  readonly disk?: string
}

/** How a server stops: it ends sessions first, or it does nothing more and recovers at its next start. */
export type Stop = "fast" | "immediate"
const signals: Record<Stop, NodeJS.Signals> = { fast: "SIGINT", immediate: "SIGQUIT" }

export interface PostgresServer {
  /** The folder of its socket, which nobody else may open. */
  readonly folder: string
  readonly data: string
  readonly port: number
  /** The path of its certificate authority; undefined without TLS. */
  readonly authority: string | undefined
  readonly settings: Readonly<Record<string, string>>
  /** Completes when it accepts connections; a defect with its log if it ends before that. */
  readonly start: Effect.Effect<void>
  /** False also where it has ended by itself. */
  readonly isUp: () => boolean
  readonly stop: (mode: Stop) => Effect.Effect<void>
  readonly restart: (mode: Stop) => Effect.Effect<void>
  /** Kills each of its processes (`kill -9`): none of them runs any more when this completes. */
  readonly kill: Effect.Effect<void>
  /** Stops and continues each of its processes (SIGSTOP, SIGCONT): connections stay open and nothing is answered. */
  readonly pause: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** The last lines that it logged. */
  readonly log: Effect.Effect<string>
}

/**
 * Runs the server and prints its process id. When whoever started it closes its input or is killed, the server ends at once: nobody
 * wants what is in it.
 */
const untilLeft = `exec 3<&0; "$0" "$@" 3<&- >/dev/null & server=$!; echo $server
(cat <&3; kill -QUIT $server; kill -CONT $server) >/dev/null 2>&1 & wait $server`

const ready = /database system is ready to accept (read-only )?connections/
const lastLines = 200

/** What {@link make} starts and a standby, too: the settings of a server whose data folder exists. */
export interface Place {
  readonly folder: string
  readonly data: string
  readonly port: number
  readonly authority: string | undefined
  readonly settings: Readonly<Record<string, string>>
  readonly language?: string | undefined
}

export const programs = Effect.suspend(() => {
  const path = Postgres.find()
  return path === undefined
    ? Effect.die(new Error(`No PostgreSQL server is installed: ${Postgres.howToGet}`))
    : Effect.succeed(path)
})

/** Starts the server of this place; it is killed when the scope closes. */
export const launch = Effect.fnUntraced(function* (place: Place) {
  const { authority, data, folder, language, port, settings } = place
  const program = join(yield* programs, "postgres")
  const args = ["-D", data, "-k", folder, ...Object.entries({ ...settings, port: `${port}` }).flatMap(option)]
  const lines: Array<string> = []
  let current: { readonly main: Deferred.Deferred<number>; readonly end: Deferred.Deferred<void> } | undefined

  const start = Effect.gen(function* () {
    const main = yield* Deferred.make<number>()
    const accepting = yield* Deferred.make<void>()
    const end = yield* Deferred.make<void>()
    const child = spawn("sh", ["-c", untilLeft, program, ...args], {
      ...ServerAccount.account,
      cwd: folder,
      env: { LC_ALL: "C", PATH: process.env.PATH, ...(language === undefined ? {} : { LANGUAGE: language }) },
      stdio: ["pipe", "pipe", "pipe"]
    })
    child.stdin.on("error", () => undefined)
    child.stdout.once("data", (id) => Deferred.doneUnsafe(main, Effect.succeed(Number(id))))
    createInterface(child.stderr).on("line", (line) => {
      if (lines.push(line) > lastLines) lines.shift()
      if (ready.test(line)) Deferred.doneUnsafe(accepting, Effect.void)
    })
    child.on("exit", () => child.stdin.end())
    // This comes when each of its processes has ended: all of them write to its log.
    child.on("close", () => {
      current = undefined
      Deferred.doneUnsafe(accepting, Effect.die(new Error(lines.join("\n"))))
      Deferred.doneUnsafe(end, Effect.void)
    })
    current = { main, end }
    yield* Deferred.await(accepting)
  })

  /** Does this with the id of its first process, if it runs. */
  const withMain = (use: (id: number) => Effect.Effect<unknown>) =>
    Effect.suspend(() => (current === undefined ? Effect.void : Effect.flatMap(Deferred.await(current.main), use)))
  const end = Effect.suspend(() => (current === undefined ? Effect.void : Deferred.await(current.end)))
  const stop = (mode: Stop) =>
    Effect.andThen(
      withMain((id) => Effect.sync(() => process.kill(id, signals[mode]))),
      end
    )
  const kill = Effect.andThen(withMain(Processes.killAll), end)
  yield* Effect.addFinalizer(() => kill)
  yield* start
  const server: PostgresServer = {
    ...{ authority, data, folder, kill, port, settings, start, stop },
    isUp: () => current !== undefined,
    restart: (mode) => Effect.andThen(stop(mode), start),
    pause: Effect.asVoid(withMain(Processes.pauseAll)),
    resume: Effect.asVoid(withMain(Processes.resumeAll)),
    log: Effect.sync(() => lines.join("\n"))
  }
  return server
})

const option = ([name, value]: readonly [string, string]) => ["-c", `${name}=${value}`]

/** The rules of who may connect: each role with its password on the port, and anybody on the socket, which nobody else may open. */
const access = (tls: boolean) =>
  [
    "local all all trust",
    "local replication all trust",
    `${tls ? "hostssl" : "host"} all all 127.0.0.1/32 scram-sha-256`
  ].join("\n")

export const make = Effect.fnUntraced(function* (options: Options = {}) {
  const { disk, hasStore = false, inMemory = false, tls = false } = options
  const folder = yield* inMemory ? ServerAccount.folderInMemory : ServerAccount.folder
  const data = join(disk ?? folder, "data")
  yield* DataTemplate.copyTo(yield* programs, folder, data, hasStore)
  writeFileSync(join(data, "pg_hba.conf"), `${access(tls)}\n`)
  const certificate = tls ? ServerCertificate.write(folder) : undefined
  return yield* launch({
    ...{ authority: certificate?.authority, data, folder },
    language: options.language,
    port: options.port === false ? 5432 : yield* ServerAccount.freePort,
    settings: {
      listen_addresses: options.port === false ? "" : "127.0.0.1",
      unix_socket_permissions: "0700",
      max_connections: "100",
      shared_buffers: "32MB",
      // Its memory is in its folder: nothing of a killed server is left elsewhere.
      dynamic_shared_memory_type: "mmap",
      wal_retrieve_retry_interval: "100ms",
      ...certificate?.settings,
      ...options.settings
    }
  })
})
