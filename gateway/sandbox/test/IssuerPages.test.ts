import { assert, describe, it } from "@effect/vitest"
import type { PageAnswer, PageRequest } from "@pay/gateway/Gateway"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import * as SandboxThreeDS from "../src/SandboxThreeDS.ts"
import { ThreeDSControl } from "../src/ThreeDSControl.ts"
import { begin, challenged, formOf, notificationUrl, numberOf, result, visit } from "./Paying.ts"

const world = () => SandboxThreeDS.layer()

const statusOf = (cres: string | undefined) => Result.getOrThrow(ThreeDS.cres.decode(cres ?? "")).transStatus

/** The fields of an action on the challenge page: `reload`, `cancel`, or the password that the customer types. */
const act = (action: string): Readonly<Record<string, string>> =>
  action === "reload" ? {} : action === "cancel" ? { action } : { action: "confirm", password: action }

/** What the page shows next: a CRes for the shop, or the password form again. */
const outcome = (page: PageAnswer | undefined): string => {
  const form = formOf(page)
  if (form === undefined) return "nothing"
  return form.fields.cres === undefined ? "asks" : (statusOf(form.fields.cres) ?? "nothing")
}

/** The actions of one customer, each with its outcome: a status in the CRes, or `asks`. Then the issuer's result. */
const visits = [
  ["approves after the right password", "reload → asks, hint → Y", "Y"],
  ["allows two wrong passwords before the right one", "wrong → asks, wrong → asks, hint → Y", "Y"],
  ["fails after the third wrong password", "wrong → asks, wrong → asks, wrong → N, hint → N", "N"],
  ["counts an empty password as wrong", " → asks", undefined],
  ["counts a longer password with the right beginning as wrong", "hints → asks", undefined],
  ["fails after a cancellation", "cancel → N, hint → N", "N"],
  ["keeps its first outcome when it is submitted or loaded again", "hint → Y, wrong → Y, reload → Y", "Y"]
] as const

describe("the challenge page", () => {
  it.effect.each(visits)("%s", ([, table, report]) =>
    Effect.gen(function* () {
      const { acsUrl, creq, serverTransId } = yield* challenged()
      const steps = table.split(", ").map((step) => step.split(" → "))
      const outcomes = yield* Effect.forEach(steps, ([action = ""]) =>
        Effect.map(visit(acsUrl, { creq, ...act(action) }), outcome)
      )
      assert.deepStrictEqual(
        outcomes,
        steps.map(([, expected]) => expected)
      )
      assert.strictEqual((yield* result(serverTransId))?.transStatus, report)
    }).pipe(Effect.provide(world()))
  )

  const automatic = [
    ["passes", "Y"],
    ["fails", "N"],
    ["abandons", "N"],
    ["forged", "Y"],
    ["leaves", "nothing"]
  ] as const
  it.effect.each(automatic)("answers without input for the card %s: %s", ([name, expected]) =>
    Effect.gen(function* () {
      const { acsUrl, creq } = yield* challenged(name)
      assert.strictEqual(outcome(yield* visit(acsUrl, { creq })), expected)
    }).pipe(Effect.provide(world()))
  )

  it.effect("posts to the notification URL unchanged, with the session data of the request", () =>
    Effect.gen(function* () {
      const { acsUrl, creq } = yield* challenged("passes")
      const form = formOf(yield* visit(acsUrl, { creq, threeDSSessionData: '"><script>' }))
      assert.strictEqual(form?.action, notificationUrl)
      assert.strictEqual(form?.fields.threeDSSessionData, '"><script>')
    }).pipe(Effect.provide(world()))
  )

  it.effect("keeps the fields of the request after a wrong password", () =>
    Effect.gen(function* () {
      const { acsUrl, creq } = yield* challenged()
      const form = formOf(yield* visit(acsUrl, { creq, threeDSSessionData: "kept", ...act("wrong") }))
      assert.deepStrictEqual(form?.fields, { creq, threeDSSessionData: "kept" })
    }).pipe(Effect.provide(world()))
  )

  it.effect("shows merchant, amount and card with markup escaped, and counts the tries left", () =>
    Effect.gen(function* () {
      const { acsUrl, creq } = yield* challenged()
      const first = (yield* visit(acsUrl, { creq }))?.body ?? ""
      for (const text of ["Tea &amp; &lt;Sons&gt;", "10.00 USD", "ending in 1111", '<label for="password">']) {
        assert.include(first, text)
      }
      assert.notInclude(first, 'role="alert"')
      assert.include((yield* visit(acsUrl, { creq, ...act("wrong") }))?.body ?? "", "Tries left: 2.")
    }).pipe(Effect.provide(world()))
  )

  const foreign = ["javascript:alert(1)", "https://user@shop.example/"]
  it.effect.each(foreign)("refuses the notification URL %j", (url) =>
    Effect.gen(function* () {
      const { acsUrl, creq } = yield* challenged("passes", url)
      const page = yield* visit(acsUrl, { creq })
      assert.strictEqual(page?.status, 400)
      assert.strictEqual(outcome(page), "nothing")
    }).pipe(Effect.provide(world()))
  )

  it.effect("refuses a request without a known transaction", () =>
    Effect.gen(function* () {
      const { acsUrl, creq } = yield* challenged()
      const own = Result.getOrThrow(ThreeDS.creq.decode(creq))
      const unknownRequests = [
        "",
        "not a creq",
        ThreeDS.creq.encode({ ...own, acsTransID: own.threeDSServerTransID }),
        ThreeDS.creq.encode({ ...own, threeDSServerTransID: own.acsTransID })
      ]
      for (const creq of unknownRequests) assert.strictEqual((yield* visit(acsUrl, { creq }))?.status, 400)
    }).pipe(Effect.provide(world()))
  )
})

describe("the method page", () => {
  const data = (serverTransId: string, url = "https://gateway.example/3ds/method") =>
    ThreeDS.methodData.encode({ threeDSServerTransID: serverTransId, threeDSMethodNotificationURL: url })

  const delays = [
    ["method-challenge", "at once"],
    ["method-slow", "after 15 s"],
    ["method-silent", "never"]
  ] as const
  it.effect.each(delays)("posts back for the card %s: %s", ([name, expected]) =>
    Effect.gen(function* () {
      const { methodUrl = "", serverTransId } = yield* begin(name)
      const visiting = yield* Effect.forkChild(visit(methodUrl, { threeDSMethodData: data(serverTransId) }), {
        startImmediately: true
      })
      const atOnce = visiting.pollUnsafe() !== undefined
      yield* TestClock.adjust("14999 millis")
      const stillWaiting = visiting.pollUnsafe() === undefined
      yield* TestClock.adjust("1 millis")
      const form = formOf(yield* Fiber.join(visiting))
      const when = atOnce ? "at once" : stillWaiting ? "after 15 s" : "early"
      assert.strictEqual(form === undefined ? "never" : when, expected)
      if (form === undefined) return
      assert.strictEqual(form.action, "https://gateway.example/3ds/method")
      assert.deepStrictEqual(Result.getOrThrow(ThreeDS.methodData.decode(form.fields.threeDSMethodData ?? "")), {
        threeDSServerTransID: serverTransId
      })
    }).pipe(Effect.provide(world()))
  )

  it.effect("records the visit with the transaction", () =>
    Effect.gen(function* () {
      const { methodUrl = "", serverTransId } = yield* begin("method-challenge")
      yield* visit(methodUrl, { threeDSMethodData: data(serverTransId) })
      const control = yield* ThreeDSControl
      assert.isTrue((yield* control.find("1"))?.methodSeen)
    }).pipe(Effect.provide(world()))
  )

  it.effect("refuses unknown transactions, and notification URLs that are not http or https", () =>
    Effect.gen(function* () {
      const { methodUrl = "", serverTransId } = yield* begin("method-challenge")
      const bad = [data(serverTransId, "javascript:alert(1)"), data("00000000-0000-4000-8000-000000000000"), "%", ""]
      for (const threeDSMethodData of bad) {
        assert.strictEqual(outcome(yield* visit(methodUrl, { threeDSMethodData })), "nothing")
      }
    }).pipe(Effect.provide(world()))
  )
})

describe("every page of the issuer", () => {
  it.effect("loads nothing from other origins, is not cached, and sends no referrer", () =>
    Effect.gen(function* () {
      const { acsUrl, creq } = yield* challenged()
      const page = yield* visit(acsUrl, { creq })
      const policy = page?.headers["content-security-policy"] ?? ""
      assert.include(policy, "default-src 'none'")
      assert.notInclude(policy, "unsafe")
      assert.strictEqual(page?.headers["cache-control"], "no-store")
      assert.strictEqual(page?.headers["referrer-policy"], "no-referrer")
      assert.notMatch(page?.body ?? "", /(src|href)=|\son\w+=|style="/)
    }).pipe(Effect.provide(world()))
  )

  const requests: ReadonlyArray<readonly [name: string, changes: Partial<PageRequest>, status: number | undefined]> = [
    ["answers a request from this machine", {}, 200],
    ["answers a request from this machine over IPv6", { remoteAddress: "::1" }, 200],
    ["answers a request from this machine with a mapped IPv4 address", { remoteAddress: "::ffff:127.0.0.1" }, 200],
    ["ignores a request from another machine", { remoteAddress: "192.0.2.7" }, undefined],
    ["ignores a request from 10.127.0.1", { remoteAddress: "10.127.0.1" }, undefined],
    ["ignores a request from this machine through a proxy", { headers: { "x-real-ip": "192.0.2.7" } }, undefined],
    ["refuses a GET", { method: "GET" }, 405],
    ["ignores a request for another page", { path: "/acs/other" }, undefined],
    ["ignores a request for a page of the gateway", { path: "/3ds/token" }, undefined],
    ["ignores a path that is the name of an object's property", { path: "constructor" }, undefined]
  ]
  it.effect.each(requests)("%s", ([, changes, status]) =>
    Effect.gen(function* () {
      const { acsUrl, creq } = yield* challenged()
      assert.strictEqual((yield* visit(acsUrl, { creq }, changes))?.status, status)
    }).pipe(Effect.provide(world()))
  )

  it.effect("has an address below the gateway's public address", () =>
    Effect.gen(function* () {
      const { acsUrl } = yield* challenged()
      assert.strictEqual(acsUrl, "https://pay.example/paynet/acs/challenge")
    }).pipe(Effect.provide(SandboxThreeDS.layer({ publicBaseUrl: () => "https://pay.example/paynet" })))
  )

  it("the documented cards for a challenge keep their numbers", () => {
    assert.deepStrictEqual(
      [numberOf("method-challenge"), numberOf("challenge")],
      ["4444000022224444", "4444000011118888"]
    )
  })
})
