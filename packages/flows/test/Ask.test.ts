/** One request as one step: what it is sent with, when it waits, and what is told of how it ended. */
import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { NotSent, OutcomeUnknown } from "@pay/transport/PayError"
import { Effect, Random, Result } from "effect"
import * as Ask from "../src/Ask.ts"
import type * as Evidence from "../src/Evidence.ts"
import type { Settings } from "../src/FlowSettings.ts"
import * as Steps from "../src/Steps.ts"
import { create } from "./Creating.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { refuses, stands, taken, unheardOf } = Script
const crowded = refuses(83, 429)
const paid = stands("approved")
const order = { clientOrderId: "o-1", orderId: "7", status: "approved" }

const charge = { operation: PayApi.operations.REBILL, request: Script.chargeRequest, endpointId: undefined }
const send = (how: Ask.How = {}, endpointId?: string, trail: Evidence.Trail = []) =>
  Ask.send("ask", { ...charge, endpointId }, trail, how)

/** What the flow gives, and how long it takes. */
const play = <A>(
  script: Script.Script,
  flow: Effect.Effect<A, never, PayClient.PayClient>,
  settings?: Partial<Settings>,
  profile?: Partial<GatewayProfile.GatewayProfile>
) =>
  Effect.map(
    Script.play(
      script,
      Effect.map(flow, (value) => ({ status: "", value })),
      settings,
      profile
    ),
    ({ requests, result, seconds }) => ({ requests, seconds, value: Result.getOrThrow(result).value })
  )

/** The flow with a client whose calls are seen, or answered, before they are sent. */
const through = <A, E, R>(
  flow: Effect.Effect<A, E, R>,
  before: (request: object, options: PayClient.CallOptions | undefined) => Effect.Effect<void, NotSent>
) =>
  Effect.flatMap(PayClient.PayClient, (client) => {
    const call: PayClient.Shape["call"] = (operation, request, options) =>
      Effect.andThen(before(request, options), client.call(operation, request, options))
    const status: PayClient.Shape["status"] = (request, options) =>
      Effect.andThen(before(request, options), client.status(request, options))
    return Effect.provideService(flow, PayClient.PayClient, { ...client, call, status })
  })

const turnWithin = "1 hour"
const named = { client_orderid: "o-1" }

describe("a request is sent with", () => {
  const rows: ReadonlyArray<
    readonly [what: string, flow: Effect.Effect<unknown, never, PayClient.PayClient>, request: object, options: object]
  > = [
    ["what is asked for", send(), Script.chargeRequest, { turnWithin }],
    ["an endpoint", send({}, "5"), Script.chargeRequest, { turnWithin, endpointId: "5" }],
    ["a key", send({ idempotencyKey: "k" }), Script.chargeRequest, { turnWithin, idempotencyKey: "k" }],
    ["the number of the order", Ask.question({ clientOrderId: "o-1" }), named, { turnWithin }],
    [
      "the gateway's number of the order",
      Ask.question({ clientOrderId: "o-1", orderId: "7" }),
      { ...named, orderid: "7" },
      { turnWithin }
    ],
    [
      "the number of one request about the order",
      Ask.question({ clientOrderId: "o-1", serialNumber: "s" }),
      { ...named, "by-request-sn": "s" },
      { turnWithin }
    ],
    [
      "an endpoint of the order",
      Ask.question({ clientOrderId: "o-1", endpointId: "5" }),
      named,
      { turnWithin, endpointId: "5" }
    ]
  ]
  for (const [what, flow, request, options] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const values: Array<unknown> = []
        const noting = through(flow, (...call) => Effect.sync(() => values.push(...call)))
        yield* play({ "make-rebill": [taken], status: [paid] }, noting)
        assert.deepStrictEqual(values, [request, options])
      })
    )
})

describe("a request that was refused", () => {
  const isThere = Effect.succeed({ _tag: "Answered" as const, answer: { orderId: "9" } })
  const isUnknown = Effect.succeed(Ask.restarted(charge.operation))
  const refused = [refuses(1)]
  const rows: ReadonlyArray<
    readonly [what: string, says: ReadonlyArray<Script.Say>, doubt: NonNullable<Ask.How["doubt"]>, end: string]
  > = [
    ["is refused where nothing is found", refused, Effect.undefined, "Refused"],
    ["has been done where it is found", refused, isThere, "9"],
    ["may have been done where nobody says so", refused, isUnknown, "OutcomeUnknown"],
    ["as one too many is sent again, and not looked for", [crowded, taken], isThere, "7"]
  ]
  for (const [what, says, doubt, end] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const { value } = yield* play({ "make-rebill": says }, send({ doubt }))
        assert.strictEqual(value.ended._tag === "Answered" ? value.ended.answer.orderId : value.ended._tag, end)
      })
    )
})

/** Waits are spread by chance: by nothing at all, or by the most there can be. */
const byChance = (chance: number) =>
  Effect.provideService(Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => chance })

describe("a request that was one too many", () => {
  /** The first call ends so before it is sent. */
  const limited = (reason: NotSent["reason"]) =>
    Effect.suspend(() => {
      const errors = [new NotSent({ operation: "REBILL", reason, code: "x", retryAfterMs: 3000 })]
      return through(
        send(),
        Effect.fnUntraced(function* () {
          const error = errors.pop()
          if (error !== undefined) return yield* error
        })
      )
    })
  const five = [crowded, crowded, crowded, crowded, crowded, taken]
  const rows: ReadonlyArray<
    readonly [
      what: string,
      says: ReadonlyArray<Script.Say>,
      flow: ReturnType<typeof send>,
      end: string,
      seconds: number,
      longestThrottle?: Settings["longestThrottle"]
    ]
  > = [
    ["waits as long as it is told", [crowded, taken], byChance(0)(send()), "Answered", 7],
    ["waits as long as it may", [crowded, taken], byChance(0)(send()), "Answered", 7, "7 seconds"],
    ["waits no longer than it may", [crowded, taken], byChance(0)(send()), "Refused", 0, "6999 millis"],
    ["waits longer each time, up to ten seconds more", five, byChance(1 - 1e-9)(send()), "Answered", 60],
    ["by the client's own limit waits for its turn", [taken], byChance(0)(limited("Limited")), "Answered", 3],
    ["waits for nothing that cannot be reached", [taken], byChance(0)(limited("Unreachable")), "NotSent", 0]
  ]
  for (const [what, says, flow, end, seconds, longestThrottle = "1 hour"] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const played = yield* play({ "make-rebill": says }, flow, { longestThrottle })
        assert.deepStrictEqual([played.value.ended._tag, played.seconds], [end, seconds])
      })
    )

  it.effect("says so of the order that it was to make", () =>
    Effect.gen(function* () {
      const run = Earlier.after()
      const late = new NotSent({ operation: "STATUS", reason: "Limited", code: "LIMITED" })
      const flow = through(create({}, run), () => Effect.fail(late))
      const played = yield* Script.play({}, flow, { longestThrottle: 0 }, {})
      assert.strictEqual(played.end, "Unreachable")
      assert.deepNestedInclude(run.written.get("make"), { "ended.operation": "REBILL", "ended.reason": "Limited" })
    })
  )
})

describe("a request is told as", () => {
  const written = (answer: object) => ({ ask: { askedAtMs: 0, ended: { _tag: "Answered", answer } } })
  const key = { idempotencyKey: "k" }
  const answered = { operation: "REBILL", answer: "Answered" }
  const serialNumber = "00000000-0000-0000-0000-000000000001"
  const rows: ReadonlyArray<
    readonly [
      what: string,
      record: Earlier.Record,
      says: Script.Say,
      how: Ask.How,
      evidence: Omit<Evidence.Evidence, "askedAtMs">
    ]
  > = [
    ["answered", {}, taken, {}, { ...answered, orderId: "7", serialNumber }],
    ["answered, under its key", {}, taken, key, { ...answered, ...key, orderId: "7", serialNumber }],
    ["answered, without any number", written({}), taken, {}, answered],
    [
      "found",
      written(
        Object.fromEntries([
          ["orderId", "7"],
          ["found", order]
        ])
      ),
      taken,
      {},
      { operation: "STATUS", answer: "Answered: approved", orderId: "7" }
    ],
    [
      "refused",
      {},
      refuses(1),
      {},
      { operation: "REBILL", answer: "Refused: REBILL was refused (400): no", serialNumber }
    ]
  ]
  for (const [what, record, says, how, evidence] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const trail: Evidence.Trail = []
        const { steps } = Earlier.after(record)
        yield* play({ "make-rebill": [says] }, Effect.provideService(send(how, undefined, trail), Steps.Steps, steps))
        assert.deepStrictEqual(trail, [{ askedAtMs: 0, ...evidence }])
      })
    )
})

describe("a question is answered with", () => {
  const ours = GatewayProfile.ours
  const rows: ReadonlyArray<
    readonly [what: string, says: Script.Say, profile: Partial<GatewayProfile.GatewayProfile>, answer: object]
  > = [
    ["how the order stands", paid, ours, {}],
    ["how it stands, of which no stage is told", paid, { ...ours, showsOrderStage: false }, { isStageless: true }],
    [
      "what the browser has to do",
      stands("approved", { "redirect-to": "https://bank.example/" }),
      ours,
      { nextAction: { _tag: "Redirect", url: "https://bank.example/" } }
    ]
  ]
  for (const [what, says, profile, answer] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const { value } = yield* play({ status: [says] }, Ask.question({ clientOrderId: "o-1" }), {}, profile)
        assert(value.ended._tag === "Answered")
        assert.deepStrictEqual(value.ended.answer, { order: { ...order, currency: "USD" }, ...answer })
      })
    )

  const unknown = new OutcomeUnknown({ operation: "STATUS", reason: "Deadline", code: "x", retryable: true })
  const absences: ReadonlyArray<
    readonly [
      what: string,
      says: Script.Say,
      record: unknown,
      isAbsent: boolean,
      isFormer: boolean,
      profile?: Partial<GatewayProfile.GatewayProfile>
    ]
  > = [
    ["no such order", unheardOf, undefined, true, false],
    ["a refusal", refuses(1), undefined, false, false],
    ["what another gateway means by that refusal", unheardOf, undefined, false, false, {}],
    ["an order", paid, undefined, false, false],
    ["nothing", "lost", undefined, false, false],
    ["no such order, as a former version took it", paid, Earlier.refusedBefore(54), true, true],
    ["a refusal of a former version", paid, Earlier.refusedBefore(1), false, true],
    ["nothing to a former version", paid, { askedAtMs: 0, ended: { ...unknown } }, false, false]
  ]
  for (const [what, says, record, isAbsent, isFormer, profile] of absences)
    it.effect(what, () =>
      Effect.gen(function* () {
        const { steps } = Earlier.after(record === undefined ? {} : { look: record })
        const flow = Effect.provideService(Ask.status("look", { clientOrderId: "o-1" }, []), Steps.Steps, steps)
        const { value } = yield* play({ status: [says] }, flow, {}, profile)
        assert.deepStrictEqual([value.isAbsent, value.isFormer], [isAbsent, isFormer])
      })
    )
})
