/** Checks a whole PostgreSQL store, also while gateways run on it, and changes nothing. */
import * as Entities from "@pay/gateway/Entities"
import { Order } from "@pay/gateway/Entities"
import { Effect, type Scope } from "effect"
import { failed, failWith, type MoveError } from "../MoveError.ts"
import * as MoveMark from "../MoveMark.ts"
import * as Administration from "../postgres/Administration.ts"
import * as Binding from "../postgres/Binding.ts"
import * as Completeness from "../postgres/Completeness.ts"
import { onlyAddedTo, schema, tableOf } from "../postgres/Ddl.ts"
import * as Marks from "../postgres/Marks.ts"
import * as Migrate from "../postgres/Migrate.ts"
import { migrations } from "../postgres/Migrations.ts"
import * as ProcessWitness from "../postgres/ProcessWitness.ts"
import * as Users from "../postgres/Users.ts"
import * as Books from "./Books.ts"
import type { Checked } from "./Checked.ts"

const books = Books.texts(tableOf)

/** Selects the enabled triggers. */
const triggers = `
  SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')
`

/** Selects the valid indexes. An index whose concurrent creation was interrupted is invalid. */
const indexes = `
  SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND i.indisvalid
`

/** Selects the rights on tables, except those of their owner. */
const rights = `
  SELECT coalesce(r.rolname, 'PUBLIC'), c.relname, a.privilege_type FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN LATERAL aclexplode(c.relacl) a
  LEFT JOIN pg_roles r ON r.oid = a.grantee
  WHERE n.nspname = $1 AND c.relkind = 'r' AND a.grantee <> c.relowner ORDER BY 1, 2, 3
`

const owners = `
  SELECT DISTINCT r.rolname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.oid = c.relowner
  WHERE n.nspname = $1 AND c.relkind = 'r' ORDER BY 1
`

type Rights = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>

/** The rights by role, then by table. */
const rightsOf = (rows: ReadonlyArray<ReadonlyArray<unknown>>): Rights => {
  const all = new Map<string, Map<string, Set<string>>>()
  for (const [role, table, right] of rows) {
    const tables = all.get(`${role}`) ?? new Map<string, Set<string>>()
    const granted = tables.get(`${table}`) ?? new Set<string>()
    all.set(`${role}`, tables.set(`${table}`, granted.add(`${right}`)))
  }
  return all
}

const appended = ["SELECT", "INSERT"]
const changed = [...appended, "UPDATE", "DELETE"]

/** Whether the role can run a gateway: it may add orders. */
const runs = (tables: ReadonlyMap<string, ReadonlySet<string>>): boolean =>
  tables.get(Order.name)?.has("INSERT") === true

const wrongRights = (all: Rights): ReadonlyArray<string> =>
  [...all].flatMap(([role, tables]) =>
    Entities.all.flatMap(({ appendOnly, name }) => {
      const granted = tables.get(name) ?? new Set()
      const more = appendOnly ? [...granted].filter((right) => ["UPDATE", "DELETE", "TRUNCATE"].includes(right)) : []
      const missing = runs(tables) ? (appendOnly ? appended : changed).filter((right) => !granted.has(right)) : []
      return [
        ...(more.length === 0
          ? []
          : [
              `The role ${role} may ${more.join(", ")} rows of ${name}, to which rows are only ever added: REVOKE ${more.join(", ")} ON ${schema}.${name} FROM ${role}.`
            ]),
        ...(missing.length === 0
          ? []
          : [`The role ${role} lacks ${missing.join(", ")} on ${name}: run pay store migrate --run-as ${role}.`])
      ]
    })
  )

const missingTriggers = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<string> => {
  const there = new Set(rows.map(([table, name]) => `${table} ${name}`))
  return Entities.all
    .filter(({ appendOnly }) => appendOnly)
    .flatMap(({ name }) => [`${name}.no change`, `${name}.no truncation`].map((trigger) => ({ name, trigger })))
    .filter(({ name, trigger }) => !there.has(`${name} ${trigger}`))
    .map(
      ({ name, trigger }) =>
        `The trigger "${trigger}" is missing or switched off: it refuses changes of ${name} (${onlyAddedTo}). ALTER TABLE ${schema}.${name} ENABLE TRIGGER ALL switches it on.`
    )
}

const missingIndexes = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<string> => {
  const there = new Set(rows.map(([name]) => `${name}`))
  return Entities.all
    .flatMap(({ index, name, unique }) =>
      [...Object.keys(unique), ...Object.keys(index)].map((each) => `${name}.${each}`)
    )
    .filter((name) => !there.has(name))
    .map(
      (name) =>
        `The index "${name}" is missing or invalid: REINDEX INDEX CONCURRENTLY ${schema}."${name}", or make it again.`
    )
}

/** Checks the store. `witness`: the witness file of one gateway; without it, no witness is checked. */
export const run = Effect.fn("PostgresCheck.run")(function* (options: {
  readonly place: Administration.Place
  readonly witness: string | undefined
}): Effect.fn.Return<Checked, MoveError, Scope.Scope> {
  const connected = yield* Administration.connect(options.place)
  const { label, query, session } = connected
  const explained = Administration.explain(label)
  if (!(yield* Effect.mapError(Migrate.isThere(session), explained)))
    return yield* failWith("absent", `There is no store in ${label}: pay store migrate makes one.`)
  const mark = Marks.markOf(yield* query(Marks.selectMark.text, Marks.selectMark.values))
  const due = yield* Effect.result(Migrate.pending(session, migrations))
  const pending = due._tag === "Success" ? due.success : 0
  const [applied] = yield* query(`SELECT max(id) FROM ${schema}.migrations WHERE id <> $1`, [MoveMark.step])
  const tables = new Set(
    (yield* query("SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'", [
      schema
    ])).map(([name]) => `${name}`)
  )
  const present = Entities.all.filter(({ name }) => tables.has(name))
  const rows: Record<string, number> = {}
  for (const entity of present) {
    const [row] = yield* query(`SELECT count(*) FROM ${tableOf(entity)}`)
    rows[entity.name] = Number(row?.[0])
  }
  const isWhole = present.length === Entities.all.length
  const accounts = isWhole ? yield* query(books.accounts) : []
  const movements = isWhole ? yield* query(books.movements) : []
  const all = rightsOf(yield* query(rights, [schema]))
  const owning = (yield* query(owners, [schema])).map(([role]) => `${role}`)
  const testified = yield* testimony(connected, options.witness)
  const judged = Effect.flatMap(Binding.find(session), (place) => Binding.judge(session, place))
  const elsewhere = tables.has("binding") ? yield* Effect.mapError(judged, explained) : undefined
  return {
    store: label,
    engine: "PostgreSQL",
    step: Number(applied?.[0] ?? 0),
    pending,
    rows,
    users: (yield* Users.using(connected)).map((who) => `in use by ${who}`),
    witness: testified.witness,
    roles: Object.fromEntries([
      ...[...all]
        .filter(([, granted]) => present.some(({ name }) => granted.has(name)))
        .map(([role, granted]) => [role, runs(granted) ? "runs" : "other"] as const),
      ...owning.map((role) => [role, "owns"] as const)
    ]),
    problems: [
      ...(mark === undefined ? [] : [MoveMark.explain(mark)]),
      ...(due._tag === "Failure" ? [due.failure.message] : []),
      ...(pending > 0 ? [`${pending} steps of this release are missing: run pay store migrate.`] : []),
      ...(yield* Effect.mapError(Migrate.missingFunctions(session), explained)).map(
        (name) => `The function ${schema}.${name} of this release is missing: run pay store migrate.`
      ),
      ...(pending > 0
        ? []
        : [
            ...missingTriggers(yield* query(triggers, [schema])),
            ...(mark === undefined ? missingIndexes(yield* query(indexes, [schema])) : [])
          ]),
      ...(pending > 0 ? [] : wrongRights(all)),
      ...testified.problems,
      ...(elsewhere === undefined ? [] : [elsewhere.message]),
      ...accounts.map(([account, rest]) => Books.ofAccount(account, rest)),
      ...movements.map(([request, cause, rest]) => Books.ofMovement(request, cause, rest))
    ]
  }
})

const testimony = Effect.fnUntraced(function* (
  { label, session }: Administration.Connected,
  witness: string | undefined
) {
  if (witness === undefined)
    return { witness: "No witness was named; each gateway compares the store with its own.", problems: [] }
  const explained = Administration.explain(label)
  if (yield* Effect.mapError(Marks.isOfSource(session, witness), explained))
    return {
      witness: `The witness ${witness} is of a store that was moved here, and all it has seen is here.`,
      problems: []
    }
  const content = yield* Effect.mapError(ProcessWitness.read(witness), ({ cause }) =>
    failed(`The witness ${witness} cannot be read`)(cause)
  )
  if (content === undefined) return { witness: `There is no witness at ${witness}.`, problems: [] }
  const refused = yield* Effect.mapError(Completeness.judge(session, witness, content), explained)
  return refused === undefined
    ? { witness: `The witness ${witness} has seen nothing that is missing here.`, problems: [] }
    : { witness: refused.message, problems: [refused.message] }
})
