/**
 * The mark of a file that is being moved to a database or was moved, and of a database that is being filled. It is a row among the
 * applied migrations, with a step that no release has, so that releases without moves refuse to start on the store, too.
 */

/** `moving`: the source of an unfinished move. `moved`: the source of a finished one. `filling`: the target of an unfinished one. */
export type State = "moving" | "moved" | "filling"

export interface MoveMark {
  readonly state: State
  /** The random identifier of the move. */
  readonly move: string
  /** The other side of the move, as text for people. */
  readonly other: string
}

/** The last commit of a store that was moved. Its witness does not contradict the database to which it was moved. */
export interface LastCommit {
  readonly store: string
  readonly sequence: number
}

/** The number of the step: the largest that both engines can store. */
export const step = 2_147_483_647

const prefix: Readonly<Record<State, string>> = {
  moving: "being moved to ",
  moved: "moved to ",
  filling: "being filled from "
}

/** Returns the content of the step's column `name`. */
export const nameOf = ({ other, state }: MoveMark): string => `${prefix[state]}${other}`

/** Returns the content of the step's column `checksum`. */
export const checksumOf = ({ move, state }: MoveMark): string => `${state} ${move}`

const form = /^(moving|moved|filling) ([0-9a-f-]{36})$/

const isState = (text: string | undefined): text is State => text !== undefined && text in prefix

/** Reads a mark from its row; undefined if the row is not of a move. */
export const read = (name: string, checksum: string): MoveMark | undefined => {
  const [, state, move = ""] = form.exec(checksum) ?? []
  return isState(state) ? { state, move, other: name.slice(prefix[state].length) } : undefined
}

/** Returns why no gateway starts on a store with the mark, and what to do. */
export const explain = ({ other, state }: MoveMark): string => {
  switch (state) {
    case "moving":
      return `This store is being moved to ${other}: run the same pay store move again, which goes on where it was; or take the store back with pay store reopen.`
    case "moved":
      return `This store was moved to ${other}: start the gateway there. If no gateway ever ran there, pay store reopen --unused takes this store back.`
    case "filling":
      return `This store is being filled from ${other}, and that is not finished: run the same pay store move again, which goes on where it was.`
  }
}
