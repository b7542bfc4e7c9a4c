/** A receiver of OTLP over HTTP with JSON: its fields have the names of the protocol's own files (opentelemetry/proto, version 1). */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Sandbox from "@pay/sandbox/SandboxMerchant"
import { Effect, Schema } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as CallbackServer from "../harness/CallbackServer.ts"

const AnyValue = Schema.Struct({
  stringValue: Schema.optionalKey(Schema.String),
  intValue: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.String])),
  doubleValue: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.String])),
  boolValue: Schema.optionalKey(Schema.Boolean)
})
const KeyValue = Schema.Struct({ key: Schema.String, value: AnyValue })
const Attributes = Schema.Array(KeyValue)
const Resource = Schema.Struct({ attributes: Attributes })
const TraceId = Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/))
const SpanId = Schema.String.check(Schema.isPattern(/^[0-9a-f]{16}$/))
const Nanoseconds = Schema.String.check(Schema.isPattern(/^\d{19}$/))

const Span = Schema.Struct({
  traceId: TraceId,
  spanId: SpanId,
  parentSpanId: Schema.optionalKey(SpanId),
  name: Schema.String,
  kind: Schema.Literals([1, 2, 3, 4, 5]),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: Attributes,
  events: Schema.Array(Schema.Never),
  status: Schema.Struct({ code: Schema.Literals([0, 2]) })
})
const LogRecord = Schema.Struct({
  timeUnixNano: Nanoseconds,
  severityNumber: Schema.Int,
  severityText: Schema.String,
  body: Schema.Struct({ stringValue: Schema.String }),
  attributes: Attributes,
  traceId: Schema.optionalKey(TraceId),
  spanId: Schema.optionalKey(SpanId)
})
const Metric = Schema.Struct({ name: Schema.String })

const Traces = Schema.fromJsonString(
  Schema.Struct({
    resourceSpans: Schema.Array(
      Schema.Struct({ resource: Resource, scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) })) })
    )
  })
)
const Logs = Schema.fromJsonString(
  Schema.Struct({
    resourceLogs: Schema.Array(
      Schema.Struct({
        resource: Resource,
        scopeLogs: Schema.Array(Schema.Struct({ logRecords: Schema.Array(LogRecord) }))
      })
    )
  })
)
const Metrics = Schema.fromJsonString(
  Schema.Struct({
    resourceMetrics: Schema.Array(
      Schema.Struct({ scopeMetrics: Schema.Array(Schema.Struct({ metrics: Schema.Array(Metric) })) })
    )
  })
)

const read = {
  traces: Schema.decodeUnknownSync(Traces),
  logs: Schema.decodeUnknownSync(Logs),
  metrics: Schema.decodeUnknownSync(Metrics)
}

/** The attributes as texts. */
export const valuesOf = (of: { readonly attributes: typeof Attributes.Type } | undefined) =>
  Object.fromEntries((of?.attributes ?? []).map(({ key, value }) => [key, String(Object.values(value)[0])]))

export const receiver = Effect.map(CallbackServer.open({}), ({ requests, url }) => {
  const bodies = (path: string) => requests.filter(({ target }) => target === path).map(({ body }) => body)
  const traces = () => bodies("/v1/traces").flatMap((body) => read.traces(body).resourceSpans)
  return {
    url: url(""),
    spans: () => traces().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resources: () => traces().map(({ resource }) => resource),
    logs: () =>
      bodies("/v1/logs").flatMap((body) =>
        read.logs(body).resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
      ),
    metrics: () =>
      bodies("/v1/metrics").flatMap((body) =>
        read
          .metrics(body)
          .resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
          .map(({ name }) => name)
      ),
    headers: () => requests.map(({ headers }) => headers),
    bytes: () => requests.map(({ body, headers }) => `${body}\n${JSON.stringify(headers)}`).join("\n")
  }
})

/** A file with the sandbox's merchants and these settings. */
export const configuration = Effect.fnUntraced(function* (tracing: object) {
  const path = join(yield* temporaryFolder, "config.json")
  writeFileSync(path, JSON.stringify({ merchants: Sandbox.directory, tracing }))
  return path
})
