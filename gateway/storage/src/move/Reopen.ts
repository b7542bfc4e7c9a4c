/** Removes the mark of a move from a source, so that gateways may start on it again. */
import { Effect, type Scope } from "effect"
import { failWith, type MoveError } from "../MoveError.ts"
import type * as MoveMark from "../MoveMark.ts"
import * as Administration from "../postgres/Administration.ts"
import * as Marks from "../postgres/Marks.ts"
import * as Migrate from "../postgres/Migrate.ts"
import { migrations } from "../postgres/Migrations.ts"
import * as MoveSource from "../postgres/MoveSource.ts"
import type { Place } from "./Move.ts"
import * as SqliteSource from "./SqliteSource.ts"

export interface Options {
  readonly place: Place
  readonly witness?: string | undefined
  /** The operator states that no gateway ever started on the target of the move. */
  readonly unused: boolean
}

const allowed = (
  label: string,
  mark: MoveMark.MoveMark | undefined,
  unused: boolean
): Effect.Effect<MoveMark.MoveMark, MoveError> => {
  if (mark === undefined)
    return Effect.fail(failWith("other", `${label} was not moved: there is nothing to take back.`))
  if (mark.state === "filling")
    return Effect.fail(
      failWith(
        "other",
        `${label} is being filled from ${mark.other}: finish that move, or remove what is there (DROP SCHEMA pay CASCADE).`
      )
    )
  return mark.state === "moved" && !unused
    ? Effect.fail(
        failWith(
          "other",
          `${label} was moved to ${mark.other}, and what was accepted there is not here: move it back with pay store move. Only if no gateway ever started there, add --unused.`
        )
      )
    : Effect.succeed(mark)
}

/** Reopens the source, and returns the removed mark. */
export const run = Effect.fn("Reopen.run")(function* ({
  place,
  unused,
  witness
}: Options): Effect.fn.Return<MoveMark.MoveMark, MoveError, Scope.Scope> {
  if ("file" in place) {
    const { remove, source } = yield* SqliteSource.open({ path: place.file, witness })
    const mark = yield* allowed(source.label, yield* source.mark, unused)
    yield* remove
    return mark
  }
  const connected = yield* Administration.connect(place)
  const source = yield* MoveSource.open(connected)
  const mark = yield* allowed(source.label, yield* source.mark, unused)
  yield* Administration.transaction(connected, Marks.setMark(undefined))
  // The functions of commits and claims were dropped when the mark was written.
  yield* Effect.mapError(Migrate.migrate(connected.session, migrations), ({ message }) => failWith("failed", message))
  return mark
})
