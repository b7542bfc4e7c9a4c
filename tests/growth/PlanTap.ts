/** Stands between a store and its server, and collects the plan of each statement that the server executed, also inside functions. */
import { connect, createServer } from "node:net"
import { Effect, Schema } from "effect"
import { listen } from "../../packages/schema/test/Loopback.ts"
import * as Session from "../postgres/Session.ts"
import * as WireFrames from "../postgres/WireFrames.ts"

const fields = {
  "Node Type": Schema.String,
  "Relation Name": Schema.optionalKey(Schema.String),
  "Actual Rows": Schema.optionalKey(Schema.Number),
  "Actual Loops": Schema.optionalKey(Schema.Number),
  "Rows Removed by Filter": Schema.optionalKey(Schema.Number),
  "Rows Removed by Index Recheck": Schema.optionalKey(Schema.Number),
  "Shared Hit Blocks": Schema.optionalKey(Schema.Number),
  "Shared Read Blocks": Schema.optionalKey(Schema.Number)
}

/** One node of a plan, as EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) prints it. */
export interface PlanNode extends Schema.Struct.Type<typeof fields> {
  readonly Plans?: ReadonlyArray<PlanNode>
}

const Plan = Schema.Struct({
  ...fields,
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<PlanNode> => Plan)))
})

const Explained = Schema.fromJsonString(Schema.Struct({ "Query Text": Schema.String, Plan }))
export type Explained = typeof Explained.Type
const decode = Schema.decodeUnknownSync(Explained)

/** With these settings of a database each session tells its client the plan of every statement. */
const settings: Readonly<Record<string, string>> = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_buffers": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
  client_min_messages: "notice"
}

export const explainAll = (url: string, more: Readonly<Record<string, string>> = {}) =>
  Effect.forEach(
    Object.entries({ ...settings, ...more }),
    ([name, value]) =>
      Session.query(
        { connectionString: url },
        `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${name} = '${value}'`
      ),
    { discard: true }
  )

/** The message of a notice: fields of a letter and a text each. */
const messageOf = (body: Buffer): string => {
  const fields = body.toString("utf8").split("\0")
  return fields.find((field) => field.startsWith("M"))?.slice(1) ?? ""
}

export interface PlanTap {
  readonly url: string
  /** The plans since the last time that this was asked. */
  readonly plans: () => ReadonlyArray<Explained>
}

/** Ends with the scope. */
export const make = Effect.fnUntraced(function* (target: string) {
  const collected: Array<Explained> = []
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), "127.0.0.1")
    const frames = WireFrames.splitter(false)
    upstream.on("data", (bytes: Buffer) => {
      for (const { body, type } of frames(bytes)) {
        const plan = type === "N" ? /^duration: .* plan:\n(.*)$/s.exec(messageOf(body))?.[1] : undefined
        if (plan !== undefined) collected.push(decode(plan))
      }
    })
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      // Otherwise the kernel holds back each small message for 40 ms.
      socket.setNoDelay(true)
      socket.on("error", () => client.destroy())
    }
  })
  const url = new URL(target)
  url.port = `${yield* listen(server)}`
  const tap: PlanTap = { url: url.href, plans: () => collected.splice(0) }
  return tap
})
