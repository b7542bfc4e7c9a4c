/** `npm start` leaves nothing behind, however it ends. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { it } from "@effect/vitest"
import { Deferred, Effect, Schedule } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"

const root = join(import.meta.dirname, "../../..")

/** Starts a program; the first address that it prints. */
const started = Effect.fnUntraced(function* (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) {
  const printed = yield* Deferred.make<string>()
  const lines: Array<string> = []
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: "pipe" })),
    (child: ChildProcess) => Effect.sync(() => void child.kill("SIGKILL"))
  )
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface(stream).on("line", (line) => {
      lines.push(line)
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
      if (url !== undefined) Deferred.doneUnsafe(printed, Effect.succeed(url))
    })
  }
  child.on("exit", () => Deferred.doneUnsafe(printed, Effect.die(new Error(`it ended: ${lines.join("\n")}`))))
  const url = yield* Deferred.await(printed)
  return { url, kill: Effect.sync(() => void child.kill("SIGKILL")) }
})

const isServed = (url: string) =>
  Effect.promise(() =>
    fetch(url).then(
      () => true,
      () => false
    )
  )

const programs = [
  ["npm in npm start", "npm", ["start", "--silent"]],
  ["the program of npm start", process.execPath, ["scripts/bootstrap.mjs", "start"]],
  ["the parent of the shop", process.execPath, [join(import.meta.dirname, "processes/shopParent.ts")]]
] as const

for (const [name, command, args] of programs) {
  it.live(`kill -9 of ${name} also ends the programs that it started`, () =>
    Effect.gen(function* () {
      const PAY_DATA = yield* temporaryFolder
      const { kill, url } = yield* started(command, args, { PAY_DATA, PAY_PORT: "0", SHOP_PORT: "0" })
      yield* kill
      yield* isServed(url).pipe(
        Effect.repeat({ while: (served) => served, schedule: Schedule.spaced("100 millis") }),
        Effect.timeout("20 seconds")
      )
    })
  )
}
