/** Tests one request as one step: its fields and options, its waits, and the evidence of its outcome. */
import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { NotSent } from "@pay/transport/PayError"
import { Effect, Random, Result } from "effect"
import type { Settings } from "../src/engine/FlowSettings.ts"
import * as Steps from "../src/engine/Steps.ts"
import type * as Evidence from "../src/order/Evidence.ts"
import * as Ask from "../src/requests/Ask.ts"
import { create } from "./Creating.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { refusal, orderStatus, acknowledged, unknownOrder } = Script
const crowded = refusal(83, 429)
const paid = orderStatus("approved")
const order = { clientOrderId: "o-1", orderId: "7", status: "approved" }

const charge = { operation: PayApi.operations.REBILL, request: Script.chargeRequest, endpointId: undefined }
const send = (how: Ask.SendOptions = {}, endpointId?: string, trail: Evidence.Trail = []) =>
  Ask.send("ask", { ...charge, endpointId }, trail, how)

/** Runs a flow that cannot fail, and returns its value, its requests and its duration. */
const play = <A>(
  script: Script.Script,
  flow: Effect.Effect<A, never, PayClient.PayClient>,
  settings?: Partial<Settings>,
  profile?: Partial<GatewayProfile.GatewayProfile>
) =>
  Effect.map(
    Script.run(
      script,
      Effect.map(flow, (value) => ({ status: "", value })),
      settings,
      profile
    ),
    ({ requests, result, seconds }) => ({ requests, seconds, value: Result.getOrThrow(result).value })
  )

/** Runs an effect before each call of the flow's client, which may fail the call. */
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

describe("Ask sends a request with", () => {
  const rows: ReadonlyArray<
    readonly [what: string, flow: Effect.Effect<unknown, never, PayClient.PayClient>, request: object, options: object]
  > = [
    ["its fields", send(), Script.chargeRequest, { turnWithin }],
    ["the endpoint that the flow names", send({}, "5"), Script.chargeRequest, { turnWithin, endpointId: "5" }],
    ["the idempotency key", send({ idempotencyKey: "k" }), Script.chargeRequest, { turnWithin, idempotencyKey: "k" }],
    ["the merchant's order number", Ask.question({ clientOrderId: "o-1" }), named, { turnWithin }],
    [
      "the gateway's order number",
      Ask.question({ clientOrderId: "o-1", orderId: "7" }),
      { ...named, orderid: "7" },
      { turnWithin }
    ],
    [
      "the serial number of one request",
      Ask.question({ clientOrderId: "o-1", serialNumber: "s" }),
      { ...named, "by-request-sn": "s" },
      { turnWithin }
    ],
    [
      "the endpoint of the order",
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
        yield* play({ "make-rebill": [acknowledged], status: [paid] }, noting)
        assert.deepStrictEqual(values, [request, options])
      })
    )
})

describe("a refused request", () => {
  const isThere = Effect.succeed({ _tag: "Answered" as const, answer: { orderId: "9" } })
  const isUnknown = Effect.succeed(Ask.restarted(charge.operation))
  const refused = [refusal(1)]
  const rows: ReadonlyArray<
    readonly [
      what: string,
      says: ReadonlyArray<Script.Answer>,
      afterRefusal: NonNullable<Ask.SendOptions["afterRefusal"]>,
      end: string
    ]
  > = [
    ["fails as Refused if no order is found", refused, Effect.undefined, "Refused"],
    ["succeeds if its order is found", refused, isThere, "9"],
    ["has an unknown outcome if the lookup has no result", refused, isUnknown, "OutcomeUnknown"],
    ["is sent again without a lookup if it exceeded a rate limit", [crowded, acknowledged], isThere, "7"]
  ]
  for (const [what, says, afterRefusal, end] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const { value } = yield* play({ "make-rebill": says }, send({ afterRefusal }))
        assert.strictEqual(value.ended._tag === "Answered" ? value.ended.answer.orderId : value.ended._tag, end)
      })
    )
})

/** Fixes the random part of each wait: 0 for none, almost 1 for the longest. */
const byChance = (chance: number) =>
  Effect.provideService(Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => chance })

describe("a request beyond the rate limit", () => {
  /** The first call fails with this reason before it is sent. */
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
  const five = [crowded, crowded, crowded, crowded, crowded, acknowledged]
  const rows: ReadonlyArray<
    readonly [
      what: string,
      says: ReadonlyArray<Script.Answer>,
      flow: ReturnType<typeof send>,
      end: string,
      seconds: number,
      longestThrottle?: Settings["longestThrottle"]
    ]
  > = [
    ["waits for the time that the gateway names", [crowded, acknowledged], byChance(0)(send()), "Answered", 7],
    ["waits up to longestThrottle", [crowded, acknowledged], byChance(0)(send()), "Answered", 7, "7 seconds"],
    [
      "is refused at once if that is longer than longestThrottle",
      [crowded, acknowledged],
      byChance(0)(send()),
      "Refused",
      0,
      "6999 millis"
    ],
    ["adds a random delay that grows to at most ten seconds", five, byChance(1 - 1e-9)(send()), "Answered", 60],
    ["waits for its turn under the client's own limit", [acknowledged], byChance(0)(limited("Limited")), "Answered", 3],
    ["does not wait for an unreachable gateway", [acknowledged], byChance(0)(limited("Unreachable")), "NotSent", 0]
  ]
  for (const [what, says, flow, end, seconds, longestThrottle = "1 hour"] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const outcome = yield* play({ "make-rebill": says }, flow, { longestThrottle })
        assert.deepStrictEqual([outcome.value.ended._tag, outcome.seconds], [end, seconds])
      })
    )

  it.effect("is recorded with its reason if it should create an order", () =>
    Effect.gen(function* () {
      const run = Earlier.runAfter()
      const late = new NotSent({ operation: "STATUS", reason: "Limited", code: "LIMITED" })
      const flow = through(create({}, run), () => Effect.fail(late))
      const outcome = yield* Script.run({}, flow, { longestThrottle: 0 }, {})
      assert.strictEqual(outcome.end, "Unreachable")
      assert.deepNestedInclude(run.written.get("make"), { "ended.operation": "REBILL", "ended.reason": "Limited" })
    })
  )
})

describe("the evidence of a request", () => {
  const written = (answer: object) => ({
    ask: { requestedAtMs: 0, isBegunBefore: false, ended: { _tag: "Answered", answer } }
  })
  const key = { idempotencyKey: "k" }
  const answered = { operation: "REBILL", answer: "Answered" }
  const serialNumber = "00000000-0000-0000-0000-000000000001"
  const rows: ReadonlyArray<
    readonly [
      what: string,
      record: Earlier.Record,
      says: Script.Answer,
      how: Ask.SendOptions,
      evidence: Omit<Evidence.Evidence, "requestedAtMs">
    ]
  > = [
    ["has both numbers of an answer", {}, acknowledged, {}, { ...answered, orderId: "7", serialNumber }],
    ["has the idempotency key", {}, acknowledged, key, { ...answered, ...key, orderId: "7", serialNumber }],
    ["has only the operation if the answer has no number", written({}), acknowledged, {}, answered],
    [
      "has the status of an order that was found",
      written({ orderId: "7", existingOrder: order }),
      acknowledged,
      {},
      { operation: "STATUS", answer: "Answered: approved", orderId: "7" }
    ],
    [
      "has the reason of a refusal",
      {},
      refusal(1),
      {},
      { operation: "REBILL", answer: "Refused: REBILL was refused (400): no", serialNumber }
    ]
  ]
  for (const [what, record, says, how, evidence] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const trail: Evidence.Trail = []
        const { steps } = Earlier.runAfter(record)
        yield* play({ "make-rebill": [says] }, Effect.provideService(send(how, undefined, trail), Steps.Steps, steps))
        assert.deepStrictEqual(trail, [{ requestedAtMs: 0, ...evidence }])
      })
    )
})

describe("a status call returns", () => {
  const ours = GatewayProfile.ours
  const rows: ReadonlyArray<
    readonly [what: string, says: Script.Answer, profile: Partial<GatewayProfile.GatewayProfile>, answer: object]
  > = [
    ["the order", paid, ours, {}],
    ["the order without a stage", paid, { ...ours, showsOrderStage: false }, { isStageless: true }],
    [
      "the next action of the browser",
      orderStatus("approved", { "redirect-to": "https://bank.example/" }),
      ours,
      { nextAction: { _tag: "Redirect", url: "https://bank.example/" } }
    ]
  ]
  for (const [what, says, profile, answer] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const { value } = yield* play({ status: [says] }, Ask.question({ clientOrderId: "o-1" }), {}, profile)
        assert(value.ended._tag === "Answered")
        assert.deepStrictEqual(value.ended.answer, {
          order: { ...order, currency: "USD" },
          isStageless: false,
          ...answer
        })
      })
    )

  const absences: ReadonlyArray<
    readonly [what: string, says: Script.Answer, isAbsent: boolean, profile?: Partial<GatewayProfile.GatewayProfile>]
  > = [
    ["that an unknown order is absent", unknownOrder, true],
    ["that an order is not absent after another refusal", refusal(1), false],
    ["that an order is not absent if the gateway does not define that code", unknownOrder, false, {}],
    ["that an order that is found is not absent", paid, false],
    ["that an order is not absent after a lost answer", "lost", false]
  ]
  for (const [what, says, isAbsent, profile] of absences)
    it.effect(what, () =>
      Effect.gen(function* () {
        const { value } = yield* play(
          { status: [says] },
          Ask.status("status", { clientOrderId: "o-1" }, []),
          {},
          profile
        )
        assert.strictEqual(value.isAbsent, isAbsent)
      })
    )
})
