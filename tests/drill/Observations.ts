/** What an operator sees of the gateways: lines of their logs, answers of `/readyz`, values of `/metrics`. */
import { request } from "node:http"
import { text } from "node:stream/consumers"
import { Effect, Option, Schedule, Schema } from "effect"

export interface Line {
  readonly level: string
  readonly message: string
  /** Why, where the line says it apart: as text, or empty. */
  readonly reason: string
  readonly count: number
  /** The first line of this kind. */
  readonly example: string
}

export interface Range {
  readonly least: number
  readonly greatest: number
  readonly last: number
}

/** Everything of one incident. Lines are counted by what they say, so that a thousand equal ones take no more memory than one. */
export interface Observations {
  readonly lines: Map<string, Line>
  /** How often each gateway gave each answer: `gateway-1 200`. */
  readonly readiness: Map<string, number>
  /** By name and labels, over all gateways. */
  readonly metrics: Map<string, Range>
}

export interface Watched {
  readonly name: string
  readonly port: number
  readonly operatorPort: number
}

const mostKinds = 500
const longestExample = 1000
const lookEvery = "500 millis"
const timeoutMs = 3_000

export const make = (): Observations => ({ lines: new Map(), readiness: new Map(), metrics: new Map() })

/** A line of the log, as far as an operator reads it first. */
const Entry = Schema.fromJsonString(
  Schema.Struct({
    level: Schema.String,
    message: Schema.String,
    reason: Schema.optionalKey(Schema.String)
  })
)
const read = Schema.decodeUnknownOption(Entry)

const entryOf = (line: string) =>
  Option.match(read(line), {
    onNone: () => ({ level: "text", message: line, reason: "" }),
    onSome: ({ level, message, reason = "" }) => ({ level, message, reason })
  })

/** Counts a line of a log. Lines that differ in numbers only are of one kind. */
export const addLine = ({ lines }: Observations, line: string): void => {
  const { level, message, reason } = entryOf(line)
  const key = `${level} ${message} ${reason}`.replace(/\d+/g, "#")
  const existing = lines.get(key)
  if (existing === undefined && lines.size >= mostKinds) return
  const first = existing ?? { level, message, reason, example: line.slice(0, longestExample), count: 0 }
  lines.set(key, { ...first, count: first.count + 1 })
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** What the gateway on this port answers; status 0 if it does not answer in time. */
export const get = (port: number, path: string): Effect.Effect<Answer> =>
  Effect.callback<Answer>((resume) => {
    const none = () => resume(Effect.succeed({ status: 0, body: "" }))
    const sent = request({ host: "127.0.0.1", port, path, agent: false, timeout: timeoutMs }, (response) => {
      text(response).then((body) => resume(Effect.succeed({ status: response.statusCode ?? 0, body })), none)
    })
    sent.on("timeout", () => sent.destroy())
    sent.on("error", none)
    sent.end()
  })

const addMetrics = ({ metrics }: Observations, body: string): void => {
  for (const [, name = "", number = ""] of body.matchAll(/^(pay_\S+?(?:\{.*\})?) (\S+)$/gm)) {
    const value = Number(number)
    const range = metrics.get(name) ?? { least: value, greatest: value, last: value }
    metrics.set(name, {
      least: Math.min(range.least, value),
      greatest: Math.max(range.greatest, value),
      last: value
    })
  }
}

const look = (observations: Observations, { name, operatorPort, port }: Watched) =>
  Effect.gen(function* () {
    const looks = [get(port, "/readyz"), get(operatorPort, "/metrics")] as const
    const [ready, metrics] = yield* Effect.all(looks, { concurrency: 2 })
    const key = `${name} ${ready.status === 0 ? "no answer" : ready.status}`
    observations.readiness.set(key, (observations.readiness.get(key) ?? 0) + 1)
    if (metrics.status === 200) addMetrics(observations, metrics.body)
  })

/** Looks at each gateway, again and again, until the scope closes. `current` is where it writes; undefined: nowhere now. */
export const watch = (gateways: ReadonlyArray<Watched>, current: () => Observations | undefined) =>
  Effect.forEach(gateways, (gateway) =>
    Effect.forkScoped(
      Effect.repeat(
        Effect.suspend(() => {
          const observations = current()
          return observations === undefined ? Effect.void : look(observations, gateway)
        }),
        Schedule.spaced(lookEvery)
      )
    )
  )
