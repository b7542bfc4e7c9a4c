/**
 * The mark of a store that is being moved, or that was moved, to another engine. It stands among the applied migrations, as a step
 * that no release has, so that releases which know nothing of moves refuse to start on the store, too.
 */

/** `moving`: the source of an unfinished move. `moved`: the source of a finished one. `filling`: the target of an unfinished one. */
export type State = "moving" | "moved" | "filling"

export interface MoveMark {
  readonly state: State
  /** Random, of this move. */
  readonly move: string
  /** The other side, for people. */
  readonly other: string
}

/** The number of the step; it is the greatest that both engines hold. */
export const step = 2_147_483_647

const prefix: Readonly<Record<State, string>> = {
  moving: "being moved to ",
  moved: "moved to ",
  filling: "being filled from "
}

/** What the row of the step says in its column of names. */
export const nameOf = ({ other, state }: MoveMark): string => `${prefix[state]}${other}`

/** What the row of the step says in its column of checksums. */
export const checksumOf = ({ move, state }: MoveMark): string => `${state} ${move}`

const form = /^(moving|moved|filling) ([0-9a-f-]{36})$/

const isState = (text: string | undefined): text is State => text !== undefined && text in prefix

/** Undefined: the row is not of a move. */
export const read = (name: string, checksum: string): MoveMark | undefined => {
  const [, state, move = ""] = form.exec(checksum) ?? []
  return isState(state) ? { state, move, other: name.slice(prefix[state].length) } : undefined
}

/** Why no gateway starts on a store with this mark, and what to do. */
export const explain = ({ other, state }: MoveMark): string => {
  switch (state) {
    case "moving":
      return `This store is being moved to ${other}: run the same pay store move again, which goes on where it was; or take the store back with pay store reopen.`
    case "moved":
      return `This store was moved to ${other}: start the gateway there. If no gateway ever ran there, pay store reopen takes this store back.`
    case "filling":
      return `This store is being filled from ${other}, and that is not finished: run the same pay store move again, which goes on where it was.`
  }
}
