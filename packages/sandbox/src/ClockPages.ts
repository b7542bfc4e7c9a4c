/**
 * The sandbox's clock over HTTP: `GET /sandbox/clock`, `POST /sandbox/clock/advance?by=45d`, `POST /sandbox/clock/reset`. For
 * whoever may operate the gateway; a production gateway has nothing there.
 */
import { Agenda } from "@pay/gateway/Agenda"
import * as Operators from "@pay/gateway/Operators"
import { FurtherPages, type PageAnswer, type PageHandler } from "@pay/gateway/Pages"
import { Settings } from "@pay/gateway/Settings"
import { Clock, DateTime, Effect, Layer } from "effect"
import { SandboxClock } from "./SandboxClock.ts"

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `45d`, `12h`, `30m`, `10s`; undefined for anything else. */
const durationMs = (text: string | null): number | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text ?? "") ?? []
  return count === undefined ? undefined : Number(count) * (unitMs[unit] ?? 0)
}

const json = (status: number, body: object): PageAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
  body: `${JSON.stringify(body)}\n`
})

const path = "/sandbox/clock"

const make = Effect.gen(function* () {
  const clock = yield* SandboxClock
  const agenda = yield* Agenda
  const operators = yield* Operators.Operators
  const { publicBaseUrl } = yield* Settings

  const look = Effect.gen(function* () {
    const offsetMs = yield* clock.offsetMs
    return json(200, { now: DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis)), offsetMs })
  })

  const advance = (by: string | null) => {
    const ms = durationMs(by)
    return ms === undefined
      ? Effect.succeed(json(400, { error: "by= says how far, as in 45d, 12h, 30m or 10s" }))
      : clock.advance(ms, agenda).pipe(
          Effect.andThen(look),
          Effect.catchTag("AdvanceRefused", ({ message }) => Effect.succeed(json(400, { error: message })))
        )
  }

  const handler: PageHandler = (request) => {
    const { method, query } = request
    if (request.path !== path && !request.path.startsWith(`${path}/`)) return Effect.succeed(undefined)
    const admitted = Operators.admission(request, operators, publicBaseUrl)
    if (admitted._tag === "Hidden") return Effect.succeed(undefined)
    if (admitted._tag === "TokenNeeded") return Effect.succeed(json(401, { error: "give the operator's token" }))
    switch (`${method} ${request.path.slice(path.length)}`) {
      case "GET ":
        return look
      case "POST /advance":
        return advance(new URLSearchParams(query).get("by"))
      case "POST /reset":
        return Effect.andThen(clock.reset, look)
      default:
        return Effect.succeed(json(404, { error: "there is nothing here" }))
    }
  }
  return handler
})

/** Before whatever further pages the context has. */
export const layer = Layer.effect(
  FurtherPages,
  Effect.gen(function* () {
    const others = yield* FurtherPages
    return [yield* make, ...others]
  })
)
