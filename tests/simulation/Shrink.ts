/** Searches for the shortest list of steps that still fails. It leaves out many steps at once first, then single ones. */
export interface Shrunk {
  /** The steps that remain. */
  readonly steps: ReadonlyArray<number>
  readonly runs: number
}

/** `fails`: returns whether a run with only these steps fails. */
export const shrink = async (
  count: number,
  fails: (steps: ReadonlyArray<number>) => Promise<boolean>,
  maxRuns = 300
): Promise<Shrunk> => {
  let steps = Array.from({ length: count }, (_, index) => index)
  let runs = 0
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length && runs < maxRuns; ) {
      const rest = [...steps.slice(0, from), ...steps.slice(from + size)]
      runs += 1
      if (await fails(rest)) steps = rest
      else from += size
    }
  }
  return { steps, runs }
}
