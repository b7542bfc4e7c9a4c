/** A gateway in a process of its own: started on a folder, killed without warning, or asked to stop. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Deferred, Effect } from "effect"

export interface GatewayProcess {
  readonly baseUrl: string
  /** `kill -9`: nothing of it runs any more when this completes. */
  readonly kill: Effect.Effect<void>
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** How it ended: exit code, or the signal's name. */
  readonly ended: Effect.Effect<number | string>
}

const start = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  line: (text: string) => string | undefined
) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const listening = yield* Deferred.make<string>()
      const over = yield* Deferred.make<number | string>()
      const child = spawn(process.execPath, [...args], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, ...env }
      })
      createInterface(child.stdout).on("line", (text) => {
        const baseUrl = line(text)
        if (baseUrl !== undefined) Deferred.doneUnsafe(listening, Effect.succeed(baseUrl))
      })
      child.on("exit", (code, signal) => {
        Deferred.doneUnsafe(
          listening,
          Effect.die(new Error(`the gateway ended with ${code ?? signal} before it listened`))
        )
        Deferred.doneUnsafe(over, Effect.succeed(code ?? signal ?? "gone"))
      })
      const signal = (name: NodeJS.Signals) => Effect.sync(() => void child.kill(name))
      const ended = Deferred.await(over)
      const baseUrl = yield* Deferred.await(listening)
      const gateway: GatewayProcess = {
        baseUrl,
        signal,
        ended,
        kill: Effect.andThen(signal("SIGKILL"), Effect.asVoid(ended))
      }
      return gateway
    }),
    ({ kill }) => kill
  )

/** A bank that answers after a moment, so that a kill finds requests at every stage; and that soon knows what never came. */
export const bank = { latencyMs: 20, deadlineMs: 1000, longestProcessingMs: 300 }

/** With a bank to the test's taste. */
export const sandbox = (dataDirectory: string) =>
  start([join(import.meta.dirname, "processes/gateway.ts"), dataDirectory, JSON.stringify({ bank })], {}, (text) =>
    text.startsWith("http") ? text : undefined
  )

/** The program that operators run. */
export const app = (dataDirectory: string) =>
  start(
    [join(import.meta.dirname, "../../apps/gateway/src/main.ts")],
    { PAY_DATA: dataDirectory, PAY_PORT: "0" },
    (text) => /"url":"([^"]+)"/.exec(text)?.[1]
  )
