/**
 * `npm run simulate`: simulated runs of a payment world, each from its seed, until so many payments were made or so many minutes
 * are over. Where one fails, the shortest run that still fails is printed with its log, a line that runs it again, and a test.
 *
 *   npm run simulate                                10,000 payments
 *   npm run simulate -- --payments 1000000          goes on where it was cut off
 *   npm run simulate -- --minutes 30
 *   npm run simulate -- --seed 7                    one seed, with its log
 *   npm run simulate -- --replay simulation-7.json  a run that failed, as its file says
 *   npm run simulate -- --cover                     until each move of orders has met each fault; goes on where it was cut off
 *   npm run simulate -- --cover 500                 so many runs of it
 *   npm run simulate -- --planted [name]            whether each planted defect is found
 *
 * --steps N: the length of a run (120); --crowd N: how many payments a merchant begins at once, at most (1500); --from N: the first
 * seed (1). A seed means the same run only with the same two.
 */
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import * as Coverage from "./cli/Coverage.ts"
import * as CoverRun from "./cli/CoverRun.ts"
import * as Failure from "./cli/Failure.ts"
import * as PlantedRun from "./cli/PlantedRun.ts"
import * as Pool from "./cli/Pool.ts"
import * as Progress from "./cli/Progress.ts"
import * as WatchedDisk from "./cli/WatchedDisk.ts"

const defaultSteps = 120
/** Many runs in which merchants begin many payments at once make more payments than many steps. */
const defaultCrowd = 1500
const progressFile = "simulation-progress.json"

const plural = (count: number, name: string): string => `${count.toLocaleString("en")} ${name}${count === 1 ? "" : "s"}`

const show = async (task: Pool.Task): Promise<boolean> => {
  const { result } = await Pool.single({ ...task, wantsLines: true })
  const { counts, hash, lines, payments, problems } = result
  console.log([...lines, "", JSON.stringify(counts), `${plural(payments, "payment")}, trace ${hash}`].join("\n"))
  console.log(problems.length === 0 ? "0 violations" : problems.join("\n"))
  return problems.length === 0
}

const many = async (
  maxPayments: number,
  maxMs: number,
  first: number,
  simulation: Omit<Pool.Task, "seed">
): Promise<boolean> => {
  const progress = Progress.open(progressFile, first, simulation)
  const sources = Progress.sourcesNow()
  if (progress.runs > 0) console.log(`goes on after ${plural(progress.payments, "payment")}`)
  const [startedMs, before, earlierMs] = [performance.now(), progress.payments, progress.ms]
  const taken = new Set(progress.above)
  let seed = progress.below
  let failed: Pool.Task | undefined
  const spentMs = () => performance.now() - startedMs
  const rate = () => Math.round((progress.payments - before) / (spentMs() / 1000))
  const isOver = () => failed !== undefined || progress.payments >= maxPayments || spentMs() >= maxMs
  const line = () =>
    `${plural(progress.payments, "payment")} in ${plural(progress.runs, "run")}, ${rate()} a second, seed ${seed}`
  const telling = setInterval(() => console.log(line()), 10_000)
  const next = (): Pool.Task | undefined => {
    if (isOver()) return undefined
    while (taken.has(seed)) seed += 1
    seed += 1
    return { ...simulation, seed: seed - 1 }
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
  clearInterval(telling)
  for (const [name, count] of Object.entries(progress.counts).sort(([one], [other]) => (one < other ? -1 : 1)))
    console.log(`${count.toLocaleString("en").padStart(12)}  ${name}`)
  for (const row of Coverage.lines(progress.cells)) console.log(row)
  for (const row of Progress.partLines(progress)) console.log(row)
  console.log(`${line()}; ${Math.round(progress.ms / 1000)} s in all`)
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
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: "string" },
      steps: { type: "string" },
      crowd: { type: "string" },
      payments: { type: "string" },
      minutes: { type: "string" },
      replay: { type: "string" },
      from: { type: "string" },
      cover: { type: "boolean" },
      planted: { type: "boolean" }
    }
  })
  if (values.planted === true) return await PlantedRun.all(positionals[0])
  if (values.replay !== undefined) return await show(JSON.parse(readFileSync(values.replay, "utf8")))
  const steps = number("steps", values.steps ?? String(defaultSteps))
  const minutes = values.minutes === undefined ? Number.POSITIVE_INFINITY : number("minutes", values.minutes)
  if (values.cover === true) {
    const [runs] = positionals
    const most = runs === undefined ? Number.POSITIVE_INFINITY : number("cover", runs)
    return await CoverRun.run({ runs: most, ms: minutes * 60_000 }, steps)
  }
  const simulation = { steps, maxConcurrent: number("crowd", values.crowd ?? String(defaultCrowd)) }
  if (values.seed !== undefined) return await show({ ...simulation, seed: number("seed", values.seed) })
  const payments = number("payments", values.payments ?? "10000")
  const most = values.payments === undefined && values.minutes !== undefined ? Number.POSITIVE_INFINITY : payments
  return await many(most, minutes * 60_000, number("from", values.from ?? "1"), simulation)
}

const code = WatchedDisk.watched() ?? ((await main()) ? 0 : 1)
// What is printed into a pipe is written later: it ends only when all of it is written.
process.stdout.write("", () => process.exit(code))
