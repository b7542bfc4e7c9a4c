/**
 * `npm run simulate`: simulated lives of a payment world, each from its seed, until so many payments were made or so many minutes
 * are over. Where one fails, the shortest life that still fails is printed with its log, and a line that runs it again.
 *
 *   npm run simulate                                10,000 payments
 *   npm run simulate -- --payments 1000000
 *   npm run simulate -- --minutes 30
 *   npm run simulate -- --seed 7 [--steps 400]      one seed, with its log
 *   npm run simulate -- --replay failure.json       a life that failed, as its file says
 */
import { readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { parseArgs } from "node:util"
import { isMainThread, parentPort, Worker } from "node:worker_threads"
import * as Shrink from "./Shrink.ts"
import * as Simulation from "./Simulation.ts"

const defaultSteps = 400

interface Life {
  readonly seed: number
  readonly steps: number
  readonly without?: ReadonlyArray<number>
}

interface Told {
  readonly life: Life
  readonly result: Simulation.Result
}

const runOne = ({ seed, steps, without = [] }: Life) => Simulation.run({ seed, steps, without: new Set(without) })

const plural = (count: number, name: string): string => `${count.toLocaleString("en")} ${name}${count === 1 ? "" : "s"}`

/** The shortest life that fails, as a log and as a file that runs it again. */
const explain = async ({ seed, steps }: Life) => {
  console.log(`seed ${seed} fails; looking for the shortest life that still does`)
  const all = Array.from({ length: steps }, (_, index) => index)
  const without = (kept: ReadonlyArray<number>) => all.filter((index) => !kept.includes(index))
  const { kept } = await Shrink.shrink(
    steps,
    async (those) => (await runOne({ seed, steps, without: without(those) })).problems.length > 0
  )
  const life: Life = { seed, steps, without: without(kept) }
  const { lines, problems } = await runOne(life)
  const file = `simulation-${seed}.json`
  writeFileSync(file, `${JSON.stringify(life)}\n`)
  console.log([...lines.slice(-400), "", ...problems, "", `npm run simulate -- --replay ${file}`].join("\n"))
}

const show = async (life: Life): Promise<boolean> => {
  const { counts, hash, lines, payments, problems } = await runOne(life)
  console.log([...lines, "", JSON.stringify(counts), `${plural(payments, "payment")}, trace ${hash}`].join("\n"))
  console.log(problems.length === 0 ? "0 violations" : problems.join("\n"))
  return problems.length === 0
}

const many = async (mostPayments: number, mostMs: number, first: number): Promise<boolean> => {
  const startedMs = performance.now()
  const counts: Record<string, number> = {}
  let [seed, payments, lives] = [first, 0, 0]
  let failed: Life | undefined
  const isOver = () => failed !== undefined || payments >= mostPayments || performance.now() - startedMs >= mostMs
  const rate = () => Math.round(payments / ((performance.now() - startedMs) / 1000))
  const progress = setInterval(
    () => console.log(`${plural(payments, "payment")} in ${lives} lives, ${rate()} a second, seed ${seed}`),
    10_000
  )
  await Promise.all(
    Array.from(
      { length: availableParallelism() },
      () =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(import.meta.filename)
          const next = () => {
            if (isOver()) return void worker.terminate().then(() => resolve())
            worker.postMessage({ seed, steps: defaultSteps } satisfies Life)
            seed += 1
          }
          worker.on("error", reject)
          worker.on("message", ({ life, result }: Told) => {
            payments += result.payments
            lives += 1
            for (const [name, count] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + count
            if (result.problems.length > 0) failed ??= life
            next()
          })
          next()
        })
    )
  )
  clearInterval(progress)
  for (const [name, count] of Object.entries(counts).sort()) console.log(`${String(count).padStart(10)}  ${name}`)
  console.log(`${plural(payments, "payment")} in ${lives} lives from seed ${first}, ${rate()} a second`)
  if (failed === undefined) {
    console.log("0 violations")
    return true
  }
  await explain(failed)
  return false
}

const number = (name: string, text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0) return value
  console.error(`--${name} must be a whole number, not "${text}"`)
  process.exit(2)
}

const main = async (): Promise<boolean> => {
  const { values } = parseArgs({
    options: {
      seed: { type: "string" },
      steps: { type: "string" },
      payments: { type: "string" },
      minutes: { type: "string" },
      replay: { type: "string" },
      from: { type: "string" }
    }
  })
  if (values.replay !== undefined) return await show(JSON.parse(readFileSync(values.replay, "utf8")))
  const steps = number("steps", values.steps ?? String(defaultSteps))
  if (values.seed !== undefined) return await show({ seed: number("seed", values.seed), steps })
  const minutes = values.minutes === undefined ? Number.POSITIVE_INFINITY : number("minutes", values.minutes)
  const payments = number("payments", values.payments ?? "10000")
  const most = values.payments === undefined && values.minutes !== undefined ? Number.POSITIVE_INFINITY : payments
  return await many(most, minutes * 60_000, number("from", values.from ?? "1"))
}

if (isMainThread) process.exit((await main()) ? 0 : 1)
else
  parentPort?.on("message", async (life: Life) => {
    const { lines: _, ...result } = await runOne(life)
    parentPort?.postMessage({ life, result: { ...result, lines: [] } } satisfies Told)
  })
