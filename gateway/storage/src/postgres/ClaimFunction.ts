/**
 * The function that claims due jobs. It skips rows that another process has locked, and never waits. Merchants take turns: if more
 * jobs are due than may be claimed, it reads an equal share of each merchant, and more of each only if these are not enough.
 */

import { Job } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { list, quote } from "../Ddl.ts"
import { functionSettings, ordered, schema, tableOf } from "./Ddl.ts"
import * as Durably from "./Durably.ts"

const jobs = tableOf(Job)

const free = 't."dueAtMs" <= at_ms AND t."leaseUntilMs" <= at_ms'

const inOrder = ["dueAtMs", "jobId"].map((column) => `t.${ordered(Job, column)}`).join(", ")

const sqlTypes: Readonly<Record<Entity.Column<Entity.Value>["kind"], string>> = {
  text: "text",
  integer: "bigint",
  sum: "bigint",
  blob: "bytea"
}

/** Selects and locks a share of the jobs of each merchant. */
const share = (size: string): ReadonlyArray<string> => [
  `ids := ARRAY(SELECT d."jobId" FROM unnest(merchants) m(id) CROSS JOIN LATERAL (SELECT t."jobId" FROM ${jobs} t`,
  `  WHERE t."kind" = of_kind AND t."merchantId" = m.id AND ${free} ORDER BY ${inOrder} LIMIT ${size} FOR UPDATE SKIP LOCKED) d);`
]

const firstMerchant = (condition = "true"): string =>
  `SELECT t."merchantId" FROM ${jobs} t WHERE t."kind" = of_kind AND ${condition} ORDER BY ${ordered(Job, "merchantId")} LIMIT 1`

/** Parameters: kind, now, end of the lease, token, limit, limit for each merchant, merchants to leave out. */
export const make = (name: string): string => {
  const columns = Object.entries(Job.columns)
  return [
    `CREATE FUNCTION ${schema}.${name}(of_kind text, at_ms bigint, until_ms bigint, with_token text, at_most int, of_each int, except_of text[])`,
    `RETURNS TABLE (${columns.map(([column, { kind }]) => `${quote(column)} ${sqlTypes[kind]}`).join(", ")}) LANGUAGE plpgsql`,
    functionSettings,
    "AS $$",
    "#variable_conflict use_column",
    "DECLARE ids text[] := '{}'; merchants text[] := '{}'; next_merchant text; due int; size int; each_size int;",
    "BEGIN",
    "  IF at_most <= 0 THEN RETURN; END IF;",
    `  SELECT count(*) INTO due FROM (SELECT FROM ${jobs} t WHERE t."kind" = of_kind AND ${free} ORDER BY ${inOrder} LIMIT at_most + 1) d;`,
    "  IF due = 0 THEN RETURN; END IF;",
    `  PERFORM ${Durably.call};`,
    "  IF due <= at_most AND of_each IS NULL AND except_of IS NULL THEN",
    `    ids := ARRAY(SELECT t."jobId" FROM ${jobs} t WHERE t."kind" = of_kind AND ${free} ORDER BY ${inOrder} LIMIT at_most FOR UPDATE SKIP LOCKED);`,
    "  ELSE",
    `    ${firstMerchant()} INTO next_merchant;`,
    "    WHILE next_merchant IS NOT NULL LOOP",
    "      IF except_of IS NULL OR NOT next_merchant = ANY (except_of) THEN merchants := merchants || next_merchant; END IF;",
    `      SELECT (${firstMerchant('t."merchantId" > next_merchant')}) INTO next_merchant;`,
    "    END LOOP;",
    "    IF cardinality(merchants) = 0 THEN RETURN; END IF;",
    "    each_size := least(coalesce(of_each, at_most), at_most);",
    "    size := least(each_size, ceil(at_most::numeric / cardinality(merchants))::int);",
    ...share("size").map((line) => `    ${line}`),
    "    IF cardinality(ids) < at_most AND size < each_size THEN",
    ...share("each_size").map((line) => `      ${line}`),
    "    END IF;",
    "    ids := ARRAY(SELECT x.id FROM (",
    '      SELECT t."jobId" AS id, t."dueAtMs" AS at, row_number() OVER (PARTITION BY t."merchantId" ORDER BY t."dueAtMs", t."jobId") AS turn',
    `      FROM ${jobs} t WHERE t."jobId" = ANY (ids)) x ORDER BY x.turn, x.at, x.id LIMIT at_most);`,
    "  END IF;",
    `  RETURN QUERY UPDATE ${jobs} t SET "token" = with_token, "leaseUntilMs" = until_ms, "openAttempts" = t."openAttempts" + 1,`,
    `    "startedAtMs" = coalesce(t."startedAtMs", at_ms) WHERE t."jobId" = ANY (ids) RETURNING ${list(
      columns.map(([column]) => column)
    )
      .split(", ")
      .map((column) => `t.${column}`)
      .join(", ")};`,
    "END $$"
  ].join("\n")
}
