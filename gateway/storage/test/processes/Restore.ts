/** Restores a backup and kills its process right after a step: `node Restore.ts FILE FOLDER STEP`. */
import { Effect } from "effect"
import * as Backup from "../../src/Backup.ts"

const [, , file = "", dataDirectory = "", until] = process.argv

await Backup.restore({
  file,
  dataDirectory,
  by: "tester",
  report: (step) => {
    if (step === until) process.kill(process.pid, "SIGKILL")
  }
}).pipe(Effect.runPromise)
