/** Incidents of the log. */
import { Effect } from "effect"
import { type Incident, metric, staysReady } from "../Incident.ts"
import type { Site } from "../Site.ts"

export const readerDead: Incident<Site> = {
  name: "log-reader-dead",
  happens: "what reads the log of a gateway ends, and the gateway goes on for 8 s, until it is restarted",
  expects: [staysReady, metric(/^pay_log_/, 1, "counts lines that were not written")],
  run: ({ gateways: [gateway], ignore }) =>
    Effect.gen(function* () {
      if (gateway === undefined) return
      yield* Effect.sleep("2 seconds")
      yield* gateway.closeLog
      yield* Effect.sleep("8 seconds")
      yield* ignore
      yield* gateway.stop
      yield* gateway.start
    })
}
