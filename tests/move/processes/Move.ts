/** Moves a store and is killed when a phase has done so many rows: `node Move.ts FROM TO PHASE ROWS`. */
import * as Move from "@pay/storage/Move"
import { Effect } from "effect"
import * as Places from "../Places.ts"

const [, , from = "", to = "", phase = "", rows = ""] = process.argv

await Move.run({
  from: Places.of(from),
  to: Places.of(to),
  by: "tester",
  report: (progress) => {
    if (progress.phase === phase && progress.rows >= Number(rows)) process.kill(process.pid, "SIGKILL")
  }
}).pipe(Effect.scoped, Effect.runPromise)
