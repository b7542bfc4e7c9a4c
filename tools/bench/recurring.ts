/**
 * Measures a hundred thousand recurring payments that are due at the same midnight. They are charged in one pass, each once and
 * in order, with bounded memory and without blocking the event loop. The rate of the same sales written by hand is printed beside
 * it.
 */
import { spawn } from "node:child_process"
import { join } from "node:path"
import * as Measure from "./Measure.ts"
import type { Report } from "./recurring/BillingRun.ts"
import * as Bare from "./storage/Bare.ts"

const payments = 100_000
const bareSales = 20_000
const callers = 64
/** Twice the largest number of jobs that the gateway claims at once: the limit for changes of order between parallel work. */
const mostOvertaken = 2 * 512

const output = (file: string, args: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--expose-gc", join(import.meta.dirname, file), ...args], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let out = ""
    child.stdout.on("data", (chunk) => {
      out += chunk
    })
    child.on("exit", (code) => (code === 0 ? resolve(out) : reject(new Error(`${file} ended with ${code}`))))
  })

/** Returns how many sales per second the code written by hand accepts and ends. */
const bareRate = async (path: string): Promise<number> => {
  const bare = Bare.open(path)
  let turn = 0
  const begun = Measure.wallMicros()
  await Measure.inFlight(callers, async () => {
    const mine = turn++
    await bare.accept(mine)
    await bare.end(mine)
  })(bareSales)
  const seconds = (Measure.wallMicros() - begun) / 1e6
  bare.close()
  return bareSales / seconds
}

const benchmark: Measure.Benchmark = {
  id: "R",
  title: "A night of recurring payments",
  run: () =>
    Measure.inFolder(async (folder) => {
      const rate = await bareRate(join(folder, "bare.db"))
      const report: Report = JSON.parse(await output("recurring/BillingRun.ts", [folder, String(payments)]))
      const ours = report.charged / report.seconds
      return [
        {
          id: "R1",
          measure: `${payments} due at once: charged once each, in order / the same sales by hand, ${callers} at once`,
          ours: `${report.charged} in ${report.seconds.toFixed(0)} s (${ours.toFixed(0)}/s), ${report.wrong} wrong, at most ${report.overtaken} places late`,
          baseline: `${rate.toFixed(0)}/s`,
          ratio: ours / rate,
          limit: `0 wrong, ≤ ${mostOvertaken} places`,
          aim: "≥ 0.1",
          holds: report.wrong === 0 && report.charged === payments && report.overtaken <= mostOvertaken
        },
        Measure.noted({
          id: "R2",
          measure: "memory of its own at its peak (resident, with the database that the kernel maps)",
          ours: `${report.peakOwnMiB.toFixed(0)} MiB (${report.peakRssMiB.toFixed(0)} MiB)`,
          baseline: "300 MiB",
          ratio: report.peakOwnMiB / 300,
          aim: "≤ 1"
        }),
        Measure.noted({
          id: "R3",
          measure: "longest piece of work without a pause for others (as long on the wall)",
          ours: `${report.busyMs.toFixed(0)} ms (${report.pauseMs.toFixed(0)} ms)`,
          baseline: "50 ms",
          ratio: report.busyMs / 50,
          aim: "≤ 1"
        })
      ]
    })
}
export default benchmark

if (import.meta.main) await Measure.main(benchmark)
