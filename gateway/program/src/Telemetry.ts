/**
 * Exports traces, metrics and log lines by OTLP over HTTP, as the standard variables of OpenTelemetry say. It is loaded only if one of
 * them names a receiver.
 */
import { hostname } from "node:os"
import { Cause, ConfigProvider, Effect, Layer, References, Tracer } from "effect"
import * as Otlp from "effect/observability/Otlp"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import manifest from "../package.json" with { type: "json" }
import * as Sampler from "./Sampler.ts"
import * as TelemetryClient from "./TelemetryClient.ts"
import * as TelemetryContent from "./TelemetryContent.ts"

type Variables = Readonly<Record<string, string | undefined>>

/** What the variables are where they are not set. The encoding is the one that the standard names first. */
const defaults = {
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp",
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
  OTEL_EXPORTER_OTLP_TIMEOUT: "10000",
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "512",
  OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: "512"
}

const encodings: Readonly<Record<string, typeof OtlpSerialization.layerJson>> = {
  "http/json": OtlpSerialization.layerJson,
  "http/protobuf": OtlpSerialization.layerProtobuf
}

const definedIn = (variables: Variables) =>
  Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value]] : [])))

const nameIn = (attributes = ""): string | undefined =>
  /(?:^|,)\s{0,9}service\.name=([^,]{1,200})/.exec(attributes)?.[1]

const unusable = (reason: string) =>
  Layer.effectDiscard(Effect.logWarning(`No telemetry is exported until the gateway is started again: ${reason}`))

export const layer = (variables: Variables): Layer.Layer<never> => {
  const env = { ...defaults, ...definedIn(variables) }
  const encoding = encodings[env.OTEL_EXPORTER_OTLP_PROTOCOL]
  if (encoding === undefined) return unusable("OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json")
  const sampler = Sampler.make(
    variables.OTEL_TRACES_SAMPLER || undefined,
    variables.OTEL_TRACES_SAMPLER_ARG || undefined
  )
  if (sampler === undefined)
    return unusable("OTEL_TRACES_SAMPLER is none of OpenTelemetry's, or OTEL_TRACES_SAMPLER_ARG no number from 0 to 1")
  const exporters = Otlp.layerFromConfig({
    resource: {
      serviceName: variables.OTEL_SERVICE_NAME || nameIn(variables.OTEL_RESOURCE_ATTRIBUTES) || "pay-gateway",
      serviceVersion: manifest.version,
      attributes: { "service.instance.id": `${hostname()}:${process.pid}` }
    }
  }).pipe(
    // The exporters' own lines: the client warns once a minute for all of them.
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")),
    Layer.provide(TelemetryContent.layer(encoding)),
    Layer.provide(TelemetryClient.layer(Number(env.OTEL_EXPORTER_OTLP_TIMEOUT) || 10_000)),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
  )
  const sampled = Layer.effect(
    Tracer.Tracer,
    Effect.map(Tracer.Tracer, (tracer) => (tracer === Tracer.nativeTracer ? tracer : Sampler.around(tracer, sampler)))
  )
  return Layer.catchCause(Layer.provideMerge(sampled, exporters), (cause) => unusable(Cause.pretty(cause)))
}
