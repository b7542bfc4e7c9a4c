import { describe, expect, it } from "@effect/vitest"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import { NotSent, Refused } from "@pay/transport/PayError"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type Watched, watch } from "../src/request/Watch.ts"

const answer = (status: string, more: Partial<StatusResponse> = {}): StatusResponse => ({
  type: "status-response",
  "serial-number": "00000000-0000-0000-0000-000000000001",
  "paynet-order-id": "1",
  "merchant-order-id": "A",
  status,
  ...more
})

const notSent = new NotSent({ operation: "STATUS", reason: "Unreachable", code: "ECONNREFUSED" })
const tooMany = new Refused({ operation: "STATUS", status: 429, errors: [], retryAfterMs: 60_000 })
const unknownOrder = new Refused({ operation: "STATUS", status: 400, errors: [] })

type Reply = StatusResponse | NotSent | Refused

/** Watches a gateway that gives these answers in turn, the last one for ever, for so long. */
const watching = (replies: ReadonlyArray<Reply>, time: `${number} minutes`) =>
  Effect.gen(function* () {
    const askedAt: Array<number> = []
    const messages: Array<string> = []
    let turn = 0
    const ask = Effect.gen(function* () {
      askedAt.push(yield* Clock.currentTimeMillis)
      const reply = replies[Math.min(turn++, replies.length - 1)] ?? answer("processing")
      return "_tag" in reply ? yield* reply : reply
    })
    const fiber = yield* Effect.forkChild(
      Effect.result(
        watch(ask, {
          onChange: ({ status }, before) => messages.push(`${before?.status ?? "first"} → ${status}`),
          onMissed: ({ _tag }) => messages.push(_tag)
        })
      )
    )
    yield* TestClock.adjust(time)
    const ended = fiber.pollUnsafe() === undefined ? undefined : yield* Fiber.join(fiber)
    const result: Watched | Reply | undefined =
      ended === undefined
        ? undefined
        : ended._tag === "Success"
          ? ended.success
          : replies.find((reply) => reply === ended.failure)
    const gaps = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0))
    return { askedAt, gaps, messages, result }
  })

describe("watching an order", () => {
  it.effect("ends with the final status and reports each change once", () =>
    Effect.gen(function* () {
      const moving = [answer("processing"), answer("processing", { "serial-number": "2" }), answer("unknown")]
      const { result, messages } = yield* watching([...moving, answer("approved")], "1 minutes")
      expect(messages).toEqual(["first → processing", "processing → unknown", "unknown → approved"])
      expect(result).toMatchObject({ isFinal: true, answer: { status: "approved" } })
    })
  )

  it.effect("requests the status once if the first answer is final", () =>
    Effect.gen(function* () {
      const { askedAt } = yield* watching([answer("declined")], "1 minutes")
      expect(askedAt).toHaveLength(1)
    })
  )

  it.effect("requests the status every 3 to 5 seconds for five minutes, then every 5 to 10 minutes", () =>
    Effect.gen(function* () {
      const { askedAt, gaps } = yield* watching([answer("processing")], "40 minutes")
      const soon = gaps.filter((_, index) => (askedAt[index] ?? 0) < 300_000)
      const later = gaps.slice(soon.length)
      expect(soon.length).toBeGreaterThanOrEqual(60)
      for (const gap of soon) expect(gap >= 3000 && gap <= 5000).toBe(true)
      expect(later.length).toBeGreaterThanOrEqual(3)
      for (const gap of later) expect(gap >= 300_000 && gap <= 600_000).toBe(true)
    })
  )

  it.effect("does not give up before an hour without change", () =>
    Effect.gen(function* () {
      const early = yield* watching([answer("processing")], "59 minutes")
      expect(early.result).toBeUndefined()
    })
  )

  it.effect("gives up after an hour without change", () =>
    Effect.gen(function* () {
      const late = yield* watching([answer("processing")], "71 minutes")
      expect(late.result).toMatchObject({ isFinal: false, answer: { status: "processing" } })
    })
  )

  it.effect("continues after a failed request if a status is already known", () =>
    Effect.gen(function* () {
      const { result, messages } = yield* watching([answer("processing"), notSent, answer("approved")], "1 minutes")
      expect(messages).toEqual(["first → processing", "NotSent", "processing → approved"])
      expect(result).toMatchObject({ isFinal: true })
    })
  )

  it.effect("waits as long as the gateway's retry-after says", () =>
    Effect.gen(function* () {
      const { gaps } = yield* watching([answer("processing"), tooMany, answer("approved")], "3 minutes")
      expect(gaps[1]).toBeGreaterThanOrEqual(63_000)
    })
  )

  it.effect.each([
    ["the first request cannot be sent", [notSent]],
    ["the gateway refuses", [answer("processing"), unknownOrder]]
  ] as const)("fails if %s", ([, replies]) =>
    Effect.gen(function* () {
      const { result } = yield* watching(replies, "1 minutes")
      expect(result).toBe(replies.at(-1))
    })
  )
})
