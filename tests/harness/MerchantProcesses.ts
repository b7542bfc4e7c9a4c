/** A merchant's durable flow in successive processes, each of which may be killed at a request, until one comes to the end of the flow. */
import { join } from "node:path"
import { Effect, Schema } from "effect"
import * as ChildProcess from "./ChildProcess.ts"
import { Report, type Task } from "./processes/merchant.ts"

const program = join(import.meta.dirname, "processes/merchant.ts")

/** One life of a merchant: its report at its end, or nothing if it was killed. */
const life = (task: typeof Task.Type) =>
  Effect.map(ChildProcess.run([program, JSON.stringify(task)]), (lines) => lines.at(-1))

const read = Schema.decodeEffect(Report)

/** Returns the moment at which each of the merchant's successive processes is killed. */
export type Deaths = (life: number) => (typeof Task.Type)["killAt"]

const mostLives = 80

/** Lives until one comes to the end of the flow. */
export const lives = Effect.fnUntraced(function* (task: typeof Task.Type, deaths: Deaths) {
  for (let count = 0; count < mostLives; count++) {
    const killAt = deaths(count)
    const report = yield* life(killAt === undefined ? task : { ...task, killAt })
    if (report !== undefined) return { ...(yield* read(report)), deaths: count }
  }
  return yield* Effect.die(new Error(`${task.clientOrderId} came to no end in ${mostLives} lives`))
})
