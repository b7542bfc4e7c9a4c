/** The two stores of a move, each of any engine: rows in the order of their keys are read from one and added to the other. */
import type { AuditEntry } from "@pay/gateway/Audit"
import type * as Entity from "@pay/gateway/Entity"
import type { Effect } from "effect"
import type { MoveError } from "./MoveError.ts"
import type { MoveMark } from "./MoveMark.ts"

/** Values in the order of the entity's columns. */
export type Row = ReadonlyArray<Entity.Value>

/** A store whose rows a later one has, with how far it had come: its witness is no evidence against the later one. */
export interface Ancestor {
  readonly store: string
  /** The sequence of a SQLite store; the number of each writer of a PostgreSQL store. */
  readonly reached: Readonly<Record<string, number>>
}

/** How far the copy of an entity has come. */
export interface Copied {
  readonly rows: number
  /** The key of the last row; undefined: none was copied yet. */
  readonly after: Row | undefined
}

interface Side {
  /** For people, without a password. */
  readonly label: string
  readonly mark: Effect.Effect<MoveMark | undefined, MoveError>
  readonly count: (entity: Entity.Entity) => Effect.Effect<number, MoveError>
  /** The rows after this key. */
  readonly page: (
    entity: Entity.Entity,
    after: Row | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Row>, MoveError>
}

export interface Source extends Side {
  /** Writes the mark. From then on no gateway starts on the store, and none that still runs commits anything. */
  readonly write: (mark: MoveMark) => Effect.Effect<void, MoveError>
  /** The store itself and those that it was moved from, the oldest last. */
  readonly ancestors: Effect.Effect<ReadonlyArray<Ancestor>, MoveError>
}

export interface Target extends Side {
  /** All of a move is done except that the store takes its place. */
  readonly isWhole: boolean
  /** Lets the store take its place: a gateway may start. */
  readonly place: Effect.Effect<void, MoveError>
  /** Makes the schema, marks it, and removes the indexes that are made again at the end. It changes nothing if the mark is there. */
  readonly begin: (mark: MoveMark) => Effect.Effect<void, MoveError>
  readonly copied: (entity: Entity.Entity) => Effect.Effect<Copied, MoveError>
  /** Adds rows and records in the same transaction that `copied` has become this. */
  readonly add: (entity: Entity.Entity, rows: ReadonlyArray<Row>, copied: Copied) => Effect.Effect<void, MoveError>
  /** Makes the indexes of the entity that are missing. */
  readonly index: (entity: Entity.Entity) => Effect.Effect<void, MoveError>
  /** Removes the mark. */
  readonly finish: (ancestors: ReadonlyArray<Ancestor>, audit: AuditEntry) => Effect.Effect<void, MoveError>
}

/** The key of a row. */
export const keyOf = (entity: Entity.Entity, row: Row): Row => {
  const columns = Object.keys(entity.columns)
  return entity.key.map((name) => row[columns.indexOf(name)] ?? null)
}
