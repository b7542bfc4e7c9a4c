/** A disk of a few megabytes, in memory, that a test fills and frees. */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Deferred, Effect } from "effect"
import * as ServerAccount from "./ServerAccount.ts"

export interface LimitedDisk {
  /** Everything in it belongs to the account of servers. */
  readonly folder: string
  /** Leaves no byte free. */
  readonly fill: Effect.Effect<void>
  readonly free: Effect.Effect<void>
}

/**
 * Mounts the disk where only this process and its children see it, so that nothing remains of it however the test ends. Others reach it
 * through the process in `/proc`, for which both have to be of one user.
 */
const { gid = 0, uid } = ServerAccount.account
const [unshare, owner, leaveRoot] =
  uid === undefined
    ? ["--user --map-root-user --mount", "", ""]
    : ["--mount", `,uid=${uid},gid=${gid}`, `setpriv --reuid ${uid} --regid ${gid} --clear-groups`]
const holder = (folder: string, megabytes: number) =>
  // It is up once it has left root: until then the account of servers may not reach the disk through it.
  `exec unshare ${unshare} sh -c 'mount -t tmpfs -o size=${megabytes}m,mode=0755${owner} tmpfs ${folder} && exec ${leaveRoot} sh -c "echo up && exec cat"'`

/** The disk that is mounted at this folder. */
export const at = (folder: string): LimitedDisk => {
  const ballast = join(folder, "ballast")
  return {
    folder,
    // Programs write beside this, so how much is free is not asked before: it writes until there is no room.
    fill: Effect.sync(() => spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64k"])),
    free: Effect.sync(() => existsSync(ballast) && rmSync(ballast))
  }
}

export const make = Effect.fnUntraced(function* (megabytes: number) {
  const place = join(yield* ServerAccount.folder, "disk")
  mkdirSync(place)
  const { pid } = yield* Effect.acquireRelease(
    Effect.gen(function* () {
      const mounted = yield* Deferred.make<void>()
      const child = spawn("sh", ["-c", holder(place, megabytes)], { stdio: ["pipe", "pipe", "inherit"] })
      child.stdout.once("data", () => Deferred.doneUnsafe(mounted, Effect.void))
      const end = Deferred.makeUnsafe<void>()
      child.on("exit", () => {
        Deferred.doneUnsafe(mounted, Effect.die(new Error("this user may not mount a disk of its own")))
        Deferred.doneUnsafe(end, Effect.void)
      })
      yield* Deferred.await(mounted)
      return { pid: child.pid, child, end }
    }),
    ({ child, end }) =>
      Effect.andThen(
        Effect.sync(() => void child.kill("SIGKILL")),
        Deferred.await(end)
      )
  )
  const folder = `/proc/${pid}/root${place}`
  return at(folder)
})
