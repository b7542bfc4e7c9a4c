/** Chance that can be had again: the same seed gives the same draws. */
export interface Chance {
  /** 0 up to, not including, `end`. */
  readonly below: (end: number) => number
  readonly oneOf: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
  /** Undefined: there is nothing to choose from. */
  readonly someOf: <A>(choices: ReadonlyArray<A>) => A | undefined
  /** True so many times of a hundred. */
  readonly percent: (share: number) => boolean
  /** True so many times of a thousand. */
  readonly permille: (share: number) => boolean
}

const stir = (state: number): number => {
  const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
  const stirred = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (stirred ^ (stirred >>> 15)) >>> 0
}

/** A counter whose bits are mixed: good enough for drawing, and fast. */
export const make = (seed: number): Chance => {
  let state = seed
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    return stir(state)
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

/** The seed of one part of a world: changing one part changes no other. */
export const part = (seed: number, label: string | number): number => {
  let state = seed | 0
  for (const character of String(label)) state = stir(Math.imul(state, 31) + character.charCodeAt(0))
  return state
}
