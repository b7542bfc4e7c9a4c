/** Reads of the tables in which Effect's cluster stores executions (`SqlMessageStorage`), for which it has no methods. */
import { Context, Effect, Option, Schema } from "effect"
import {
  ClusterSchema,
  EntityAddress,
  EntityId,
  EntityType,
  MachineId,
  MessageStorage,
  Sharding,
  Snowflake
} from "effect/cluster"
import { SqlClient } from "effect/sql"
import { Workflow } from "effect/workflow"
import type { OpenExecution } from "../engine/Engine.ts"
import type { Wait } from "../engine/ExecutionStatus.ts"
import { keyOfClock } from "./SignalListeners.ts"

/** A stored execution that has not ended. */
export interface Row {
  readonly storedId: string
  readonly flow: string
  /** The payload of its start. */
  readonly payload: unknown
  readonly startedAtMs: number
  readonly changedAtMs: number
  /** How its latest run was suspended. It is absent while the execution runs. */
  readonly suspended: Workflow.Suspended | undefined
}

const typePrefix = "Workflow/"
const clockType = `${typePrefix}-/DurableClock`
/** The kind of a reply that ends a request. A run that is suspended ends with a reply, too. */
const endOfRequest = "0"
/** Number of rows that one query reads. */
const pageRows = 100

const Json = Schema.fromJsonString(Schema.Json)
const Text = Schema.Struct({ payload: Json })
const Run = Schema.Struct({
  ...{ position: Schema.String, id: Schema.String, type: Schema.String, entity: Schema.String },
  ...{ payload: Json, reply: Schema.NullOr(Json) }
})
const Suspended = Schema.Struct({ _tag: Schema.tag("Success"), value: Schema.toCodecJson(Workflow.Suspended) })
const Clock = Schema.Struct({ name: Schema.String, wakeUp: Schema.Finite })

const readTexts = Schema.decodeUnknownEffect(Schema.Array(Text))
const readRuns = Schema.decodeUnknownEffect(Schema.Array(Run))
const readSuspended = Schema.decodeUnknownOption(Suspended)
const readClock = Schema.decodeUnknownOption(Clock)

const rowOf = ({ entity, id, payload, position, reply, type }: typeof Run.Type): Option.Option<Row> => {
  const suspended = Option.map(readSuspended(reply), ({ value }) => value)
  // The text of an outcome may contain the word, too.
  if (reply !== null && Option.isNone(suspended)) return Option.none()
  return Option.some({
    storedId: entity,
    flow: type.slice(typePrefix.length),
    payload,
    startedAtMs: timeOf(id),
    changedAtMs: timeOf(position),
    suspended: Option.getOrUndefined(suspended)
  })
}

/** `prefix`: that of the tables. */
export const make = Effect.fnUntraced(function* (prefix = "cluster") {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const sharding = yield* Sharding.Sharding
  const storage = yield* MessageStorage.MessageStorage
  const [messages, replies] = [sql(`${prefix}_messages`), sql(`${prefix}_replies`)]
  const no = sql.onDialectOrElse({ sqlite: () => sql.literal("0"), orElse: () => sql.literal("FALSE") })

  const addressOf = (flow: string, storedId: string, annotations = Context.empty()) => {
    const entityId = EntityId.make(storedId)
    const shardId = sharding.getShardId(entityId, Context.get(annotations, ClusterSchema.ShardGroup)(entityId))
    return EntityAddress.make({ entityType: EntityType.make(`${typePrefix}${flow}`), entityId, shardId })
  }

  /** Whether this runner runs the execution, unless its shard moves. */
  const isHere = (flow: string, storedId: string) => sharding.hasShardId(addressOf(flow, storedId).shardId)

  /** Returns the payload of the start of an execution. */
  const startOf = Effect.fnUntraced(function* (flow: string, storedId: string) {
    const address = addressOf(flow, storedId)
    const request = yield* storage.requestIdForPrimaryKey({ address, tag: "run", id: "" })
    if (Option.isNone(request)) return Option.none()
    const id = sql.literal(String(request.value))
    const [row] = yield* readTexts(yield* sql`SELECT payload FROM ${messages} WHERE id = ${id}`)
    return Option.map(Option.fromUndefinedOr(row), ({ payload }) => payload)
  })

  /** Returns the clocks that an execution waits for. The clock of a signal has the key as its name. */
  const waitsOf = Effect.fnUntraced(function* (flow: string, storedId: string) {
    const { shardId } = addressOf(flow, storedId)
    const rows = yield* readTexts(
      yield* sql`
        SELECT payload FROM ${messages}
        WHERE shard_id = ${shardId.toString()} AND processed = ${no} AND entity_type = ${clockType}
        AND entity_id = ${storedId}
      `
    )
    return rows
      .flatMap(({ payload }) => Option.toArray(readClock(payload)))
      .map(({ name, wakeUp }): Wait => {
        const key = keyOfClock(name)
        return { name: key ?? name, key, dueAtMs: wakeUp }
      })
      .sort((one, other) => one.dueAtMs - other.dueAtMs)
  })

  const isDone = sql.literal(`r.id IS NOT NULL AND r.payload NOT LIKE '%"Suspended"%'`)

  /** Returns executions that have not ended, from this position on. */
  const openFrom = (position: bigint) =>
    Effect.flatMap(
      sql`
        SELECT CAST(COALESCE(r.id, m.id) AS CHAR(20)) AS position, CAST(m.id AS CHAR(20)) AS id,
          m.entity_type AS type, m.entity_id AS entity, m.payload AS payload, r.payload AS reply
        FROM ${messages} m LEFT JOIN ${replies} r ON r.request_id = m.id AND r.kind = ${sql.literal(endOfRequest)}
        WHERE m.tag = 'run' AND m.entity_type LIKE ${`${typePrefix}%`} AND m.entity_type <> ${clockType}
          AND NOT (${isDone}) AND COALESCE(r.id, m.id) > ${sql.literal(String(position))}
        ORDER BY COALESCE(r.id, m.id) LIMIT ${sql.literal(String(pageRows))}
      `,
      readRuns
    )

  /** Returns the next executions for which `read` returns something. */
  const list = Effect.fnUntraced(function* <A extends Pick<OpenExecution, "changedAtMs" | "id">, E, R>(
    {
      after,
      limit
    }: { readonly after?: Pick<OpenExecution, "changedAtMs" | "id"> | undefined; readonly limit: number },
    read: (row: Row) => Effect.Effect<Option.Option<A>, E, R>
  ) {
    const listed: Array<A> = []
    const page = () => listed.slice(listed.findIndex(({ id }) => id === after?.id) + 1)
    let position = after === undefined ? 0n : positionAt(after.changedAtMs) - 1n
    while (page().length < limit) {
      const rows = yield* openFrom(position)
      for (const row of rows) {
        const one = yield* Option.match(rowOf(row), { onNone: () => Effect.succeedNone, onSome: read })
        if (Option.isSome(one)) listed.push(one.value)
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageRows) break
      position = BigInt(last.position.trim())
    }
    return page().slice(0, limit)
  })

  /** Whether a message to these flows or to their clocks is due and not processed. */
  const isDue = (flows: ReadonlyArray<string>, nowMs: number) =>
    Effect.map(
      sql`
        SELECT m.payload AS payload FROM ${messages} m
        WHERE m.processed = ${no} AND ${sql.in("m.entity_type", [clockType, ...flows.map((flow) => typePrefix + flow)])}
          AND (m.deliver_at IS NULL OR m.deliver_at <= ${sql.literal(String(nowMs))}) LIMIT 1
      `,
      (rows) => rows.length > 0
    )

  return { isHere, startOf, waitsOf, list, isDue }
})

export type Tables = Effect.Success<ReturnType<typeof make>>

const timeOf = (snowflake: string): number => Snowflake.timestamp(Snowflake.Snowflake(BigInt(snowflake.trim())))
const positionAt = (timestamp: number): bigint =>
  Snowflake.make({ timestamp, machineId: MachineId.make(0), sequence: 0 })
