/** One run of `Rewrap` at a time beside the gateway, begun by the operator and looked at while it goes. */
import { Effect, Exit } from "effect"
import * as OneRun from "../kernel/OneRun.ts"
import * as Rewrap from "./Rewrap.ts"

export interface Seen extends Rewrap.Counts {
  readonly state: "never" | "running" | "done" | "broken"
}

const never: Seen = { state: "never", seen: 0, rewrapped: 0, failed: 0 }

export const make = OneRun.make({
  action: "keys.rewrap",
  subject: { kind: "keys", id: "master" },
  never,
  run: (see) => Rewrap.run({ report: (counts) => see(() => ({ ...counts, state: "running" })) }),
  ended: (exit, seen): Effect.Effect<Seen> =>
    Effect.succeed(Exit.isSuccess(exit) ? { ...exit.value, state: "done" } : { ...seen, state: "broken" })
})
