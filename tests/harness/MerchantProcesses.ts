/** A merchant's durable flow in successive processes, each of which may be killed at a request, until one comes to the end of the flow. */
import { join } from "node:path"
import { Effect, Schema } from "effect"
import * as ChildProcess from "./ChildProcess.ts"
import { Report, type Task } from "./processes/merchant.ts"

const program = join(import.meta.dirname, "processes/merchant.ts")

/** Runs one process. Returns its report, or nothing if it was killed. */
const runProcess = (task: typeof Task.Type) =>
  Effect.map(ChildProcess.run([program, JSON.stringify(task)]), (lines) => lines.at(-1))

const read = Schema.decodeEffect(Report)

/** Returns the moment at which each of the merchant's successive processes is killed. */
export type KillMoments = (process: number) => (typeof Task.Type)["killAt"]

const mostProcesses = 80

/** Runs processes until one reaches the end of the flow. Returns its report, and how many were killed. */
export const runUntilEnd = Effect.fnUntraced(function* (task: typeof Task.Type, killMoments: KillMoments) {
  for (let count = 0; count < mostProcesses; count++) {
    const killAt = killMoments(count)
    const report = yield* runProcess(killAt === undefined ? task : { ...task, killAt })
    if (report !== undefined) return { ...(yield* read(report)), kills: count }
  }
  return yield* Effect.die(new Error(`${task.clientOrderId} did not end in ${mostProcesses} processes`))
})
