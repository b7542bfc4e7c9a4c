/**
 * The baseline of a sale: one procedure that inserts its rows, called once for each sale by the same driver over a pool of
 * connections.
 */
import type { Decision } from "@pay/gateway/Decision"
import pg from "pg"

const toJson = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value

/** Returns the rows of a decision by table, as JSON for `jsonb_populate_record`. */
const argumentOf = ({ writes }: Decision): string =>
  JSON.stringify(
    Object.fromEntries(writes.flatMap((write) => (write._tag === "Append" ? [[write.entity.name, write.row]] : []))),
    toJson
  )

export interface Procedure {
  readonly add: (decision: Decision) => Promise<void>
  readonly close: () => Promise<void>
}

/** Creates the procedure. `example` contains a row of each table to which the procedure adds. */
export const make = async (url: string, example: Decision, connections: number): Promise<Procedure> => {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const inserts = example.writes.flatMap((write) =>
    write._tag === "Append"
      ? [
          `INSERT INTO pay."${write.entity.name}" SELECT * FROM jsonb_populate_record(NULL::pay."${write.entity.name}", sale->'${write.entity.name}');`
        ]
      : []
  )
  await pool.query(
    `CREATE FUNCTION add_sale(sale jsonb) RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${inserts.join(" ")} END $$`
  )
  return {
    add: async (decision) => {
      await pool.query({ name: "add", text: "SELECT add_sale($1)", values: [argumentOf(decision)] })
    },
    close: () => pool.end()
  }
}
