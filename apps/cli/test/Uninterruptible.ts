/** A program that does not end when it is interrupted. */
import { Effect } from "effect"
import * as Program from "../src/terminal/Program.ts"

const tell = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

setInterval(() => undefined, 60_000)
process.once("SIGINT", () => setImmediate(tell, "once"))
const begun = Effect.sync(() => tell("begun"))
await Program.run(Effect.uninterruptible(Effect.andThen(begun, Effect.never)))
