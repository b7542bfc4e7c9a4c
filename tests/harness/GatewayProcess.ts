/** A gateway in a process of its own: once on a free port, or always on the same one as often as a test wants. */
import { join } from "node:path"
import { Effect, Semaphore } from "effect"
import * as ChildProcess from "./ChildProcess.ts"

/** A bank that answers after a moment, so that a kill finds requests at every stage; and that soon knows what never came. */
export const bank = { latencyMs: 20, deadlineMs: 1000, longestProcessingMs: 300 }

const addressed = (options: ChildProcess.Options<string>) =>
  Effect.map(ChildProcess.start(options), ({ ready: baseUrl, ...process }) => ({ ...process, baseUrl }))

/** Starts one with a bank to the test's taste, on a folder and a free port. */
export const sandbox = (dataDirectory: string) =>
  addressed({
    args: [join(import.meta.dirname, "processes/gateway.ts"), dataDirectory, JSON.stringify({ bank })],
    ready: (line) => (line.startsWith("http") ? line : undefined)
  })

/** Starts the program that operators run. */
export const app = (dataDirectory: string, options: Pick<ChildProcess.Options<string>, "env" | "onLine"> = {}) =>
  addressed({
    ...options,
    args: [join(import.meta.dirname, "../../gateway/program/src/main.ts")],
    env: { PAY_DATA: dataDirectory, PAY_PORT: "0", ...options.env },
    ready: (line) => /"url":"([^"]+)"/.exec(line)?.[1]
  })

/** A gateway always on the same port and folder: started, killed, paused and stopped as often as a test wants. */
export interface GatewayProcess {
  readonly name: string
  readonly port: number
  /** The port for operators. 0: any free one. */
  readonly operatorPort: number
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
  /** Ends what reads its log: each line that it writes from now on fails. */
  readonly closeLog: Effect.Effect<void>
  /** What it logged of errors since its first start. */
  readonly errors: () => ReadonlyArray<string>
}

export interface Options {
  readonly name: string
  readonly port: number
  /** Default: any free one. */
  readonly operatorPort?: number
  readonly program: string
  readonly args?: ReadonlyArray<string>
  /** Is called with each line of its log. */
  readonly onLine?: (line: string) => void
  readonly env: Readonly<Record<string, string>>
  /** How far its clock is from the machine's. */
  readonly clockMs?: number
}

/** Shifts the clock of a program before its first line runs. */
const shifted = (clockMs: number) =>
  clockMs === 0 ? [] : ["--import", `data:text/javascript,const now = Date.now; Date.now = () => now() + ${clockMs}`]

/** A gateway that is started later, and killed with the scope. */
export const make = Effect.fnUntraced(function* ({
  args = [],
  clockMs = 0,
  env,
  name,
  onLine,
  operatorPort = 0,
  port,
  program
}: Options) {
  const errors: Array<string> = []
  const turns = yield* Semaphore.make(1)
  let current: ChildProcess.ChildProcess<true> | undefined
  const isUp = () => current?.isOver() === false

  const launch = Effect.gen(function* () {
    current = yield* ChildProcess.launch({
      args: [...shifted(clockMs), program, ...args],
      env: { ...env, PAY_PORT: `${port}`, PAY_OPERATOR_PORT: `${operatorPort}` },
      ready: (line) => line.includes("The gateway is ready") || undefined,
      onLine: (line) => {
        if (/"level":"(ERROR|FATAL)"/.test(line)) errors.push(line)
        onLine?.(line)
      }
    })
    yield* current.ready
  })
  const send = (signal: NodeJS.Signals) =>
    Effect.suspend(() => (current === undefined || !isUp() ? Effect.void : current.signal(signal)))
  const ended = (signal: NodeJS.Signals) =>
    Effect.suspend(() =>
      current === undefined || !isUp()
        ? Effect.succeed("not running")
        : Effect.andThen(current.signal(signal), current.ended)
    )
  yield* Effect.addFinalizer(() => ended("SIGKILL"))
  const gateway: GatewayProcess = {
    name,
    port,
    operatorPort,
    start: turns.withPermit(Effect.suspend(() => (isUp() ? Effect.void : launch))),
    kill: Effect.asVoid(ended("SIGKILL")),
    pause: send("SIGSTOP"),
    resume: send("SIGCONT"),
    stop: ended("SIGTERM"),
    isUp,
    closeLog: Effect.suspend(() => current?.closeOutput ?? Effect.void),
    errors: () => errors
  }
  return gateway
})
