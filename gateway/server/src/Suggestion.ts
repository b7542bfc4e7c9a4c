/** Suggestions for misspelled words, as in "did you mean …". */

/** Largest fraction of the letters of a word that may be wrong. */
const TOLERANCE = 0.4

/** Returns the candidate with the fewest edits from the typed word, or `undefined` if none is close enough. */
export const closest = (typed: string, candidates: Iterable<string>): string | undefined => {
  let best: { readonly word: string; readonly distance: number } | undefined
  for (const word of candidates) {
    const distance = edits(typed.toLowerCase(), word.toLowerCase())
    if (distance <= Math.max(1, word.length * TOLERANCE) && (best === undefined || distance < best.distance)) {
      best = { word, distance }
    }
  }
  return best?.word
}

/** Returns the number of letters that must be inserted, removed, replaced, or swapped with their neighbour. */
const edits = (from: string, to: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = isSwap ? at(beforeLast, column - 2) + 1 : replaced
      current.push(Math.min(at(last, column) + 1, at(current, column - 1) + 1, replaced, swapped))
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

const at = (numbers: ReadonlyArray<number>, index: number): number => numbers[index] ?? Number.POSITIVE_INFINITY
