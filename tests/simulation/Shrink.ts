/** Looks for the shortest run that still fails: steps are left out, first many at once, then one by one. */
export interface Shrunk {
  /** The steps that are left. */
  readonly kept: ReadonlyArray<number>
  readonly runs: number
}

/** `fails`: whether a run with only these steps still fails. Bounded by `maxRuns`. */
export const shrink = async (
  steps: number,
  fails: (kept: ReadonlyArray<number>) => Promise<boolean>,
  maxRuns = 300
): Promise<Shrunk> => {
  let kept = Array.from({ length: steps }, (_, index) => index)
  let runs = 0
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length && runs < maxRuns; ) {
      const rest = [...kept.slice(0, from), ...kept.slice(from + size)]
      runs += 1
      if (await fails(rest)) kept = rest
      else from += size
    }
  }
  return { kept, runs }
}
