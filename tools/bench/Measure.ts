/**
 * Measures benchmarks: two pieces of work run alternately in one process, and the ratio of their medians counts. On a shared
 * machine, absolute times change by a factor of two within minutes; such ratios are stable.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** One line of results. `ratio` is compared with the limit, which must hold, and with the aim. */
export interface Row {
  readonly id: string
  readonly measure: string
  readonly ours: string
  readonly baseline: string
  readonly ratio: number
  readonly limit: string
  readonly aim: string
  readonly holds: boolean
}

/** The default export of each benchmark file. */
export interface Benchmark {
  readonly id: string
  readonly title: string
  readonly run: () => Promise<ReadonlyArray<Row>>
}

/** Runs an operation `times` times. */
export type Work = (times: number) => void | Promise<void>

/** Median times of one operation, in microseconds. */
export interface Comparison {
  readonly oursMicros: number
  readonly baselineMicros: number
}

/** Makes synchronous work from an operation. The operation receives a running number, so that its calls can differ. */
export const each =
  (operation: (turn: number) => unknown): Work =>
  (times) => {
    for (let turn = 0; turn < times; turn++) kept.last = operation(turn)
  }

/** Makes asynchronous work from an operation, with `concurrency` calls at the same time. */
export const inFlight =
  (concurrency: number, operation: (turn: number) => Promise<unknown>): Work =>
  async (times) => {
    let turn = 0
    const worker = async () => {
      while (turn < times) kept.last = await operation(turn++)
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
  }

/** Makes work from an effect, which `callers` fibers run, each one time after another. */
export const byCallers =
  (callers: number, next: Effect.Effect<unknown, unknown>): Work =>
  async (times) => {
    let left = times
    const caller = Effect.whileLoop({ while: () => left-- > 0, body: () => next, step: () => {} })
    const all = Array.from({ length: callers }, () => caller)
    await Effect.runPromise(Effect.all(all, { concurrency: "unbounded", discard: true }))
  }

/** Keeps a reference to the latest result, so that the engine cannot optimize the work away. */
const kept: { last?: unknown } = {}

/**
 * Measures both sides alternately. First, each side warms up until one repetition takes about `repetitionMillis`. Work that never
 * waits is measured in processor time of this thread, so that other work on the same cores does not count.
 */
export const compare = async (
  sides: { readonly ours: Work; readonly baseline: Work },
  { repetitions = 31, repetitionMillis = 10, clock = threadMicros } = {}
): Promise<Comparison> => {
  const times = {
    ours: await calibrate(sides.ours, repetitionMillis, clock),
    baseline: await calibrate(sides.baseline, repetitionMillis, clock)
  }
  const micros: Record<keyof typeof sides, Array<number>> = { ours: [], baseline: [] }
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const order = repetition % 2 === 0 ? (["ours", "baseline"] as const) : (["baseline", "ours"] as const)
    for (const side of order) micros[side].push((await elapsedMicros(sides[side], times[side], clock)) / times[side])
  }
  return { oursMicros: median(micros.ours), baselineMicros: median(micros.baseline) }
}

/** Returns microseconds since a fixed but arbitrary moment. */
export type Clock = () => number

/** Processor time of this thread. The call of `process.cpuUsage` first makes the kernel update its figures. */
export const threadMicros: Clock = () => {
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** Elapsed real time, for work that waits or runs on other threads. */
export const wallMicros: Clock = () => Number(process.hrtime.bigint()) / 1000

const calibrate = async (work: Work, repetitionMillis: number, clock: Clock): Promise<number> => {
  let times = 16
  for (;;) {
    const micros = await elapsedMicros(work, times, clock)
    if (micros > repetitionMillis * 500) return Math.max(16, Math.round((times * repetitionMillis * 1000) / micros))
    times *= 2
  }
}

const elapsedMicros = async (work: Work, times: number, clock: Clock): Promise<number> => {
  const start = clock()
  await work(times)
  return clock() - start
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

export const percentile = (values: ReadonlyArray<number>, percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length * percent) / 100)] ?? Number.NaN

/** The limit of a ratio: a maximum (`atMost`) or a minimum (`atLeast`), and the aim. */
export type Limit =
  | { readonly atMost: number; readonly aim: number }
  | { readonly atLeast: number; readonly aim: number }

export const row = (line: {
  readonly id: string
  readonly measure: string
  readonly ours: string
  readonly baseline: string
  readonly ratio: number
  readonly limit: Limit
}): Row => {
  const { limit, ...rest } = line
  return "atMost" in limit
    ? { ...rest, limit: `≤ ${limit.atMost}`, aim: `≤ ${limit.aim}`, holds: line.ratio <= limit.atMost }
    : { ...rest, limit: `≥ ${limit.atLeast}`, aim: `≥ ${limit.aim}`, holds: line.ratio >= limit.atLeast }
}

type Line = Pick<Parameters<typeof row>[0], "id" | "measure" | "limit">

/** Makes a row of times, whose ratio is that of the times. */
export const times = (line: Line, { baselineMicros, oursMicros }: Comparison): Row =>
  row({ ...line, ours: micros(oursMicros), baseline: micros(baselineMicros), ratio: oursMicros / baselineMicros })

/** Makes a row of rates, whose ratio is that of the rates. */
export const rates = (line: Line, { baselineMicros, oursMicros }: Comparison): Row =>
  row({ ...line, ours: rate(oursMicros), baseline: rate(baselineMicros), ratio: baselineMicros / oursMicros })

/** Makes a row that is printed without a limit. */
export const noted = (line: Omit<Row, "limit" | "holds">): Row => ({ ...line, limit: "none", holds: true })

/** Formats how often an operation can be done in a second. */
export const rate = (value: number): string => `${Math.round(1e6 / value)}/s`

/** Runs a function with an empty folder, which is deleted at the end. */
export const inFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "pay-bench-"))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Formats a time in microseconds. */
export const micros = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} µs`

/** Formats the rows as a table with aligned columns. */
export const render = (title: string, rows: ReadonlyArray<Row>): string => {
  const header = ["id", "ours / baseline", "ours", "baseline", "ratio", "limit", "aim", "holds"]
  const cells = rows.map((row) => [
    row.id,
    row.measure,
    row.ours,
    row.baseline,
    row.ratio.toFixed(2),
    row.limit,
    row.aim,
    row.holds ? "yes" : "NO"
  ])
  const widths = header.map((name, column) => Math.max(name.length, ...cells.map((line) => line[column]?.length ?? 0)))
  const text = (line: ReadonlyArray<string>) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  return [title, text(header), ...cells.map(text)].join("\n")
}

/** Runs one benchmark and prints its table. The exit code is 1 if a limit does not hold. */
export const main = async (benchmark: Benchmark): Promise<void> => {
  const rows = await benchmark.run()
  console.log(render(benchmark.title, rows))
  if (rows.some((row) => !row.holds)) process.exitCode = 1
}
