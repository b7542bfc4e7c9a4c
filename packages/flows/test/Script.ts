/** A scripted gateway: it gives the answers of each path in order, and repeats the last one. Time passes at once. */
import { assert } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Clock, Duration, Effect, Layer, Redacted, Result } from "effect"
import * as Clocks from "../../schema/test/Clocks.ts"
import * as TextTable from "../../schema/test/TextTable.ts"
import { CustomerBrowser } from "../src/browser/CustomerBrowser.ts"
import * as FieldNames from "../src/engine/FieldNames.ts"
import { FlowEngine } from "../src/engine/FlowEngine.ts"
import * as FlowSettings from "../src/engine/FlowSettings.ts"
import * as MemoryEngine from "../src/engine/MemoryEngine.ts"
import * as Steps from "../src/engine/Steps.ts"

type Body = Readonly<Record<string, unknown>>

/** `lost`: the request may have arrived. `notSent`: it did not arrive. */
export type Answer =
  | "lost"
  | "notSent"
  | { readonly status: number; readonly body: Body; readonly retryAfter?: string; readonly announces?: string }
  | Page

/** A page that another server sends in the place of the gateway. */
interface Page {
  readonly status: number
  readonly page: string
}

const order = { "merchant-order-id": "o-1" }

/** The charge of a stored card, as a request to the gateway. */
export const chargeRequest = {
  client_orderid: "o-1",
  cardrefid: "7",
  amount: "1.00",
  currency: "USD",
  order_desc: "x",
  ipaddress: "203.0.113.7"
}

/** The payload of the same charge. */
export const charge = FieldNames.renamed(chargeRequest)

/** The acknowledgement of a request. */
export const acknowledged: Answer = { status: 200, body: { type: "async-response", "paynet-order-id": "7", ...order } }

/** The answer to a status call. */
export const orderStatus = (status: string, more: Body = {}): Answer => ({
  status: 200,
  body: { type: "status-response", "paynet-order-id": "7", currency: "USD", status, ...order, ...more }
})

export const refusal = (code: number, status = 400, retryAfter = "7"): Answer => ({
  status,
  body: { type: "validation-error", "error-code": String(code), "error-message": "no", ...order },
  ...(status === 429 ? { retryAfter } : {})
})

export const unknownOrder = refusal(54)

const answers: Readonly<Record<string, Answer>> = {
  ...{ acknowledged, lost: "lost", "not sent": "notSent", absent: unknownOrder },
  ...{ limited: refusal(83, 429), "limited for 2 h": refusal(83, 429, "7200") },
  ...{ processing: orderStatus("processing"), approved: orderStatus("approved"), declined: orderStatus("declined") }
}

/** The answers that a cell of a table names: `lost, refused 55 ×6, absent`. A test can add names of its own. */
export const answersOf = (cell: string, own: Readonly<Record<string, Answer>> = {}): ReadonlyArray<Answer> => {
  const refusals = [...cell.matchAll(/refused (\d+)/g)].map(([name, code]) => [name, refusal(Number(code))] as const)
  const names = cell.replace(/([^,]+) ×(\d+)/g, (_, name, count) => Array(Number(count)).fill(name).join())
  return TextTable.list({ ...answers, ...Object.fromEntries(refusals), ...own }, names.replace(/, */g, ", "))
}

/** The requests as a cell of a table lists them: `sale, status ×2`. */
export const counted = (requests: ReadonlyArray<string>): string =>
  requests.join(", ").replace(/([^, ]+)(?:, \1(?=,|$))+/g, (run, name) => `${name} ×${run.split(", ").length}`)

/** The answers by the last part of the path: `sale`, `status`. */
export type Script = Readonly<Record<string, ReadonlyArray<Answer>>>

export interface Outcome<A, E> {
  readonly result: Result.Result<A, E>
  /** The status that the flow gives, or the tag of its error. */
  readonly end: string
  /** `sale`, `status`, `capture key`: every request that was tried, in order. */
  readonly requests: ReadonlyArray<string>
  readonly keys: ReadonlyArray<string>
  /** The path and the body of each request. */
  readonly forms: ReadonlyArray<readonly [path: string, body: string]>
  readonly seconds: number
}

/** The client's clock: its deadlines are real, and its pauses between repeats are skipped. */
const clientClock = Clocks.sleepingAs((duration) =>
  Duration.toMillis(duration) < 1000 ? Effect.yieldNow : Clocks.wall.sleep(duration)
)

/** Refuses a step name that was used before, because a durable engine could not distinguish the two steps. */
const strict = (): Steps.Shape => {
  const memory = Steps.makeMemory()
  const names = new Set<string>()
  const once = <A>(name: string, value: A): A => {
    assert.isFalse(names.has(name), `two steps are called "${name}"`)
    names.add(name)
    return value
  }
  return {
    ...memory,
    step: (name, schemas, effect) => once(name, memory.step(name, schemas, effect)),
    sleep: (name, duration) => once(name, memory.sleep(name, duration)),
    awaitSignal: (name, awaited) => once(name, memory.awaitSignal(name, awaited))
  }
}

/** The profile of our gateway without idempotency keys. */
export const keyless: Partial<GatewayProfile.GatewayProfile> = { ...GatewayProfile.ours, honoursIdempotencyKey: false }

/** What a scripted flow may need. */
export type Context = PayClient.PayClient | CustomerBrowser | FlowEngine

/** Runs a flow at a scripted gateway. The client knows the profile, unless the answers of the script announce another one. */
export const run = <A extends { readonly status: string }, E extends { readonly _tag: string }>(
  script: Script,
  flow: Effect.Effect<A, E, Context>,
  settings: Partial<FlowSettings.Settings> = {},
  profile: Partial<GatewayProfile.GatewayProfile> = GatewayProfile.ours,
  privateKey?: Redacted.Redacted<string>
): Effect.Effect<Outcome<A, E>> =>
  Effect.gen(function* () {
    const requests: Array<string> = []
    const keys: Array<string> = []
    const forms: Array<readonly [string, string]> = []
    const left = new Map(Object.entries(script).map(([path, says]) => [path, [...says]]))
    let nowMs = 0
    const clock = Clocks.make({
      nowMs: () => nowMs,
      sleep: (duration) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => {
            nowMs += Duration.toMillis(duration)
          })
        )
    })
    const answer = ({ body, headers, url }: Wire.WireRequest) =>
      Effect.suspend(() => {
        const path = url.split("/").at(-2) ?? ""
        const says = left.get(path) ?? []
        const say = says.length > 1 ? says.shift() : says[0]
        assert(say !== undefined, `nothing is scripted for ${path}`)
        requests.push(path)
        forms.push([path, body])
        keys.push(headers["idempotency-key"] ?? "")
        if (say === "lost") return Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" }))
        if (say === "notSent") return Effect.fail(new Wire.WireError({ reason: "NotSent", code: "ECONNREFUSED" }))
        if ("page" in say) return Effect.succeed({ status: say.status, headers: {}, body: say.page })
        const { announces, retryAfter, status } = say
        // Each answer has its own serial number.
        const numbered = {
          ...say.body,
          "serial-number": `00000000-0000-0000-0000-${String(requests.length).padStart(12, "0")}`
        }
        const reply = { status, body: JSON.stringify(numbered) }
        return Effect.succeed({ ...reply, headers: { "retry-after": retryAfter, [GatewayProfile.header]: announces } })
      })
    const client = yield* PayClient.make({
      baseUrl: "http://localhost",
      login: "shop",
      controlKey: Redacted.make("key"),
      endpointId: "1",
      profile,
      ...(privateKey === undefined ? {} : { privateKey })
    }).pipe(Effect.provide(Wire.layerInProcess(answer)), Effect.orDie)
    const steps = strict()
    const result = yield* flow.pipe(
      Effect.result,
      // No other program acts on the order of the script.
      FlowSettings.changed({ actsAlone: true, ...settings }),
      Effect.provideService(Clock.Clock, clock),
      Effect.provideService(Steps.Steps, steps),
      Effect.provideService(FlowEngine, MemoryEngine.make(steps)),
      Effect.provide(
        Layer.mergeAll(
          Layer.succeed(PayClient.PayClient, PayClient.around(client, Effect.provideService(Clock.Clock, clientClock))),
          Layer.succeed(CustomerBrowser, { send: () => Effect.void })
        )
      )
    )
    const end = Result.isSuccess(result) ? result.success.status : result.failure._tag
    return { result, end, requests, keys, forms, seconds: nowMs / 1000 }
  })
