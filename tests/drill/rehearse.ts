/** Plays the named incidents on the machine that `drill.ts` has prepared. The exit code is 1 if anything is not as it has to be. */
import { Effect, type Scope } from "effect"
import * as Arguments from "./Arguments.ts"
import type { Incident } from "./Incident.ts"
import * as Incidents from "./incidents/Incidents.ts"
import * as Machine from "./Machine.ts"
import * as Play from "./Play.ts"
import * as Report from "./Report.ts"
import * as Site from "./Site.ts"

const beganMs = performance.now()
const print = (line: string): void => console.log(line)
const progress = (line: string): void => print(`${Math.round((performance.now() - beganMs) / 1000)} s  ${line}`)

/** Plays those incidents of a list that are wanted, on a site of their own. */
const playAll = Effect.fnUntraced(function* <S extends Site.Site>(
  incidents: ReadonlyArray<Incident<S>>,
  wanted: ReadonlyArray<string>,
  make: Effect.Effect<S, never, Scope.Scope>
) {
  const results: Array<Play.Result> = []
  const selected = incidents.filter(({ name }) => wanted.includes(name))
  if (selected.length === 0) return results
  progress("starting the store, the bank, gateways, nginx and two merchants")
  const site = yield* make
  for (const incident of selected) {
    const result = yield* Play.play(site, incident, progress)
    results.push(result)
    print(Report.ofIncident(result))
  }
  return results
}, Effect.scoped)

const rehearse = Effect.fnUntraced(function* (machine: string, args: ReadonlyArray<string>) {
  const wanted = yield* Arguments.read(args, Incidents.all)
  if (wanted === "help") return 0
  const place = { machine, names: yield* Site.names(machine) }
  // The two sites have nothing in common but the machine.
  const both = yield* Effect.all(
    [
      playAll(Incidents.onPostgres, wanted, Effect.orDie(Site.onPostgres(place))),
      playAll(Incidents.onFile, wanted, Effect.orDie(Site.onFile(place)))
    ],
    { concurrency: 2 }
  )
  const results = both.flat()
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
