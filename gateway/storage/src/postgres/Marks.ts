/** The rows of a PostgreSQL store about moves: its mark, and the stores from which it was moved. */
import * as Durability from "@pay/sqlite/Durability"
import { Effect, Schema } from "effect"
import * as MoveMark from "../MoveMark.ts"
import type { Ancestor } from "../MoveSide.ts"
import type { Statement } from "./Administration.ts"
import { schema } from "./Ddl.ts"
import type * as Failure from "./Failure.ts"
import * as ProcessWitness from "./ProcessWitness.ts"
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

const Reached = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Number))
const decode = Schema.decodeUnknownSync(Reached)
const encode = Schema.encodeSync(Reached)

/** Selects the names of the ancestors, the youngest first. */
export const selectAncestors = `SELECT store, reached::text FROM ${schema}.ancestors ORDER BY place`

export const ancestorsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Ancestor> =>
  rows.map(([store, reached]) => ({ store: `${store}`, reached: decode(reached) }))

/** Statements that record the ancestors. Every role of the schema may read them, because each gateway compares its witness. */
export const setAncestors = (ancestors: ReadonlyArray<Ancestor>): ReadonlyArray<Statement> => [
  { text: `CREATE TABLE ${schema}.ancestors (place int PRIMARY KEY, store text NOT NULL, reached jsonb NOT NULL)` },
  { text: `GRANT SELECT ON ${schema}.ancestors TO PUBLIC` },
  ...ancestors.map(({ reached, store }, place) => ({
    text: `INSERT INTO ${schema}.ancestors (place, store, reached) VALUES ($1, $2, $3::jsonb)`,
    values: [place, store, encode(reached)]
  }))
]

/** Reads a witness of either engine. Returns undefined if there is none, or if it is of no engine. */
const testimony = (path: string): Effect.Effect<Ancestor | undefined> =>
  Effect.sync(() => Durability.witness(path)).pipe(
    Effect.flatMap((read) =>
      read._tag === "Read"
        ? Effect.succeed({ store: read.mark.storeId, reached: { sequence: read.mark.sequence } })
        : Effect.map(ProcessWitness.read(path), (content) =>
            content === undefined ? undefined : { store: content.database, reached: content.writers }
          )
    ),
    Effect.catchCause(() => Effect.undefined)
  )

/**
 * Whether the witness at the path is that of a store from which this one was moved, without commits that this one lacks. If so, the
 * gateway replaces it with its own.
 */
export const isOfAncestor = Effect.fnUntraced(function* (
  session: Session,
  path: string
): Effect.fn.Return<boolean, Failure.Failure> {
  const witness = yield* testimony(path)
  if (witness === undefined) return false
  const [there] = yield* session.query({
    text: "SELECT (to_regclass($1) IS NOT NULL)::int",
    values: [`${schema}.ancestors`]
  })
  if (there?.[0] !== 1) return false
  const ancestors = ancestorsOf(yield* session.query({ text: selectAncestors, values: [] }))
  return ancestors.some(
    ({ reached, store }) =>
      store === witness.store &&
      Object.entries(witness.reached).every(([name, number]) => number <= (reached[name] ?? 0))
  )
})
