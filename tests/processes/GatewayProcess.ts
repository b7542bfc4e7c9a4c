/** A gateway in a process of its own, always on the same port and folder: started, killed, paused and stopped as often as a test wants. */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { Deferred, Effect, Semaphore } from "effect"

export interface GatewayProcess {
  readonly name: string
  readonly port: number
  /** Completes when it takes requests; a defect with its last lines if it ends before. */
  readonly start: Effect.Effect<void>
  /** `kill -9`: nothing of it runs any more when this completes. */
  readonly kill: Effect.Effect<void>
  /** SIGSTOP and SIGCONT: connections stay open, and nothing is answered meanwhile. */
  readonly pause: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** SIGTERM; completes with its exit code when it has ended in good order. */
  readonly stop: Effect.Effect<number | string>
  readonly isUp: () => boolean
  /** What it logged of errors since its first start. */
  readonly errors: () => ReadonlyArray<string>
}

export interface Options {
  readonly name: string
  readonly port: number
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  /** How far its clock is from the machine's. */
  readonly clockMs?: number
}

interface Running {
  readonly child: ChildProcess
  readonly end: Deferred.Deferred<number | string>
}

const lastLines = 20

/** Shifts the clock of a program before its first line runs. */
const shifted = (clockMs: number) => [
  "--import",
  `data:text/javascript,const now = Date.now; Date.now = () => now() + ${clockMs}`
]

export const make = Effect.fnUntraced(function* ({ clockMs = 0, env, name, port, program }: Options) {
  const errors: Array<string> = []
  const turns = yield* Semaphore.make(1)
  let current: Running | undefined

  const launch = Effect.gen(function* () {
    const ready = yield* Deferred.make<void>()
    const end = yield* Deferred.make<number | string>()
    const child = spawn(process.execPath, [...(clockMs === 0 ? [] : shifted(clockMs)), program], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env, PAY_PORT: `${port}` }
    })
    const lines: Array<string> = []
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on("line", (line) => {
        if (lines.push(line) > lastLines) lines.shift()
        if (/"level":"(ERROR|FATAL)"/.test(line)) errors.push(line)
        if (line.includes("The gateway is ready")) Deferred.doneUnsafe(ready, Effect.void)
      })
    child.on("exit", (code, signal) => {
      current = undefined
      Deferred.doneUnsafe(ready, Effect.die(new Error(`${name} ended with ${code ?? signal}:\n${lines.join("\n")}`)))
      Deferred.doneUnsafe(end, Effect.succeed(code ?? signal ?? "gone"))
    })
    current = { child, end }
    yield* Deferred.await(ready)
  })

  const send = (signal: NodeJS.Signals) => Effect.sync(() => void current?.child.kill(signal))
  const ended = (signal: NodeJS.Signals) =>
    Effect.suspend(() => {
      if (current === undefined) return Effect.succeed("not running")
      const { child, end } = current
      return Effect.andThen(
        Effect.sync(() => void child.kill(signal)),
        Deferred.await(end)
      )
    })
  yield* Effect.addFinalizer(() => ended("SIGKILL"))
  const gateway: GatewayProcess = {
    name,
    port,
    start: turns.withPermit(Effect.suspend(() => (current === undefined ? launch : Effect.void))),
    kill: Effect.asVoid(ended("SIGKILL")),
    pause: send("SIGSTOP"),
    resume: send("SIGCONT"),
    stop: ended("SIGTERM"),
    isUp: () => current !== undefined,
    errors: () => errors
  }
  return gateway
})
