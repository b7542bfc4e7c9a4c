/** The two sides of a move, each of any engine. Rows are read from the source in the order of their keys and added to the target. */
import type { AuditEntry } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import type { Effect } from "effect"
import type { MoveError } from "./MoveError.ts"
import type { MoveMark } from "./MoveMark.ts"

/** The values of a row in the order of the entity's columns. */
export type Row = ReadonlyArray<Entity.Value>

/** A store from which a later one was moved, and its last commits. Its witness does not contradict the later one. */
export interface Ancestor {
  readonly store: string
  /** The sequence of a SQLite store; the number of each writer of a PostgreSQL store. */
  readonly reached: Readonly<Record<string, number>>
}

/** The progress of the copy of an entity. */
export interface Copied {
  readonly rows: number
  /** The key of the last copied row; undefined before the first one. */
  readonly after: Row | undefined
}

interface Side {
  /** The name of the store for people, without a password. */
  readonly label: string
  readonly mark: Effect.Effect<MoveMark | undefined, MoveError>
  readonly count: (entity: Entity.Entity) => Effect.Effect<number, MoveError>
  /** Reads the rows after a key. */
  readonly page: (
    entity: Entity.Entity,
    after: Row | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, MoveError>
}

export interface Source extends Side {
  /** Writes the mark. From then on, no gateway starts on the store, and no running gateway can commit. */
  readonly write: (mark: MoveMark) => Effect.Effect<void, MoveError>
  /** The store itself and the stores from which it was moved, the oldest last. */
  readonly ancestors: Effect.Effect<ReadonlyArray<Ancestor>, MoveError>
}

export interface Target extends Side {
  /** True if the move is complete except for the release of the target. */
  readonly isWhole: boolean
  /** Releases the target, so that a gateway may start on it. */
  readonly place: Effect.Effect<void, MoveError>
  /** Creates the schema, marks it, and drops the indexes that are created again at the end. Changes nothing if the mark exists. */
  readonly begin: (mark: MoveMark) => Effect.Effect<void, MoveError>
  readonly copied: (entity: Entity.Entity) => Effect.Effect<Copied, MoveError>
  /** Adds rows and stores the new progress in the same transaction. */
  readonly add: (entity: Entity.Entity, rows: ReadonlyArray<Row>, copied: Copied) => Effect.Effect<void, MoveError>
  /** Creates the missing indexes of the entity. */
  readonly index: (entity: Entity.Entity) => Effect.Effect<void, MoveError>
  /** Removes the mark. */
  readonly finish: (ancestors: ReadonlyArray<Ancestor>, audit: AuditEntry) => Effect.Effect<void, MoveError>
}

/** Returns the key of a row. */
export const keyOf = (entity: Entity.Entity, row: Row): Row => {
  const columns = Object.keys(entity.columns)
  return entity.key.map((name) => row[columns.indexOf(name)] ?? null)
}
