/**
 * Short-lived keys for CVVs in a table that no backup and no standby holds (UNLOGGED): after a crash of the server, or when a standby
 * took over, it is empty. A key is destroyed by a new, empty file for the table, into which the others are written again.
 */
import type { ShortLivedKeyTable } from "@pay/gateway/KeyVault"
import { StoreUnavailable } from "@pay/gateway/Store"
import { Effect } from "effect"
import type { Connection } from "./Connections.ts"
import { schema } from "./Ddl.ts"
import type { Query, Row } from "./Session.ts"
import { toStored } from "./Values.ts"

const table = `${schema}.short_lived_keys`

/** Runs with the rights of the role that migrates: no other may empty a table. */
const destroy = `
CREATE OR REPLACE FUNCTION ${schema}.destroy_short_lived_keys(lost bigint[]) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE others ${table}[];
BEGIN
  LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE;
  IF NOT EXISTS (SELECT FROM ${table} k WHERE k.id = ANY (lost)) THEN RETURN; END IF;
  SELECT array_agg(k) INTO others FROM ${table} k WHERE NOT k.id = ANY (lost);
  TRUNCATE ${table};
  INSERT INTO ${table} SELECT o.* FROM unnest(others) o;
END $$`

/** What makes the table and its function, where they are not there. */
export const statements: ReadonlyArray<string> = [
  `CREATE UNLOGGED TABLE IF NOT EXISTS ${table} (id bigint PRIMARY KEY, created_at_ms bigint NOT NULL, encrypted_key bytea NOT NULL)`,
  destroy
]

/** The rights of the role that runs the gateway. */
export const grants = (role: string): ReadonlyArray<string> => [
  `GRANT SELECT, INSERT ON ${table} TO ${role}`,
  `GRANT EXECUTE ON FUNCTION ${schema}.destroy_short_lived_keys(bigint[]) TO ${role}`
]

export const make = (connection: Connection): ShortLivedKeyTable["Service"] => {
  const ask = (query: Query): Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> =>
    Effect.flatMap(connection.session, (session) => session.query(query)).pipe(
      Effect.mapError((cause) => new StoreUnavailable({ outcomeUnknown: cause._tag === "Lost", cause }))
    )
  return {
    list: Effect.map(ask({ text: `SELECT id, created_at_ms, encrypted_key FROM ${table}`, values: [] }), (rows) =>
      rows.flatMap(([id, createdAtMs, encryptedKey]) =>
        encryptedKey instanceof Uint8Array ? [{ id: Number(id), createdAtMs: Number(createdAtMs), encryptedKey }] : []
      )
    ),
    add: ({ createdAtMs, id, encryptedKey }) =>
      Effect.asVoid(
        ask({
          text: `INSERT INTO ${table} (id, created_at_ms, encrypted_key) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING`,
          values: [id, createdAtMs, toStored(encryptedKey)]
        })
      ),
    destroy: (ids) =>
      Effect.asVoid(ask({ text: `SELECT ${schema}.destroy_short_lived_keys($1)`, values: [ids.map(String)] }))
  }
}
