/** Ways in which a second process may come to a file, while the first one runs, is stopped, and was killed: one process writes. */
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Database from "../src/Database.ts"
import * as Durability from "../src/durability/Durability.ts"
import * as OwnedFile from "../src/OwnedFile.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const program = fileURLToPath(new URL("processes/Own.ts", import.meta.url))

/** A process that has the file open, and writes a row for each line that it reads. */
interface First {
  readonly pid: number
  /** Sends a line, and returns the answer. */
  readonly tell: (line: string) => Promise<string>
  readonly signal: (name: NodeJS.Signals) => Promise<void>
}

type Child = ChildProcessByStdio<Writable, Readable, null>

const killed = async (child: Child): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}

const first = (path: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const child: Child = spawn(process.execPath, [program, path], { stdio: ["pipe", "pipe", "inherit"] })
        const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
        assert.strictEqual((await output.next()).value, "open")
        return { child, output }
      }),
      ({ child }) => Effect.promise(() => killed(child))
    ),
    ({ child, output }): First => ({
      pid: child.pid ?? 0,
      tell: async (line) => {
        child.stdin.write(`${line}\n`)
        return String((await output.next()).value)
      },
      signal: async (name) => {
        if (name === "SIGKILL") await killed(child)
        else child.kill(name)
      }
    })
  )

/** Options of `unshare` with which this user may mount a file for one process only. */
const mounting = process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"]
const container = [...mounting, "--pid", "--fork", "--mount-proc"]

interface Place {
  readonly folder: string
  readonly path: string
}

/** How a second process comes to the file. `prepare` runs once, after the first process has opened the file. */
interface Way {
  readonly prepare?: (place: Place) => void
  /** Options of `unshare`. */
  readonly unshare?: ReadonlyArray<string>
  /** A command of the shell that runs before, with the names of the file and of its folder. */
  readonly before?: string
  /** The path by which the second process opens the file. */
  readonly by?: (place: Place) => string
  /** With which word of the operator the second process opens it. */
  readonly origin?: "restored"
  /** The line that the first process reads before. */
  readonly request?: string
  /** The refusal while the first one lives. Default: it names the process. */
  readonly refusal?: RegExp
  /** The refusal after the first one was killed. Default: there is none. */
  readonly after?: RegExp
  /** What the first process answers when it is to write. Default: it writes. */
  readonly stays?: RegExp
}

const somebody = /in use by another process, perhaps in another container or under another name; stop it first/
const other = ({ folder }: Place) => join(folder, "other.db")
const elsewhere = ({ folder }: Place) => join(dirname(folder), `${basename(folder)} elsewhere`)
const withoutWitness = /the witness .* is not there.*Put the newer files back/
const gone = /is not the file any more that was opened: it was removed, renamed or replaced/

const bound: Way = {
  prepare: (place) => writeFileSync(other(place), ""),
  before: 'mount --bind "$0" "$1/other.db"',
  by: other
}
const withoutLock: Way = { prepare: ({ path }) => rmSync(`${path}.lock`) }

const ways: Readonly<Record<string, Way>> = {
  "by its name": {},
  "by a relative path": { by: ({ path }) => basename(path) },
  "through a symbolic link": { prepare: (place) => symlinkSync(place.path, other(place)), by: other },
  "through a hard link": {
    prepare: (place) => linkSync(place.path, other(place)),
    by: other,
    after: /has 2 names \(hard links\).*Remove the other names/
  },
  "by its name while it has a hard link": {
    prepare: (place) => linkSync(place.path, other(place)),
    after: /has 2 names \(hard links\).*Remove the other names/
  },
  "after its lock file was deleted": withoutLock,
  "after its lock file and its pid file were deleted": {
    prepare: ({ path }) => {
      rmSync(`${path}.lock`)
      rmSync(`${path}.pid`)
    }
  },
  "after the file was renamed": {
    prepare: (place) => {
      for (const part of ["", "-wal", "-shm", ".witness"]) renameSync(place.path + part, other(place) + part)
    },
    by: other,
    stays: gone
  },
  "after its folder was renamed": {
    prepare: (place) => renameSync(place.folder, elsewhere(place)),
    by: (place) => join(elsewhere(place), "test.db"),
    stays: gone
  },
  "through a folder that is mounted a second time": {
    unshare: mounting,
    prepare: (place) => mkdirSync(elsewhere(place)),
    before: 'mount --bind "$1" "$1 elsewhere"',
    by: (place) => join(elsewhere(place), "test.db")
  },
  "through a file that is mounted a second time": { ...bound, unshare: mounting, after: withoutWitness },
  "in another container": { unshare: container, refusal: /in use by process/ },
  "in another container, after its lock file was deleted": { ...withoutLock, unshare: container, refusal: somebody },
  "in another container, through a file that is mounted a second time": {
    ...bound,
    unshare: container,
    refusal: withoutWitness,
    after: withoutWitness
  },
  "in another container, through a file that is mounted a second time, as a restored one": {
    ...bound,
    unshare: container,
    origin: "restored",
    refusal: somebody
  },
  "in another container, through a hard link": {
    prepare: (place) => linkSync(place.path, other(place)),
    by: other,
    unshare: container,
    refusal: /has 2 names/,
    after: /has 2 names/
  },
  "after the first one read all of its own files": { request: "checksum" },
  "through a file that is mounted a second time, after the first one read all of its own files": {
    ...bound,
    unshare: mounting,
    request: "checksum",
    after: withoutWitness
  }
}

/** Opens the file in this process, or in one of its own if it needs another folder or other mounts, and returns the outcome. */
const second = (way: Way, place: Place): Promise<string> => {
  const path = way.by?.(place) ?? place.path
  const isRelative = path === basename(path)
  if (way.unshare === undefined && !isRelative) return here(path)
  const run = [process.execPath, program, path, ...(way.origin === undefined ? [] : [way.origin])]
  const shell = ["sh", "-c", `${way.before ?? "true"} && shift && exec "$@"`, place.path, place.folder, ...run]
  const [command = "", ...args] = way.unshare === undefined ? run : ["unshare", ...way.unshare, ...shell]
  const { stderr, stdout } = spawnSync(command, args, {
    cwd: isRelative ? place.folder : dirname(place.folder),
    encoding: "utf8",
    input: ""
  })
  return Promise.resolve(stdout.trim() || stderr)
}

const here = (path: string): Promise<string> =>
  OwnedFile.open({ path }).pipe(
    Effect.match({ onFailure: ({ message }) => message, onSuccess: () => "open" }),
    Effect.scoped,
    Effect.runPromise
  )

describe("a second process is refused while the first one lives or is stopped, and opens the file after kill -9", () => {
  it.live.each(Object.entries(ways))("%s", ([_, way]) =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "here")
      mkdirSync(folder)
      const place = { folder, path: join(folder, "test.db") }
      const { pid, signal, tell } = yield* first(place.path)
      yield* Effect.promise(async () => {
        assert.strictEqual(await tell("write"), "1")
        way.prepare?.(place)
        if (way.request !== undefined) assert.strictEqual(await tell(way.request), "read")
        const refusal = way.refusal ?? new RegExp(`in use by process ${pid}; stop it first`)
        assert.match(await second(way, place), refusal)
        assert.match(await tell("write"), way.stays ?? /^2$/)
        await signal("SIGSTOP")
        assert.match(await second(way, place), refusal)
        await signal("SIGKILL")
        assert.match(await second(way, place), way.after ?? /^open$/)
      })
    })
  )
})

describe("a file that is open", () => {
  it.live("stays locked until its connection is closed, also while its digest is computed", () =>
    Effect.gen(function* () {
      const path = yield* Database.claim({ path: join(yield* temporaryFolder, "test.db") })
      const durable = { witness: `${path}.witness` }
      const lock = `new (require("node:sqlite").DatabaseSync)(${JSON.stringify(path)}).exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE")`
      const locked = Effect.sync(() => spawnSync(process.execPath, ["-e", lock], { encoding: "utf8" }).stderr)
      let atEnd = ""
      const examined = yield* Durability.examine(path, durable)
      yield* Effect.scoped(
        Durability.open(examined, path, { path }, (database) =>
          Effect.andThen(
            Effect.addFinalizer(() =>
              Effect.map(locked, (error) => {
                atEnd = error
              })
            ),
            Durability.begin(database, examined, durable)
          )
        )
      )
      assert.include(atEnd, "database is locked")
      assert.strictEqual(yield* locked, "")
    })
  )

  it.live("is refused to a worker thread and to a second opening in the same process", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "test.db")
      yield* Database.open({ path })
      assert.strictEqual((yield* Effect.flip(Database.open({ path }))).reason._tag, "InUse")
      const line = yield* Effect.promise(async () => {
        const worker = new Worker(program, { argv: [path], stdin: true, stdout: true })
        worker.stdin?.end()
        const [line] = await once(createInterface({ input: worker.stdout }), "line")
        await worker.terminate()
        return String(line)
      })
      assert.match(line, new RegExp(`in use by process ${process.pid}`))
    })
  )

  it.live("takes no commit after another file was moved over it, and takes them again when it is back", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [path, aside, copy] = [join(folder, "test.db"), join(folder, "aside.db"), join(folder, "copy.db")]
      const { tell } = yield* first(path)
      yield* Effect.promise(async () => {
        assert.strictEqual(await tell("write"), "1")
        copyFileSync(path, copy)
        linkSync(path, aside)
        renameSync(copy, path)
        assert.match(await tell("write"), gone)
        renameSync(aside, path)
        assert.strictEqual(await tell("write"), "2")
        rmSync(path)
        assert.match(await tell("write"), gone)
      })
    })
  )

  it.live("lets other processes read it, also while it is opened again after kill -9", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "test.db")
      const before = yield* first(path)
      yield* Effect.promise(() => before.tell("write"))
      const reader = yield* Database.open({ path, readOnly: true })
      const rows = reader.read((db) => db.prepare("SELECT count(*) AS n FROM row").get()?.n)
      assert.strictEqual(yield* rows, 1)
      yield* Effect.promise(() => before.signal("SIGKILL"))
      const next = yield* first(path)
      assert.strictEqual(yield* Effect.promise(() => next.tell("write")), "2")
      assert.strictEqual(yield* rows, 2)
      const later = yield* Database.open({ path, readOnly: true })
      assert.strictEqual(yield* later.read((db) => db.prepare("SELECT count(*) AS n FROM row").get()?.n), 2)
    })
  )
})
