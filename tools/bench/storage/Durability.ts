/** Counts the syncs of the disk for a number of sales, and verifies the store after its process was killed during sales. */
import { execFileSync, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Card, Cvv, Job, Order, OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect } from "effect"
import * as Measure from "../Measure.ts"
import * as Sale from "./Sale.ts"

const program = fileURLToPath(new URL("Accept.ts", import.meta.url))

const counted = 2000

/** Returns the number of syncs of a process of Node with these arguments, or `undefined` if the machine has no `strace`. */
export const syncsOf = (directory: string, args: ReadonlyArray<string>): number | undefined => {
  const log = join(directory, "strace.txt")
  const options = ["-f", "-qq", "-e", "trace=fsync,fdatasync", "-o", log]
  try {
    execFileSync("strace", [...options, process.execPath, ...args], { stdio: "ignore" })
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    throw cause
  }
  return readFileSync(log, "utf8").match(/sync\(/g)?.length ?? 0
}

/** Counts every sync of a process that opens a new file and accepts the sales. Returns no rows if the machine has no `strace`. */
export const syncs = (directory: string): ReadonlyArray<Measure.Row> => {
  const count = syncsOf(directory, [program, join(directory, "counted.db"), "0", "64", `${counted}`])
  if (count === undefined) return []
  return [
    Measure.row({
      id: "D2a",
      measure: `syncs of the disk for ${counted} sales accepted, 64 at once, opening included`,
      ours: `${count}`,
      baseline: `${counted}`,
      ratio: count,
      limit: { atMost: 150, aim: 50 }
    })
  ]
}

/** Returns the sales that a process acknowledged before it was killed. It is killed after `count` acknowledged sales. */
const acknowledgedUntilKilled = async (path: string, first: number, count: number): Promise<ReadonlyArray<number>> => {
  const child = spawn(process.execPath, [program, path, `${first}`, "16"], { stdio: ["ignore", "pipe", "inherit"] })
  const acknowledged: Array<number> = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (acknowledged.push(Number(line)) === count) child.kill("SIGKILL")
  }
  return acknowledged
}

/** Returns how many of the five rows of a sale exist. */
const rowsOf = Effect.fnUntraced(function* (turn: number) {
  const store = yield* Store
  const { orderId, requestId } = Sale.names(turn)
  const rows = [
    yield* store.load(Order, [orderId]),
    yield* store.load(OrderRequest, [requestId]),
    yield* store.load(Card, [orderId]),
    yield* store.load(Cvv, [orderId]),
    yield* store.load(Job, [`bank:${requestId}`])
  ]
  return rows.filter((row) => row !== undefined).length
})

const between = 1_000_000

/** Counts acknowledged sales that are lost, and sales with only a part of their rows, after `rounds` kills with the same file. */
export const kills = async (directory: string, rounds: number): Promise<Measure.Row> => {
  const path = join(directory, "killed.db")
  let acknowledged = 0
  let lost = 0
  let torn = 0
  for (let round = 0; round < rounds; round++) {
    const first = round * between
    const names = new Set(await acknowledgedUntilKilled(path, first, 1 + ((round * 1117) % 3000)))
    const inspect = Effect.gen(function* () {
      for (let turn = first; turn <= Math.max(...names) + 64; turn++) {
        const rows = yield* rowsOf(turn)
        if (rows === 0 && names.has(turn)) lost++
        if (rows > 0 && rows < 5) torn++
      }
    })
    await Effect.runPromise(Effect.provide(inspect, SqliteStore.layer({ path, witness: `${path}.witness` })))
    acknowledged += names.size
  }
  return Measure.row({
    id: "D2b",
    measure: `sales lost or torn in ${rounds} rounds of kill -9, 16 at once`,
    ours: `${lost} lost, ${torn} torn`,
    baseline: `${acknowledged} acknowledged`,
    ratio: lost + torn,
    limit: { atMost: 0, aim: 0 }
  })
}
