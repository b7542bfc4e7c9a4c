/**
 * `npm run simulate`: runs of the simulation, each from its seed, until a number of payments or minutes is reached. If a run fails,
 * it prints the shortest run that still fails with its log, a command that runs it again, and a test.
 */
import { readFileSync } from "node:fs"
import * as Arguments from "../../scripts/Arguments.ts"
import * as Coverage from "./cli/Coverage.ts"
import * as CoverRun from "./cli/CoverRun.ts"
import * as Failure from "./cli/Failure.ts"
import * as PlantedRun from "./cli/PlantedRun.ts"
import * as Pool from "./cli/Pool.ts"
import * as Progress from "./cli/Progress.ts"
import * as WatchedDisk from "./cli/WatchedDisk.ts"

const usage = `npm run simulate                                10,000 payments
npm run simulate -- --payments 1000000          continues after an interruption
npm run simulate -- --minutes 30
npm run simulate -- --seed 7                    one seed, with its log
npm run simulate -- --replay simulation-7.json  a failed run, from its file
npm run simulate -- --cover                     until each transition of orders has met each fault; continues after an interruption
npm run simulate -- --cover 500                 at most 500 of these runs
npm run simulate -- --planted [NAME]            searches for each planted defect

--steps N        the number of steps of a run; 120 by default
--concurrency N  the maximum number of payments that a merchant starts at once; 1500 by default
--from N         the first seed; 1 by default
A seed gives the same run only with the same steps and concurrency.`

const defaultSteps = 120
/** Many payments at once make more payments per second than many steps. */
const defaultConcurrency = 1500
const progressFile = "simulation-progress.json"

const plural = (count: number, name: string): string => `${count.toLocaleString("en")} ${name}${count === 1 ? "" : "s"}`

const runOne = async (task: Pool.Task): Promise<boolean> => {
  const { result } = await Pool.single({ ...task, wantsLines: true })
  const { counts, hash, lines, payments, problems } = result
  console.log([...lines, "", JSON.stringify(counts), `${plural(payments, "payment")}, trace ${hash}`].join("\n"))
  console.log(problems.length === 0 ? "0 violations" : problems.join("\n"))
  return problems.length === 0
}

const runMany = async (
  maxPayments: number,
  maxMs: number,
  first: number,
  options: Omit<Pool.Task, "seed">
): Promise<boolean> => {
  const progress = Progress.open(progressFile, first, options)
  const sources = Progress.sourcesNow()
  if (progress.runs > 0) console.log(`continues after ${plural(progress.payments, "payment")}`)
  const [startedMs, before, earlierMs] = [performance.now(), progress.payments, progress.ms]
  const finishedSeeds = new Set(progress.above)
  let seed = progress.below
  let failed: Pool.Task | undefined
  const spentMs = () => performance.now() - startedMs
  const rate = () => Math.round((progress.payments - before) / (spentMs() / 1000))
  const isOver = () => failed !== undefined || progress.payments >= maxPayments || spentMs() >= maxMs
  const line = () =>
    `${plural(progress.payments, "payment")} in ${plural(progress.runs, "run")}, ${rate()} a second, seed ${seed}`
  const progressTimer = setInterval(() => console.log(line()), 10_000)
  const next = (): Pool.Task | undefined => {
    if (isOver()) return undefined
    while (finishedSeeds.has(seed)) seed += 1
    seed += 1
    return { ...options, seed: seed - 1 }
  }
  await Pool.run(next, (done) => {
    if (done.result.problems.length > 0) {
      failed ??= done.task
      return
    }
    Progress.add(progress, done, sources)
    progress.ms = earlierMs + spentMs()
    Progress.save(progressFile, progress)
  })
  clearInterval(progressTimer)
  for (const [name, count] of Object.entries(progress.counts).sort(([one], [other]) => (one < other ? -1 : 1)))
    console.log(`${count.toLocaleString("en").padStart(12)}  ${name}`)
  for (const row of Coverage.lines(progress.cells)) console.log(row)
  for (const row of Progress.partLines(progress)) console.log(row)
  console.log(`${line()}; ${Math.round(progress.ms / 1000)} s in total`)
  if (failed !== undefined) {
    console.log(await Failure.explain(failed))
    return false
  }
  console.log("0 violations")
  if (progress.payments >= maxPayments) Progress.remove(progressFile)
  return true
}

const number = (name: string, text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0) return value
  console.error(`--${name} must be a whole number, not "${text}"`)
  process.exit(2)
}

const main = async (): Promise<boolean> => {
  const config = {
    allowPositionals: true,
    options: {
      seed: { type: "string" },
      steps: { type: "string" },
      concurrency: { type: "string" },
      payments: { type: "string" },
      minutes: { type: "string" },
      replay: { type: "string" },
      from: { type: "string" },
      cover: { type: "boolean" },
      planted: { type: "boolean" }
    }
  } as const
  const { positionals, values } = Arguments.parse(config, usage)
  if (values.planted === true) return await PlantedRun.all(positionals[0])
  if (values.replay !== undefined) return await runOne(JSON.parse(readFileSync(values.replay, "utf8")))
  const steps = number("steps", values.steps ?? String(defaultSteps))
  const minutes = values.minutes === undefined ? Number.POSITIVE_INFINITY : number("minutes", values.minutes)
  if (values.cover === true) {
    const [runs] = positionals
    const most = runs === undefined ? Number.POSITIVE_INFINITY : number("cover", runs)
    return await CoverRun.run({ runs: most, ms: minutes * 60_000 }, steps)
  }
  const options = { steps, maxConcurrent: number("concurrency", values.concurrency ?? String(defaultConcurrency)) }
  if (values.seed !== undefined) return await runOne({ ...options, seed: number("seed", values.seed) })
  const payments = number("payments", values.payments ?? "10000")
  const most = values.payments === undefined && values.minutes !== undefined ? Number.POSITIVE_INFINITY : payments
  return await runMany(most, minutes * 60_000, number("from", values.from ?? "1"), options)
}

const code = WatchedDisk.restartWatched() ?? ((await main()) ? 0 : 1)
// Output to a pipe is written asynchronously, so the process exits only after everything is written.
process.stdout.write("", () => process.exit(code))
