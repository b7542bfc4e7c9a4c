/** Plays the named incidents on the machine that `drill.ts` has prepared. The exit code is 1 if anything is not as it has to be. */
import { Effect } from "effect"
import * as Arguments from "./Arguments.ts"
import * as Incidents from "./incidents/Incidents.ts"
import * as Machine from "./Machine.ts"
import * as Play from "./Play.ts"
import * as Report from "./Report.ts"
import * as Site from "./Site.ts"

const beganMs = performance.now()
const print = (line: string): void => console.log(line)
const progress = (line: string): void => print(`${Math.round((performance.now() - beganMs) / 1000)} s  ${line}`)

const rehearse = Effect.fnUntraced(function* (machine: string, args: ReadonlyArray<string>) {
  const incidents = yield* Arguments.read(args, Incidents.all)
  if (incidents === "help") return 0
  progress("starting PostgreSQL, the bank, two gateways, nginx and two merchants")
  const site = yield* Site.make(machine)
  const results: Array<Play.Result> = []
  for (const incident of incidents) {
    const result = yield* Play.play(site, incident, progress)
    results.push(result)
    print(Report.ofIncident(result))
  }
  print(`\n${Report.total(results)}`)
  return results.every((result) => Report.failures(result).length === 0) ? 0 : 1
})

// A signal ends everything that this process has started; so does the end of the process that started it.
const controller = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort())
process.stdin.on("end", () => controller.abort()).resume()
const [, , ...args] = process.argv
process.exitCode = await Effect.runPromise(Effect.scoped(rehearse(process.env[Machine.setting] ?? "", args)), {
  signal: controller.signal
})
process.stdin.destroy()
