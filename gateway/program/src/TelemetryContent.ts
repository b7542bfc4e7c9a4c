/**
 * What is exported of spans and lines: the gateway's own numbers and names. Card numbers are masked like in the log, and texts of errors
 * are left out of spans, because other systems may have written them.
 */
import * as MaskedLog from "@pay/server/MaskedLog"
import { Effect, Layer } from "effect"
import type * as OtlpLogger from "effect/observability/OtlpLogger"
import type { AnyValue, KeyValue } from "effect/observability/OtlpResource"
import { OtlpSerialization } from "effect/observability/OtlpSerialization"
import type * as OtlpTracer from "effect/observability/OtlpTracer"

const texts = ({ arrayValue, stringValue, ...others }: AnyValue, masked: (text: string) => string): AnyValue => ({
  ...others,
  ...(typeof stringValue === "string" && { stringValue: masked(stringValue) }),
  ...(arrayValue !== undefined && { arrayValue: { values: arrayValue.values.map((value) => texts(value, masked)) } }),
  ...(others.kvlistValue !== undefined && {
    kvlistValue: { values: others.kvlistValue.values.map(({ key, value }) => ({ key, value: texts(value, masked) })) }
  })
})

const ofField = (text: string): string => String(MaskedLog.fieldOf(text))

/** Names of Effect's own attributes, which say nothing to a reader. */
const noise = /^effect\./

const attributes = (all: ReadonlyArray<KeyValue>): Array<KeyValue> =>
  all
    .filter(({ key }) => !noise.test(key))
    .map(({ key, value }) => ({ key: MaskedLog.nameOf(key), value: texts(value, ofField) }))

/** The message of a line as one text. */
const body = (value: AnyValue): AnyValue => {
  const parts = value.arrayValue?.values ?? [value]
  return { stringValue: MaskedLog.messageOf(parts.map((part) => part.stringValue ?? JSON.stringify(part))) }
}

/** The codes of the protocol: a span has an error, or its status is left open, as the conventions ask. */
const code = { unset: 0, error: 2 } as const

type Span = OtlpTracer.ScopeSpan["spans"][number]

const isFailed = ({ attributes: all, status }: Span): boolean =>
  status.code === code.error || all.some(({ key }) => key === "error.type")

const spans = (data: OtlpTracer.TraceData): OtlpTracer.TraceData => ({
  resourceSpans: data.resourceSpans.map((resource) => ({
    ...resource,
    scopeSpans: resource.scopeSpans.map((scope) => ({
      ...scope,
      spans: scope.spans.map((span) => ({
        ...span,
        attributes: attributes(span.attributes),
        events: [],
        status: { code: isFailed(span) ? code.error : code.unset }
      }))
    }))
  }))
})

const lines = (data: OtlpLogger.LogsData): OtlpLogger.LogsData => ({
  resourceLogs: data.resourceLogs.map((resource) => ({
    ...resource,
    scopeLogs: resource.scopeLogs.map((scope) => ({
      ...scope,
      logRecords: (scope.logRecords ?? []).map((line) => ({
        ...line,
        attributes: attributes(line.attributes),
        body: body(line.body ?? {})
      }))
    }))
  }))
})

/** Changes what an encoding receives. */
export const layer = (encoding: Layer.Layer<OtlpSerialization>): Layer.Layer<OtlpSerialization> =>
  Layer.effect(
    OtlpSerialization,
    Effect.map(OtlpSerialization, ({ logs, metrics, traces }) => ({
      metrics,
      traces: (data) => traces(spans(data)),
      logs: (data) => logs(lines(data))
    }))
  ).pipe(Layer.provide(encoding))
