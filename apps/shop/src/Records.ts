/**
 * The shop's records: one table of JSON documents in one file, with the same functions for every kind of record. A file that
 * cannot be read or written is a defect: a page reports the defect, and a durable flow waits until it is resumed.
 */
import * as Database from "@pay/sqlite/Database"
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import * as Migration from "@pay/sqlite/Migration"
import { Context, Effect, Layer, Schema } from "effect"

const sql = `
CREATE TABLE records (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  owner TEXT NOT NULL,
  pending INTEGER NOT NULL,
  json TEXT NOT NULL,
  UNIQUE (kind, id)
) STRICT;
CREATE INDEX records_owner ON records (kind, owner, place);
CREATE INDEX records_pending ON records (kind, place) WHERE pending = 1;
`

const open = Effect.fnUntraced(function* (path: string) {
  const database = yield* Database.open({ path })
  yield* Migration.migrate(database, [{ id: 1, name: "records", sql }])
  const writer = yield* GroupCommit.make({ database })
  return { database, writer }
})

export class Records extends Context.Service<Records, Effect.Success<ReturnType<typeof open>>>()("@pay/shop/Records") {
  static readonly layer = (path: string) => Layer.effect(Records, open(path))
}

/** The fields that every record has. `owner` is the identifier of the visitor to whom the record belongs. */
export const fields = { id: Schema.String, owner: Schema.String }

/** Returns the functions for one kind of record. `isPending` selects the records that the shop examines when it starts. */
export const repository = <A extends Schema.Struct.Type<typeof fields>>(
  kind: string,
  schema: Schema.Codec<A, unknown>,
  isPending: (entry: A) => boolean = () => false
) => {
  const json = Schema.fromJsonString(schema)
  const encode = Schema.encodeSync(json)
  const decode = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ json })))

  const read = (db: Database.Statements, where: string, ...values: ReadonlyArray<string>) =>
    decode(db.prepare(`SELECT json FROM records WHERE kind = ? ${where}`).all(kind, ...values)).map(({ json }) => json)
  const select = (where: string, ...values: ReadonlyArray<string>) =>
    Effect.flatMap(Records, ({ database }) => Effect.orDie(database.read((db) => read(db, where, ...values))))
  /** Runs `write` in a transaction. The transaction is on the disk when the effect completes. */
  const commit = (write: (db: Database.Statements) => boolean) =>
    Effect.flatMap(Records, ({ writer }) => Effect.orDie(writer.submit({ check: () => undefined, write })))

  return {
    find: (id: string) => Effect.map(select("AND id = ?", id), ([entry]) => entry),
    /** Returns at most 100 records of a visitor, the latest first. */
    ofOwner: (owner: string) => select("AND owner = ? ORDER BY place DESC LIMIT 100", owner),
    latest: select("ORDER BY place DESC LIMIT 100"),
    pending: select("AND pending = 1 ORDER BY place"),
    /** Adds a record. Returns false if a record with its `id` exists already. */
    add: (entry: A) =>
      commit((db) => {
        const insert = db.prepare(
          "INSERT OR IGNORE INTO records (kind, id, owner, pending, json) VALUES (?, ?, ?, ?, ?)"
        )
        return insert.run(kind, entry.id, entry.owner, isPending(entry) ? 1 : 0, encode(entry)).changes !== 0
      }),
    /**
     * Reads, changes and writes a record in one transaction. `edit` is a pure function that returns the changed fields, or
     * `undefined` if the record must stay as it is. Returns whether the record was changed.
     */
    change: (id: string, edit: (entry: A) => Partial<A> | undefined) =>
      commit((db) => {
        const [entry] = read(db, "AND id = ?", id)
        const changes = entry && edit(entry)
        if (entry === undefined || changes === undefined) return false
        const next = { ...entry, ...changes }
        const update = db.prepare("UPDATE records SET pending = ?, json = ? WHERE kind = ? AND id = ?")
        return update.run(isPending(next) ? 1 : 0, encode(next), kind, id).changes !== 0
      })
  }
}
