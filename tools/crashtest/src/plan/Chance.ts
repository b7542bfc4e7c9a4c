/** A random generator with a seed: the same seed gives the same draws. */
export interface Chance {
  /** 0 up to, not including, `end`. */
  readonly below: (end: number) => number
  readonly oneOf: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
  /** Undefined if there are no choices. */
  readonly someOf: <A>(choices: ReadonlyArray<A>) => A | undefined
  /** True with this probability in percent. */
  readonly percent: (share: number) => boolean
  /** True with this probability in thousandths. */
  readonly permille: (share: number) => boolean
}

const mix = (state: number): number => {
  const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
  const remixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (remixed ^ (remixed >>> 15)) >>> 0
}

/** A counter whose bits are mixed: fast, and random enough for tests. */
export const make = (seed: number): Chance => {
  let state = seed
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    return mix(state)
  }
  const below = (end: number): number => next() % end
  return {
    below,
    oneOf: (choices) => choices[below(choices.length)] ?? choices[0],
    someOf: (choices) => (choices.length === 0 ? undefined : choices[below(choices.length)]),
    percent: (share) => below(100) < share,
    permille: (share) => below(1000) < share
  }
}

/** Returns the seed of one part of a run, so that a change to one part changes no other. */
export const part = (seed: number, label: string | number): number => {
  let state = seed | 0
  for (const character of String(label)) state = mix(Math.imul(state, 31) + character.charCodeAt(0))
  return state
}
