/**
 * The function that commits a batch of decisions in one round trip. It is one transaction: it locks the names that the
 * decisions guard or write, in one order for all processes, checks the guards, and carries out the writes of those decisions
 * whose guards hold. The members of a batch share no name (see `Batch.ts`), so all guards are checked against the rows before the batch.
 */

import { Balance, Job } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { StoreRow } from "@pay/gateway/Store"
import { list, quote } from "../Ddl.ts"
import { elements, functionSettings, schema, tableOf } from "./Ddl.ts"
import * as Durably from "./Durably.ts"

/** The SQLSTATE that refuses a batch that was declared lost, or where a number of its process is missing. */
export const fenced = "PY002"

/** The channel on which processes announce due jobs to each other, under the name of their channel. */
export const dueChannel = "pay due"

/** The names under which a batch locks the rows of its guards and writes. */
export const place = {
  version: (entity: Entity.Entity) => `v ${entity.name}`,
  absent: (entity: Entity.Entity, unique: string) => `a ${entity.name} ${unique}`,
  lease: "lease",
  balance: "balance",
  room: "room",
  remove: (entity: Entity.Entity) => `r ${entity.name}`,
  put: (entity: Entity.Entity) => `p ${entity.name}`,
  append: (entity: Entity.Entity) => `a ${entity.name}`
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const where = (entity: Entity.Entity, columns: ReadonlyArray<string>): string =>
  columns.map((column, at) => `t.${quote(column)} = ${elements(entity, [column], at + 1)[0]}`).join(" AND ")

const guard = (at: string, isLost: string): ReadonlyArray<string> => [
  `  IF g ? ${literal(at)} THEN`,
  `    SELECT coalesce(array_agg((r->>0)::int), '{}') INTO part FROM jsonb_array_elements(g->${literal(at)}) r WHERE ${isLost};`,
  "    codes := codes || part;",
  "  END IF;"
]

const guardsOf = (entity: Entity.Entity): ReadonlyArray<string> => [
  ...("version" in entity.columns
    ? guard(
        place.version(entity),
        `NOT EXISTS (SELECT FROM ${tableOf(entity)} t WHERE ${where(entity, entity.key)} AND t."version" = (r->>${entity.key.length + 1})::bigint)`
      )
    : []),
  ...["key", ...Object.keys(entity.unique)].flatMap((unique) =>
    guard(
      place.absent(entity, unique),
      `EXISTS (SELECT FROM ${tableOf(entity)} t WHERE ${where(entity, StoreRow.uniqueColumns(entity, unique))})`
    )
  )
]

const write = (at: string, statement: string): ReadonlyArray<string> => [
  `    IF p ? ${literal(at)} THEN`,
  `      ${statement};`,
  "    END IF;"
]

const rows = (at: string): string => `jsonb_array_elements(p->${literal(at)}) r`

const passed = "NOT (r->>0)::int = ANY (failed)"

const insert = (entity: Entity.Entity, at: string): string => {
  const columns = Object.keys(entity.columns)
  return `INSERT INTO ${tableOf(entity)} (${list(columns)}) SELECT ${elements(entity, columns, 1).join(", ")} FROM ${rows(at)} WHERE ${passed}`
}

const replace = (entity: Entity.Entity): string => {
  const others = Object.keys(entity.columns).filter((column) => !entity.key.includes(column))
  const set = (others.length === 0 ? entity.key : others).map(
    (column) => `${quote(column)} = excluded.${quote(column)}`
  )
  return `${insert(entity, place.put(entity))} ON CONFLICT (${list(entity.key)}) DO UPDATE SET ${set.join(", ")}`
}

/** The phases of writes. Rows are removed first, because added rows may use their unique keys. */
const writesOf = (entity: Entity.Entity): ReadonlyArray<string> => [
  ...write(
    place.remove(entity),
    `DELETE FROM ${tableOf(entity)} t USING ${rows(place.remove(entity))} WHERE ${where(entity, entity.key)} AND ${passed}`
  ),
  ...write(place.put(entity), replace(entity)),
  ...write(place.append(entity), insert(entity, place.append(entity)))
]

const balances = tableOf(Balance)

/**
 * `batch`: `w` the writer and `n` its next number; `o` the numbers that the process's other writers have at least; `x` the names to lock exclusively and `s` the names to share; `g` the guards, `p` the
 * phases of writes, `b` the postings, `d` whether the batch leaves due jobs. Returns the codes of the guards that failed: the member's number times 1,000, plus the
 * guard's. Plans are never made for small tables, because they would still be used when the tables have grown.
 */
export const make = (name: string, entities: ReadonlyArray<Entity.Entity>): string =>
  [
    `CREATE FUNCTION ${schema}.${name}(batch jsonb) RETURNS int[] LANGUAGE plpgsql`,
    functionSettings,
    "AS $$",
    "#variable_conflict use_column",
    "DECLARE g jsonb := batch->'g'; p jsonb; codes int[] := '{}'; part int[]; failed int[] := '{}'; lock record;",
    "BEGIN",
    `  PERFORM ${Durably.call};`,
    `  PERFORM FROM ${schema}.writers t WHERE t.writer = batch->>'w' AND t.number = (batch->>'n')::bigint - 1 FOR UPDATE;`,
    `  IF NOT FOUND THEN RAISE EXCEPTION 'batch % of % was declared lost', batch->>'n', batch->>'w' USING ERRCODE = '${fenced}'; END IF;`,
    `  IF EXISTS (SELECT FROM jsonb_each_text(batch->'o') o LEFT JOIN ${schema}.writers t ON t.writer = o.key WHERE coalesce(t.number, -1) < o.value::bigint)`,
    `  THEN RAISE EXCEPTION 'acknowledged batches are missing' USING ERRCODE = '${fenced}'; END IF;`,
    "  FOR lock IN SELECT n.id, bool_or(n.alone) AS alone FROM (",
    "    SELECT hashtextextended(jsonb_array_elements_text(batch->'x'), 0) AS id, true AS alone",
    "    UNION ALL SELECT hashtextextended(jsonb_array_elements_text(batch->'s'), 0), false) n GROUP BY n.id ORDER BY n.id",
    "  LOOP",
    "    IF lock.alone THEN PERFORM pg_advisory_xact_lock(lock.id); ELSE PERFORM pg_advisory_xact_lock_shared(lock.id); END IF;",
    "  END LOOP;",
    ...entities.flatMap(guardsOf),
    `  IF g ? '${place.lease}' THEN`,
    `    PERFORM FROM ${tableOf(Job)} t WHERE t."jobId" IN (SELECT r->>1 FROM jsonb_array_elements(g->'${place.lease}') r) FOR UPDATE;`,
    "  END IF;",
    ...guard(
      place.lease,
      `NOT EXISTS (SELECT FROM ${tableOf(Job)} t WHERE t."jobId" = r->>1 AND t."token" IS NOT DISTINCT FROM r->>2)`
    ),
    ...guard(
      place.balance,
      `coalesce((SELECT t."minor" FROM ${balances} t WHERE t."account" = r->>1), 0) < (r->>2)::bigint`
    ),
    ...guard(
      place.room,
      `NOT coalesce((SELECT t."minor" FROM ${balances} t WHERE t."account" = r->>1), 0) BETWEEN (r->>2)::bigint AND (r->>3)::bigint`
    ),
    "  SELECT coalesce(array_agg(DISTINCT code / 1000), '{}') INTO failed FROM unnest(codes) code;",
    "  FOR p IN SELECT jsonb_array_elements(batch->'p') LOOP",
    ...entities.flatMap(writesOf),
    "  END LOOP;",
    "  IF jsonb_array_length(batch->'b') > 0 THEN",
    `    INSERT INTO ${balances} ("account", "minor") SELECT r->>1, sum((r->>2)::bigint)::bigint FROM jsonb_array_elements(batch->'b') r`,
    `    WHERE ${passed} GROUP BY 1 ORDER BY 1 ON CONFLICT ("account") DO UPDATE SET "minor" = ${balances}."minor" + excluded."minor";`,
    "  END IF;",
    `  UPDATE ${schema}.writers SET number = (batch->>'n')::bigint, result = to_jsonb(codes), at = clock_timestamp() WHERE writer = batch->>'w';`,
    `  IF batch ? 'd' THEN PERFORM pg_notify('${dueChannel}', batch->>'w'); END IF;`,
    "  RETURN codes;",
    "END $$"
  ].join("\n")
