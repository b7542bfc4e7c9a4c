/** A `VisitStore` in a SQLite file. */
import type { Database } from "@pay/sqlite/Database"
import type { GroupCommit } from "@pay/sqlite/GroupCommit"
import { Effect, Schema } from "effect"
import { Visit } from "../browser/CustomerBrowser.ts"
import { mostVisits, type VisitStore, VisitStoreError } from "../browser/VisitStore.ts"

export const sql = `
CREATE TABLE visit (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  client_order_id TEXT NOT NULL UNIQUE,
  visit TEXT NOT NULL
) STRICT;
`

const json = Schema.fromJsonString(Visit)
const encode = Schema.encodeSync(json)
const decode = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ place: Schema.Int, visit: json })))

/** The places of visits that were found, by which `drop` recognizes them. */
const places = new WeakMap<Visit, number>()

const failed = (cause: unknown) => new VisitStoreError({ cause })

export const make = (database: Database, writer: GroupCommit, most = mostVisits): VisitStore => ({
  put: (visit) =>
    Effect.mapError(
      writer.submit({
        check: () => undefined,
        write: (db) => {
          db.prepare("INSERT OR REPLACE INTO visit (client_order_id, visit) VALUES (?, ?)").run(
            visit.clientOrderId,
            encode(visit)
          )
          db.prepare(
            "DELETE FROM visit WHERE place IN (SELECT place FROM visit ORDER BY place DESC LIMIT -1 OFFSET ?)"
          ).run(most)
        }
      }),
      failed
    ),
  find: (clientOrderId) =>
    Effect.mapError(
      database.read((db) => {
        const rows = db.prepare("SELECT place, visit FROM visit WHERE client_order_id = ?").all(clientOrderId)
        const [row] = decode(rows)
        if (row !== undefined) places.set(row.visit, row.place)
        return row?.visit
      }),
      failed
    ),
  drop: (clientOrderId, only) =>
    Effect.mapError(
      writer.submit({
        check: () => undefined,
        write: (db) =>
          only === undefined
            ? void db.prepare("DELETE FROM visit WHERE client_order_id = ?").run(clientOrderId)
            : void db
                .prepare("DELETE FROM visit WHERE client_order_id = ? AND place = ?")
                .run(clientOrderId, places.get(only) ?? null)
      }),
      failed
    )
})
