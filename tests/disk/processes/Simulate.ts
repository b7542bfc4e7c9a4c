/** A short run of a simulated world on a recorded disk: `node Simulate.ts SEED ROUNDS FAULT`; FAULT: what is not synced, if anything. */
import * as FileFaultRun from "../../simulation/storage/FileFaultRun.ts"
import type { StorageDefects } from "../../simulation/storage/SqliteFiles.ts"

const [, , seed, rounds, fault = ""] = process.argv

const faults: Readonly<Record<string, StorageDefects>> = {
  log: { ignoresSync: (name) => name.endsWith("-wal") },
  database: { ignoresSync: (name) => name === "gateway.db" },
  witness: { isWitnessUnsynced: true }
}

const { counts, hash, problems } = await FileFaultRun.run(Number(seed), Number(rounds), faults[fault])
console.log(JSON.stringify({ counts, hash, problems }))
