/** Measures a durable workflow, relative to Effect's cluster on the same kind of file, and the cost of waiting workflows. */
import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { Executions } from "@pay/workflow-sqlite/Executions"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import * as Measure from "./Measure.ts"
import { cluster, embedded, Paid } from "./workflow/Engines.ts"
import * as Sales from "./workflow/Sales.ts"
import type { Message as Waiting } from "./workflow/Waiting.ts"
import type { Message as WaitingSales } from "./workflow/WaitingSales.ts"

const callers = 64

const paid = (turn: number) => Paid.execute({ id: `paid-${turn}` })

/** Makes a row of two numbers, whose quotient has a limit. */
const quotient = (id: string, measure: string, ours: number, baseline: number, atMost: number, aim: number) =>
  Measure.row({
    id,
    measure,
    ours: String(ours),
    baseline: String(baseline),
    ratio: ours / baseline,
    limit: { atMost, aim }
  })

const throughput = async (directory: string): Promise<ReadonlyArray<Measure.Row>> => {
  const scope = await Effect.runPromise(Scope.make())
  try {
    const ours = await Effect.runPromise(Layer.buildWithScope(embedded(directory), scope))
    const theirs = await Effect.runPromise(Layer.buildWithScope(cluster(directory), scope))
    const comparison = await Measure.compare(
      { ours: forEach(ours, paid), baseline: forEach(theirs, paid) },
      { repetitions: 5, repetitionMillis: 500, clock: Measure.wallMicros }
    )
    const { statistics } = Context.get(ours, Executions)
    const { activities, runs, writes } = statistics
    return [
      Measure.rates(
        {
          id: "W1",
          measure: `workflows of three activities, ${callers} at once / Effect's cluster, one runner, the same kind of file`,
          limit: { atLeast: 4, aim: 15 }
        },
        comparison
      ),
      quotient(
        "W2",
        "rows written for one such workflow: its beginning, each activity, its end",
        writes.jobs,
        runs,
        5,
        5
      ),
      quotient("W3", "commits for one of those rows", writes.commits, writes.jobs, 0.2, 0.05),
      quotient("W4", "activities carried out for each that was asked for", activities, runs * 3, 1, 1)
    ]
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const forEach = <A, E, R>(context: Context.Context<R>, one: (turn: number) => Effect.Effect<A, E, R>): Measure.Work => {
  let turn = 0
  return (times) =>
    Effect.runPromiseWith(context)(
      Effect.forEach(
        Array.from({ length: times }, () => turn++),
        one,
        { concurrency: callers, discard: true }
      )
    )
}

/** Number of runs before the measurement, because the engine has not yet optimized the code of the first runs. */
const warmUp = 500

/** Measures durable sales, relative to the same flow in memory. The gateway answers immediately. */
const sales = async (directory: string): Promise<ReadonlyArray<Measure.Row>> => {
  const scope = await Effect.runPromise(Scope.make())
  try {
    const kept = await Effect.runPromise(Layer.buildWithScope(Sales.durableLayer(directory), scope))
    const plain = await Effect.runPromise(Layer.buildWithScope(Sales.plainLayer, scope))
    const sides = { ours: forEach(kept, Sales.sale), baseline: forEach(plain, Sales.sale) }
    for (const side of Object.values(sides)) await side(warmUp)
    const onProcessor = await Measure.compare(sides, { repetitions: 7, repetitionMillis: 300 })
    const onTheWall = await Measure.compare(sides, { repetitions: 5, clock: Measure.wallMicros, repetitionMillis: 300 })
    const { runs, writes = { jobs: 0, commits: 0 } } = Context.get(kept, FlowEngine).statistics
    return [
      Measure.rates(
        {
          id: "W9",
          measure: `durable sales, encrypted, ${callers} at once / the same flow in memory: processor time`,
          limit: { atLeast: 0.05, aim: 0.15 }
        },
        onProcessor
      ),
      Measure.noted({
        id: "W11",
        measure: "the same on the wall, disk included; the aim is 200 durable sales a second",
        ours: Measure.rate(onTheWall.oursMicros),
        baseline: Measure.rate(onTheWall.baselineMicros),
        ratio: onTheWall.baselineMicros / onTheWall.oursMicros,
        aim: "200/s"
      }),
      quotient("W10", "rows written for a durable sale: its beginning, two requests, its end", writes.jobs, runs, 4, 4)
    ]
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const waiting = 10_000
const dayMs = 86_400_000

const report = (program: string, ...args: ReadonlyArray<string>) => {
  const path = fileURLToPath(new URL(`workflow/${program}.ts`, import.meta.url))
  return JSON.parse(execFileSync(process.execPath, ["--expose-gc", path, ...args], { encoding: "utf8" }))
}

const openedProcess = (path: string, count: number, aheadMs: number): Waiting =>
  report("Waiting", path, `${count}`, `${aheadMs}`)
const salesProcess = (directory: string, which: "first" | "second"): WaitingSales =>
  report("WaitingSales", directory, `${waiting}`, which)

/** Measures ten thousand durable sales that wait for a slow bank, and the next process, which completes them. */
const waitingSales = (directory: string): ReadonlyArray<Measure.Row> => {
  const first = salesProcess(directory, "first")
  const second = salesProcess(directory, "second")
  return [
    Measure.row({
      id: "W12",
      measure: `bytes of memory for each of ${waiting} waiting durable sales / 4 KiB`,
      ours: `${Math.round(first.heapBytesEach)} B`,
      baseline: "4096 B",
      ratio: Math.max(0, first.heapBytesEach) / 4096,
      limit: { atMost: 1, aim: 0.25 }
    }),
    {
      id: "W13",
      measure: `from the start of the next process until all of them have their outcome: on the wall (processor time)`,
      ours: `${second.ended} in ${seconds(second.wallMs)} (${seconds(second.cpuMs)})`,
      baseline: "10 s",
      ratio: second.wallMs / 10_000,
      limit: `all ${waiting}`,
      aim: "≤ 1",
      holds: first.ended === 0 && second.ended === waiting
    }
  ]
}

const seconds = (millis: number): string => `${(millis / 1000).toFixed(1)} s`

/** Measures ten thousand waiting workflows, and a second process, which starts after their clocks have ended. */
const waits = (path: string): ReadonlyArray<Measure.Row> => {
  const first = openedProcess(path, waiting, 0)
  const second = openedProcess(path, 0, 2 * dayMs)
  return [
    Measure.row({
      id: "W5",
      measure: `bytes of memory for each of ${waiting} waiting workflows / 4 KiB`,
      ours: `${Math.round(first.heapBytesEach)} B`,
      baseline: "4096 B",
      ratio: Math.max(0, first.heapBytesEach) / 4096,
      limit: { atMost: 1, aim: 0.1 }
    }),
    Measure.row({
      id: "W6",
      measure: `${waiting} workflows whose clocks rang while no process ran, brought to their end by the next: processor time / 10 s`,
      ours: `${Math.round(second.cpuMs)} ms`,
      baseline: "10000 ms",
      ratio: second.cpuMs / 10_000,
      limit: { atMost: 1, aim: 0.5 }
    }),
    quotient("W7", "the most of them at once / the limit", second.mostRunning, 256, 1, 1),
    quotient("W8", "queries for due clocks for each 256 that rang", second.ticks, Math.ceil(waiting / 256), 3, 2)
  ]
}

const run = async (directory: string): Promise<ReadonlyArray<Measure.Row>> => {
  const waitingFolder = join(directory, "waiting sales")
  mkdirSync(waitingFolder)
  return [
    ...(await throughput(directory)),
    ...(await sales(directory)),
    ...waits(join(directory, "waiting.db")),
    ...waitingSales(waitingFolder)
  ]
}

const benchmark: Measure.Benchmark = {
  id: "workflow",
  title: "Workflows: one process, one file",
  run: () => Measure.inFolder(run)
}
export default benchmark

if (import.meta.main) await Measure.main(benchmark)
