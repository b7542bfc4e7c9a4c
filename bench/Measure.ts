/**
 * How every benchmark here measures: two pieces of work in one process, by turns, and the ratio of their medians.
 * Absolute times move by a factor of two within minutes on a shared machine; such ratios hold.
 */

/** One measured line: `ratio` is what the bar and the aim speak of. */
export interface Row {
  readonly id: string
  readonly measure: string
  readonly ours: string
  readonly baseline: string
  readonly ratio: number
  readonly bar: string
  readonly aim: string
  readonly holds: boolean
}

/** What a file of this folder exports as its default. */
export interface Benchmark {
  readonly id: string
  readonly title: string
  readonly run: () => Promise<ReadonlyArray<Row>>
}

/** Does an operation so many times. */
export type Work = (times: number) => void | Promise<void>

/** Medians of the time one operation takes. */
export interface Comparison {
  readonly oursMicros: number
  readonly baselineMicros: number
}

/** Synchronous work from one operation; it gets a running number, so that no two calls need be alike. */
export const each =
  (operation: (turn: number) => unknown): Work =>
  (times) => {
    for (let turn = 0; turn < times; turn++) kept.last = operation(turn)
  }

/** Asynchronous work from one operation, with so many under way at once. */
export const inFlight =
  (concurrency: number, operation: (turn: number) => Promise<unknown>): Work =>
  async (times) => {
    let turn = 0
    const worker = async () => {
      while (turn < times) kept.last = await operation(turn++)
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
  }

/** Keeps results alive, so that the engine cannot leave the work out. */
const kept: { last?: unknown } = {}

/**
 * Measures by turns. Both sides warm up until one repetition takes about `repetitionMillis`. Work that never waits is
 * timed by the processor time of this thread, so that a neighbour on the same cores does not count.
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

/** Microseconds from any start. */
export type Clock = () => number

/** Processor time of this thread. Asking for the whole process first makes the kernel bring its figures up to date. */
export const threadMicros: Clock = () => {
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** Time on the wall: for work that waits or runs on other threads. */
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

/** A ratio that must stay at or below (`atMost`), or at or above (`atLeast`), its bar. */
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
    ? { ...rest, bar: `≤ ${limit.atMost}`, aim: `≤ ${limit.aim}`, holds: line.ratio <= limit.atMost }
    : { ...rest, bar: `≥ ${limit.atLeast}`, aim: `≥ ${limit.aim}`, holds: line.ratio >= limit.atLeast }
}

/** A time or a rate for people to read. */
export const micros = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} µs`

/** The rows as a table, widths fitted. */
export const render = (title: string, rows: ReadonlyArray<Row>): string => {
  const header = ["id", "ours / baseline", "ours", "baseline", "ratio", "bar", "aim", "holds"]
  const cells = rows.map((row) => [
    row.id,
    row.measure,
    row.ours,
    row.baseline,
    row.ratio.toFixed(2),
    row.bar,
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

/** Runs one benchmark by itself: prints its table, and the process fails if a bar does not hold. */
export const main = async (benchmark: Benchmark): Promise<void> => {
  const rows = await benchmark.run()
  console.log(render(benchmark.title, rows))
  if (rows.some((row) => !row.holds)) process.exitCode = 1
}
