/** The rows of a PostgreSQL store about a move: its mark, and the file from which it was moved. */
import * as Durability from "@pay/sqlite/Durability"
import { Effect } from "effect"
import * as MoveMark from "../MoveMark.ts"
import type { Statement } from "./Administration.ts"
import { schema } from "./Ddl.ts"
import type * as Failure from "./Failure.ts"
import type { Row, Session } from "./Session.ts"

export const selectMark: Statement = {
  text: `SELECT name, checksum FROM ${schema}.migrations WHERE id = $1`,
  values: [MoveMark.step]
}

export const markOf = ([row]: ReadonlyArray<Row>): MoveMark.MoveMark | undefined =>
  row === undefined ? undefined : MoveMark.read(`${row[0]}`, `${row[1]}`)

/** Statements that write or remove the mark. */
export const setMark = (mark: MoveMark.MoveMark | undefined): ReadonlyArray<Statement> => [
  { text: `DELETE FROM ${schema}.migrations WHERE id = $1`, values: [MoveMark.step] },
  ...(mark === undefined
    ? []
    : [
        {
          text: `INSERT INTO ${schema}.migrations (id, name, checksum, oldest) VALUES ($1, $2, $3, $1)`,
          values: [MoveMark.step, MoveMark.nameOf(mark), MoveMark.checksumOf(mark)]
        }
      ])
]

/** Statements that record the source. Every role of the schema may read it, because each gateway compares its witness. */
export const setSource = ({ sequence, store }: MoveMark.LastCommit): ReadonlyArray<Statement> => [
  { text: `CREATE TABLE ${schema}.moved_from (store text COLLATE "C" PRIMARY KEY, sequence bigint NOT NULL)` },
  { text: `GRANT SELECT ON ${schema}.moved_from TO PUBLIC` },
  { text: `INSERT INTO ${schema}.moved_from (store, sequence) VALUES ($1, $2)`, values: [store, sequence] }
]

/**
 * Whether the witness at the path is that of the file from which the store was moved, without commits that the store lacks. If so, the
 * gateway replaces it with its own.
 */
export const isOfSource = Effect.fnUntraced(function* (
  session: Session,
  path: string
): Effect.fn.Return<boolean, Failure.Failure> {
  // A file that cannot be read is reported when it is read as this gateway's own witness.
  const witness = yield* Effect.result(Effect.try(() => Durability.witness(path)))
  if (witness._tag === "Failure" || witness.success._tag !== "Read") return false
  const [there] = yield* session.query({
    text: "SELECT (to_regclass($1) IS NOT NULL)::int",
    values: [`${schema}.moved_from`]
  })
  if (there?.[0] !== 1) return false
  const { sequence, storeId } = witness.success.mark
  const rows = yield* session.query({
    text: `SELECT FROM ${schema}.moved_from WHERE store = $1 AND sequence >= $2`,
    values: [storeId, sequence]
  })
  return rows.length > 0
})
