/**
 * A run of a simulated world in which merchants with durable flows often lose their power, on a recorded disk:
 * `node DurableFlows.ts SEED STEPS FAULT`; FAULT: `log` where the log of their files is not synced, `full` where their disks and
 * the gateway's are full often instead.
 */
import * as Simulation from "../../simulation/Simulation.ts"
import * as SqliteFiles from "../../simulation/storage/SqliteFiles.ts"
import * as Storage from "../../simulation/storage/Storage.ts"

const [, , seed, steps, fault = ""] = process.argv

const often =
  fault === "full"
    ? { storage: SqliteFiles.sqlite(), frequentFault: "fullDisk" }
    : { storage: Storage.memory, frequentFault: "killMerchant" }

const { counts, hash, lines, problems } = await Simulation.run({
  ...{ seed: Number(seed), steps: Number(steps), durable: true, ...often },
  unsynced: (name) => fault === "log" && name.endsWith("-wal")
})
const cuts = lines.filter((line) => line.endsWith("'s machine loses its power")).length
console.log(JSON.stringify({ counts: { ...counts, cuts }, hash, problems }))
