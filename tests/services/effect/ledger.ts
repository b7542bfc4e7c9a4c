/** The shop's own books: what it has sold, returned and paid out, each under the name that the shop chose. */
import { DatabaseSync } from "node:sqlite"
import { Context, Effect, Layer } from "effect"

const make = (path: string) => {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS bookings (id TEXT PRIMARY KEY, orderId TEXT, minor INTEGER, outcome TEXT)`)
  const insert = database.prepare("INSERT INTO bookings VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
  const select = database.prepare("SELECT * FROM bookings WHERE id = ?")
  return {
    /** `minor` is what came in (more than 0) or went out (less than 0), in cents. A second booking of the same id changes nothing. */
    book: (id: string, orderId: string, minor: number, outcome: string) =>
      Effect.sync(() => void insert.run(id, orderId, minor, outcome)),
    find: (id: string) => Effect.sync(() => select.get(id))
  }
}

export class Ledger extends Context.Service<Ledger, ReturnType<typeof make>>()("shop/Ledger") {
  static readonly layer = (path: string) => Layer.sync(Ledger, () => make(path))
}
