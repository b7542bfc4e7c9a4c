/**
 * The connection to the receiver of telemetry. It waits for a limited time and sends a limited number of requests at once; what does not
 * leave then is dropped for a minute, so that a receiver that is down or slow takes no memory and no time of a payment.
 */
import { Clock, Effect, Layer, References } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"

/** Most requests that wait for an answer: one for each kind of telemetry, and one more. */
const most = 4

const warnEveryMs = 60_000

export const layer = (timeoutMs: number): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      let waiting = 0
      let warnedAtMs = Number.NEGATIVE_INFINITY
      const warn = (reason: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
          if (nowMs - warnedAtMs < warnEveryMs) return Effect.void
          warnedAtMs = nowMs
          return Effect.provideService(
            Effect.logWarning(`Telemetry is not exported now: ${reason}`),
            References.MinimumLogLevel,
            "Trace"
          )
        })
      // A defect is not sent again: the exporter drops what it has, and is silent for a minute.
      const drop = (reason: string) => Effect.andThen(warn(reason), Effect.die(reason))
      return HttpClient.transform(client, (sent) =>
        Effect.suspend(() => {
          if (waiting >= most) return drop("the receiver does not keep up")
          waiting += 1
          return Effect.tap(sent, (response) => Effect.ignore(response.arrayBuffer)).pipe(
            Effect.timeoutOrElse({
              duration: timeoutMs,
              orElse: () => drop(`the receiver gave no answer within ${timeoutMs} ms`)
            }),
            Effect.tap(({ status }) => (status >= 400 ? warn(`the receiver answered ${status}`) : Effect.void)),
            Effect.tapError(() => warn("the receiver cannot be reached")),
            Effect.onExit(() =>
              Effect.sync(() => {
                waiting -= 1
              })
            )
          )
        })
      )
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
