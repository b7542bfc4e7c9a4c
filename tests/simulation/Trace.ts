/** What happened in a simulated world, line by line. Two runs of one seed have the same hash, or the world is not deterministic. */
import { createHash } from "node:crypto"

export interface Trace {
  readonly note: (line: string) => void
  readonly lines: () => ReadonlyArray<string>
  readonly hash: () => string
}

/** Keeps the last lines only; the hash covers all. */
const maxLines = 20_000

export const make = (nowMs: () => number, startMs: number): Trace => {
  const digest = createHash("sha256")
  let kept: Array<string> = []
  return {
    note: (line) => {
      const dated = `${((nowMs() - startMs) / 1000).toFixed(3)} ${line}`
      digest.update(dated).update("\n")
      kept.push(dated)
      if (kept.length > 2 * maxLines) kept = kept.slice(-maxLines)
    },
    lines: () => kept.slice(-maxLines),
    hash: () => digest.copy().digest("hex")
  }
}
