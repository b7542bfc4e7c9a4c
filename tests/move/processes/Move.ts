/** Moves a store and is killed when a phase has done so many rows: `node Move.ts FROM TO PHASE ROWS`. */
import * as Move from "@pay/storage/Move"
import { Effect, Redacted } from "effect"

const [, , from = "", to = "", phase = "", rows = ""] = process.argv

await Move.run({
  from,
  to: { url: Redacted.make(to) },
  by: "tester",
  report: (progress) => {
    if (progress.phase === phase && progress.rows >= Number(rows)) process.kill(process.pid, "SIGKILL")
  }
}).pipe(Effect.scoped, Effect.runPromise)
