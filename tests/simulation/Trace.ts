/** The log of a run. Two runs of one seed have the same hash; otherwise the simulation is not deterministic. */
import { createHash } from "node:crypto"

export interface Trace {
  readonly note: (line: string) => void
  readonly lines: () => ReadonlyArray<string>
  readonly hash: () => string
}

/** Only the last lines are stored. The hash covers all lines. */
const maxLines = 20_000

export const make = (nowMs: () => number, startMs: number): Trace => {
  const digest = createHash("sha256")
  let stored: Array<string> = []
  return {
    note: (line) => {
      const dated = `${((nowMs() - startMs) / 1000).toFixed(3)} ${line}`
      digest.update(dated).update("\n")
      stored.push(dated)
      if (stored.length > 2 * maxLines) stored = stored.slice(-maxLines)
    },
    lines: () => stored.slice(-maxLines),
    hash: () => digest.copy().digest("hex")
  }
}
