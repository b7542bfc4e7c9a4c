/** Ways in which a second process may come to a file, while the first one runs, is stopped, and was killed: one process writes. */
import { spawnSync } from "node:child_process"
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as OwnedFile from "../src/OwnedFile.ts"
import { first, program } from "./First.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

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
