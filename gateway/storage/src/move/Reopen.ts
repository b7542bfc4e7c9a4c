/** Removes the mark of a move from a file, so that a gateway may start on it again. */
import { Effect, type Scope } from "effect"
import { failWith, type MoveError } from "../MoveError.ts"
import type * as MoveMark from "../MoveMark.ts"
import * as SqliteSource from "./SqliteSource.ts"

export interface Options {
  readonly path: string
  readonly witness?: string | undefined
  /** The operator states that no gateway ever started on the target of the move. */
  readonly unused: boolean
}

/** Reopens the file, and returns the removed mark. */
export const run = Effect.fn("Reopen.run")(function* ({
  path,
  unused,
  witness
}: Options): Effect.fn.Return<MoveMark.MoveMark, MoveError, Scope.Scope> {
  const source = yield* SqliteSource.open({ path, witness })
  const mark = yield* source.mark
  if (mark === undefined)
    return yield* failWith("other", `${source.label} was not moved: there is nothing to take back.`)
  if (mark.state === "moved" && !unused)
    return yield* failWith(
      "other",
      `${source.label} was moved to ${mark.other}, and what was accepted there is not here. Only if no gateway ever started there, add --unused.`
    )
  yield* source.write(undefined)
  return mark
})
