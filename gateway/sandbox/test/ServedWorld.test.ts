/** A bank world that is reached over HTTP: what holds for one in the gateway's process holds for it too. */
import { assert, describe, it } from "@effect/vitest"
import { Acquirer } from "@pay/gateway/Acquirer"
import { BankBooks, RailBooks } from "@pay/gateway/BankBooks"
import { Destination, PayoutRail } from "@pay/gateway/PayoutRail"
import { ThreeDSServer } from "@pay/gateway/ThreeDSServer"
import { Clock, Context, Duration, Effect, Exit, Fiber, Layer, Redacted, Schedule, Scope } from "effect"
import { serve } from "../../../packages/schema/test/Loopback.ts"
import * as AcquirerContract from "../src/AcquirerContract.ts"
import * as BankBooksContract from "../src/BankBooksContract.ts"
import * as PayoutRailContract from "../src/PayoutRailContract.ts"
import * as SandboxClock from "../src/SandboxClock.ts"
import { SandboxControl } from "../src/SandboxControl.ts"
import * as SandboxWorld from "../src/SandboxWorld.ts"
import * as Portable from "../src/served/Portable.ts"
import * as WorldClient from "../src/served/WorldClient.ts"
import * as WorldServer from "../src/served/WorldServer.ts"
import * as TestRecipients from "../src/TestRecipients.ts"
import * as ThreeDSServerContract from "../src/ThreeDSServerContract.ts"
import { authorization, card, inquiry } from "./Inquiry.ts"
import { browser, notificationUrl, numberOf } from "./Paying.ts"

/** The ports of a world of its own, over HTTP. */
const client = (options?: WorldServer.Options) =>
  Layer.unwrap(
    Effect.map(Layer.build(WorldServer.layer(options)), (world) =>
      WorldClient.layer(Context.get(world, WorldServer.WorldServer).url)
    )
  )

/** One world and so many gateways' views of it. */
const together = Effect.fnUntraced(function* (options?: WorldServer.Options) {
  const world = yield* Layer.build(WorldServer.layer(options))
  const { url } = Context.get(world, WorldServer.WorldServer)
  return { world, url, gateway: Layer.build(WorldClient.layer(url)) }
})

const recipient = (kind: Destination.Kind, name: string) => {
  const destination = Destination.of({ [Destination.fieldOf[kind]]: TestRecipients.byName(name)?.numbers[kind] ?? "" })
  assert(destination !== undefined)
  return destination
}

describe("the contracts of a bank world over HTTP", () => {
  const cards = {
    notEnrolled: numberOf("not-enrolled"),
    authenticated: numberOf("frictionless"),
    refused: numberOf("refused"),
    challenged: numberOf("challenge"),
    version1: numberOf("version1")
  }
  const recipients = {
    paid: Destination.kinds.map((kind) => recipient(kind, "ordinary")),
    refused: recipient("account", "no-account")
  }
  it.layer(client(), { excludeTestServices: true })("one world", (it) => {
    for (const { name, run } of AcquirerContract.cases({
      approved: card(),
      declined: card(undefined, "116"),
      recipient: card().pan
    }))
      it.effect(`acquirer: ${name}`, () => run)
    for (const { name, run } of PayoutRailContract.cases(recipients)) it.effect(`payout rail: ${name}`, () => run)
    for (const { name, run } of ThreeDSServerContract.cases(cards)) it.effect(`3-D Secure server: ${name}`, () => run)
    for (const { name, run } of BankBooksContract.cases({
      approved: card(),
      declined: card(undefined, "116"),
      skewMs: 0
    }))
      it.effect(`bank's books: ${name}`, () => run)
  })
})

describe("a bank world over HTTP", () => {
  it.live("declares the same capabilities as a bank world in the gateway's process", () =>
    Effect.gen(function* () {
      const there = yield* (yield* together()).gateway
      const here = yield* Layer.build(SandboxWorld.layer())
      const capabilities = (context: typeof there) =>
        [Context.get(context, Acquirer), Context.get(context, PayoutRail), Context.get(context, ThreeDSServer)].map(
          (port) => port.capabilities
        )
      assert.deepStrictEqual(capabilities(there), capabilities(here))
      assert.isDefined(Context.get(there, RailBooks).totals)
    })
  )

  it.live("shares one bank between all its gateways", () =>
    Effect.gen(function* () {
      const { gateway, world } = yield* together()
      const [one, other] = [yield* gateway, yield* gateway]
      yield* Context.get(one, Acquirer).authorize(authorization({ capture: true }))
      assert.deepInclude(yield* Context.get(other, Acquirer).inquire(inquiry("1-authorize-0")), { _tag: "Approved" })
      const totals = yield* Context.get(other, BankBooks).totals?.("1") ?? Effect.undefined
      assert.deepInclude(totals, { capturedMinor: 1000 })
      assert.lengthOf(yield* Context.get(world, SandboxControl).books.all, 1)
    })
  )

  it.live("treats a reused reference with other content as a defect of the gateway", () =>
    Effect.gen(function* () {
      const { gateway, world } = yield* together()
      const { authorize } = Context.get(yield* gateway, Acquirer)
      yield* authorize(authorization())
      const { reason } = yield* Effect.flip(authorize(authorization({ amountMinor: 1 })))
      assert.include(reason.message, "ReferenceReused")
      assert.lengthOf(yield* Context.get(world, SandboxControl).violations, 1)
    })
  )

  it.live("passes on the failures of its bank", () =>
    Effect.gen(function* () {
      const { gateway, world } = yield* together()
      const { authorize } = Context.get(yield* gateway, Acquirer)
      const control = Context.get(world, SandboxControl)
      yield* control.next("authorize", { delivery: { _tag: "NotSent" } })
      assert.strictEqual((yield* Effect.flip(authorize(authorization()))).reason._tag, "NotSent")
      yield* control.next("authorize", { delivery: { _tag: "AnswerLost" } })
      assert.strictEqual(
        (yield* Effect.flip(authorize(authorization({ reference: "2-authorize-0" })))).reason._tag,
        "AnswerLost"
      )
    })
  )

  it.live("after its end, fails new requests as NotSent and requests in progress as AnswerLost", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { gateway, world } = yield* Scope.provide(together({ latencyMs: 19_000 }), scope)
      const { authorize } = Context.get(yield* gateway, Acquirer)
      const underWay = yield* Effect.forkChild(Effect.flip(authorize(authorization())), { startImmediately: true })
      const { books } = Context.get(world, SandboxControl)
      yield* Effect.repeat(books.all, { until: ({ length }) => length === 1, schedule: Schedule.spaced("5 millis") })
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Fiber.join(underWay)).reason._tag, "AnswerLost")
      assert.strictEqual((yield* Effect.flip(authorize(authorization()))).reason._tag, "NotSent")
    })
  )

  it.live("must be reachable before its gateway starts", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { url } = yield* Scope.provide(together(), scope)
      yield* Scope.close(scope, Exit.void)
      const error = yield* Effect.flip(Layer.build(WorldClient.layer(url)))
      assert.strictEqual(error._tag, "WorldUnreachable")
    })
  )

  it.live("is unreachable if another server listens at its address", () =>
    Effect.gen(function* () {
      const url = `http://127.0.0.1:${yield* serve((_, response) => response.end("{}"))}`
      assert.strictEqual((yield* Effect.flip(Layer.build(WorldClient.layer(url))))._tag, "WorldUnreachable")
    })
  )

  it.live.each([-1, 65_536])("refuses a port that does not exist, with the rule for ports: %s", (port) =>
    Effect.gen(function* () {
      const { _tag, message } = yield* Effect.flip(Layer.build(WorldServer.layer({ port })))
      assert.strictEqual(_tag, "ListenError")
      assert.include(message, `Cannot listen on 127.0.0.1:${port} (a port is a whole number from 0 to 65535)`)
    })
  )

  it.live("refuses requests from pages in a browser and through proxies", () =>
    Effect.gen(function* () {
      const { url } = yield* together()
      const ask = (headers: Record<string, string>) =>
        Effect.promise(
          async () => (await fetch(`${url}/ports/acquirer`, { method: "POST", headers, body: "[]" })).status
        )
      assert.strictEqual(yield* ask({ origin: "https://shop.example" }), 403)
      assert.strictEqual(yield* ask({ "x-forwarded-for": "192.0.2.1" }), 403)
    })
  )

  it.live("shows the issuer's pages under its own address", () =>
    Effect.gen(function* () {
      const { gateway, url } = yield* together()
      const { authenticate, enrol } = Context.get(yield* gateway, ThreeDSServer)
      const pan = Redacted.make(numberOf("version1"))
      const common = {
        ...{ amountMinor: 1000, currency: "USD", expireMonth: 12, expireYear: 2099, merchantName: "Tea" },
        ...{ browser, notificationUrl }
      }
      const enrolment = yield* enrol({ reference: "1-threeds-1", pan, ...common })
      assert(enrolment._tag === "Version1")
      assert.isTrue(enrolment.acsUrl.startsWith(`${url}/acs/`))
      assert.isDefined(authenticate)
      const form = new URLSearchParams({
        PaReq: enrolment.pareq,
        MD: enrolment.md,
        TermUrl: "http://shop.example/back"
      })
      const page = yield* Effect.promise(async () => {
        const answer = await fetch(enrolment.acsUrl, { method: "POST", body: form, headers: { origin: "http://shop" } })
        return { status: answer.status, text: await answer.text() }
      })
      assert.strictEqual(page.status, 200)
      assert.include(page.text, "Tea")
    })
  )
})

describe("the clock of a bank world over HTTP", () => {
  it.live("advances in all gateways before an advance by one of them ends", () =>
    Effect.gen(function* () {
      const { gateway, world } = yield* together()
      const [one, other] = [yield* gateway, yield* gateway]
      const nothingDue = { nextDueMs: Effect.undefined, settled: Effect.void }
      const sleeping = yield* Effect.forkChild(Context.get(other, Clock.Clock).sleep(Duration.days(30)))
      yield* Effect.yieldNow
      yield* Context.get(one, SandboxClock.SandboxClock).advance("45 days", nothingDue)
      for (const context of [one, other, world])
        assert.strictEqual(yield* Context.get(context, SandboxClock.SandboxClock).offsetMs, 45 * 86_400_000)
      yield* Fiber.join(sleeping)
      yield* Context.get(other, SandboxClock.SandboxClock).reset
      assert.strictEqual(yield* Context.get(one, SandboxClock.SandboxClock).offsetMs, 0)
      const late = yield* gateway
      assert.strictEqual(yield* Context.get(late, SandboxClock.SandboxClock).offsetMs, 0)
    })
  )

  it.live("refuses a negative advance, and an advance after the world has ended", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { gateway } = yield* Scope.provide(together(), scope)
      const clock = Context.get(yield* gateway, SandboxClock.SandboxClock)
      const nothingDue = { nextDueMs: Effect.undefined, settled: Effect.void }
      assert.strictEqual((yield* Effect.flip(clock.advance(-1, nothingDue)))._tag, "AdvanceRefused")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Effect.flip(clock.advance("1 day", nothingDue)))._tag, "AdvanceRefused")
    })
  )
})

describe("the encoding of port values as text", () => {
  it("restores the same values", () => {
    const value = {
      hidden: Redacted.make({ name: "x" }, { label: "recipient" }),
      absent: undefined,
      list: [1, "two", null, undefined],
      set: new Set(["card"]),
      map: new Map([["209", "challenge"]])
    }
    const arrived = Portable.decode(Portable.encode(value))
    assert.deepStrictEqual(Portable.encode(arrived), Portable.encode(value))
    assert.isTrue(Redacted.isRedacted(Reflect.get(Object(arrived), "hidden")))
    assert.deepStrictEqual(Reflect.get(Object(arrived), "map"), value.map)
    assert.deepStrictEqual(Reflect.get(Object(arrived), "set"), value.set)
    assert.deepStrictEqual(Reflect.get(Object(arrived), "list"), value.list)
    assert.strictEqual(String(Reflect.get(Object(arrived), "hidden")), "<redacted:recipient>")
  })

  it("returns undefined for text that is not JSON", () => {
    assert.isUndefined(Portable.decode("{"))
  })
})
