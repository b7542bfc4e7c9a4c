/** Chance that can be had again: one seed, one story. */
export interface Chance {
  /** 0 up to, not including, `end`. */
  readonly below: (end: number) => number
  readonly oneOf: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
  /** True so many times of a hundred. */
  readonly percent: (share: number) => boolean
}

/** A counter, well stirred: good enough for dice, and short enough to be seen through. */
export const make = (seed: number): Chance => {
  let state = seed
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    const stirred = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (stirred ^ (stirred >>> 15)) >>> 0
  }
  const below = (end: number): number => next() % end
  return {
    below,
    oneOf: (choices) => choices[below(choices.length)] ?? choices[0],
    percent: (share) => below(100) < share
  }
}
