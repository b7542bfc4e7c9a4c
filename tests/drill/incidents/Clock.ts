/** Incidents of clocks. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import * as DrillPrograms from "../../../scripts/DrillPrograms.ts"
import { type Incident, logs, metric } from "../Incident.ts"
import * as Site from "../Site.ts"

/** The settings of faketime for a process whose clock this file moves; timers stay right. */
const ownClock = (file: string): Readonly<Record<string, string>> => ({
  LD_PRELOAD: DrillPrograms.clockLibrary() ?? "",
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: "1",
  DONT_FAKE_MONOTONIC: "1"
})

export const jump: Incident<Site.PostgresSite> = {
  name: "clock-jump",
  happens: "the clock of one of two gateways is 35 days ahead for 12 s; holds of 7 days are open",
  expects: [
    logs(/The machine's clock (differs|is wrong)/, "says by how much the clock is off, and what stops"),
    metric(/^pay_dated_jobs_stopped/, 1, "shows that no hold ends and nothing is charged meanwhile"),
    metric(/^pay_clock_jump_seconds/, 3_000_000, "shows by how much")
  ],
  run: (site) =>
    Effect.gen(function* () {
      const [usual] = site.gateways
      if (usual === undefined) return
      const file = join(site.folder, "clock")
      const move = (offset: string) => Effect.sync(() => writeFileSync(file, `${offset}\n`))
      yield* move("+0")
      yield* usual.stop
      const gateway = yield* site.inPlaceOf(0, { env: ownClock(file) })
      yield* gateway.start
      yield* Site.allReady(site)
      yield* site.observe
      yield* Effect.sleep("3 seconds")
      yield* move("+35d")
      // The metrics are measured every ten seconds.
      yield* Effect.sleep("12 seconds")
      yield* move("+0")
      yield* Effect.sleep("4 seconds")
      yield* site.ignore
      yield* gateway.stop
      yield* usual.start
    })
}
