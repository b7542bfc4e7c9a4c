/**
 * Until when a second approver may agree to what moves money out on this endpoint; undefined: nobody has to. Of an endpoint
 * that is gone nobody knows what it asked for: somebody has to.
 */
import { Effect } from "effect"
import { Settings } from "../kernel/Settings.ts"
import { Directory } from "./Directory.ts"

export const make = Effect.gen(function* () {
  const directory = yield* Directory
  const { approvalMs } = yield* Settings
  return (endpointId: string, nowMs: number): number | undefined =>
    directory.endpoint(endpointId)?.payoutApproval === false ? undefined : nowMs + approvalMs
})
