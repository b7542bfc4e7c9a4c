import { readFileSync, statSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Result } from "effect"
import { temporaryFile } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as SandboxThreeDS from "../src/SandboxThreeDS.ts"
import { ThreeDSControl } from "../src/ThreeDSControl.ts"
import { authenticate, begin, challenged, enrol, result } from "./Paying.ts"

const world = () => SandboxThreeDS.layer()

describe("the 3-D Secure control", () => {
  it.effect("applies queued scenarios in order, before the card's own scenario", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      yield* control.next({ enrolment: "notEnrolled" })
      yield* control.next({ enrolment: "version1" })
      const tags = yield* Effect.forEach([1, 2, 3], (n) =>
        Effect.map(enrol("frictionless", { reference: `${n}-threeds-1` }), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, ["NotEnrolled", "Version1", "Version2"])
    }).pipe(Effect.provide(world()))
  )

  it.effect("applies a scenario for an order to every attempt of that order only", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      yield* control.next({ enrolment: "version1" })
      yield* control.forOrder("7", { enrolment: "notEnrolled" })
      const references = ["7-threeds-1", "7-threeds-2", "70-threeds-1"]
      const tags = yield* Effect.forEach(references, (reference) =>
        Effect.map(enrol("challenge", { reference }), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, ["NotEnrolled", "NotEnrolled", "Version1"])
    }).pipe(Effect.provide(world()))
  )

  it.effect("applies a scenario again when the same look-up is repeated", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(ThreeDSControl, (control) => control.next({ enrolment: "notEnrolled" }))
      yield* enrol("challenge")
      assert.strictEqual((yield* enrol("challenge"))._tag, "NotEnrolled")
    }).pipe(Effect.provide(world()))
  )

  it.effect("keeps the first decision of the customer", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const { serverTransId } = yield* challenged()
      const first = yield* control.play(serverTransId, "fail")
      assert.deepStrictEqual(yield* control.play("1", "pass"), first)
      assert.strictEqual((yield* result(serverTransId))?.transStatus, "N")
    }).pipe(Effect.provide(world()))
  )

  it.effect("returns a CRes with both transaction ids and the final status", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const { acsTransId, serverTransId } = yield* challenged()
      const carried = yield* control.play("1-threeds-1", "pass")
      assert.ok(carried._tag === "CRes")
      assert.deepStrictEqual(Result.getOrThrow(ThreeDS.cres.decode(carried.cres)), {
        messageType: "CRes",
        messageVersion: "2.2.0",
        threeDSServerTransID: serverTransId,
        acsTransID: acsTransId,
        transStatus: "Y",
        challengeCompletionInd: "Y"
      })
    }).pipe(Effect.provide(world()))
  )

  it.effect("returns a forged CRes with Y while the issuer's result is N", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const { serverTransId } = yield* challenged("forged")
      const carried = yield* control.play("1", "fail")
      assert.ok(carried._tag === "CRes")
      assert.strictEqual(Result.getOrThrow(ThreeDS.cres.decode(carried.cres)).transStatus, "Y")
      assert.strictEqual((yield* result(serverTransId))?.transStatus, "N")
    }).pipe(Effect.provide(world()))
  )

  it.effect("delivers a result that the scenario withholds", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const { serverTransId } = yield* challenged("report-never")
      yield* control.play("1", "pass")
      assert.strictEqual(yield* result(serverTransId), undefined)
      yield* control.report("1")
      assert.strictEqual((yield* result(serverTransId))?.transStatus, "Y")
    }).pipe(Effect.provide(world()))
  )

  it.effect("returns method data with the transaction id only", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const { serverTransId } = yield* begin("method-frictionless")
      assert.strictEqual((yield* control.find("1"))?.methodSeen, false)
      const data = Result.getOrThrow(ThreeDS.methodData.decode(yield* control.method("1")))
      assert.deepStrictEqual(data, { threeDSServerTransID: serverTransId })
      assert.strictEqual((yield* control.find("1"))?.methodSeen, true)
    }).pipe(Effect.provide(world()))
  )

  it.effect("shows the browser data that the issuer received, and no card number", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      yield* begin()
      const [transaction] = yield* control.transactions
      assert.deepStrictEqual(transaction?.request, {
        completionIndicator: "Y",
        notificationUrl: "https://shop.example/back?order=1&x=2",
        browser: {
          acceptHeader: "text/html",
          ip: "192.0.2.1",
          javaEnabled: false,
          javascriptEnabled: false,
          language: "de",
          screenHeight: 1080,
          timeZoneMinutes: -60,
          userAgent: "Test"
        }
      })
      assert.notInclude(JSON.stringify(transaction), "55556666")
    }).pipe(Effect.provide(world()))
  )

  const impossible = [
    ["play of an unknown order", Effect.flatMap(ThreeDSControl, (control) => control.play("2", "pass"))],
    ["play before the authentication request", Effect.flatMap(ThreeDSControl, (control) => control.play("1", "pass"))],
    ["method without a method page", Effect.flatMap(ThreeDSControl, (control) => control.method("1"))],
    ["report before the customer's decision", Effect.flatMap(ThreeDSControl, (control) => control.report("1"))],
    ["method of an unknown order", Effect.flatMap(ThreeDSControl, (control) => control.method(""))]
  ] as const
  it.effect.each(impossible)("refuses %s", ([, step]) =>
    Effect.gen(function* () {
      yield* enrol("challenge")
      assert.strictEqual((yield* Effect.flip(Effect.asVoid(step)))._tag, "NoSuchStep")
    }).pipe(Effect.provide(world()))
  )

  it.effect("refuses to play the challenge of a frictionless payment", () =>
    Effect.gen(function* () {
      yield* begin("frictionless")
      const control = yield* ThreeDSControl
      assert.strictEqual((yield* Effect.flip(control.play("1", "pass")))._tag, "NoSuchStep")
    }).pipe(Effect.provide(world()))
  )

  it.effect("refuses an authentication under another reference, and a result of an unknown transaction", () =>
    Effect.gen(function* () {
      const other = yield* enrol("challenge", { reference: "2-threeds-1" })
      assert.ok(other._tag === "Version2")
      assert.strictEqual((yield* Effect.flip(authenticate(other.serverTransId)))._tag, "ThreeDSServerError")
      assert.strictEqual((yield* Effect.flip(result("1")))._tag, "ThreeDSServerError")
    }).pipe(Effect.provide(world()))
  )

  it.effect("deletes transactions and scenarios on reset", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      yield* begin()
      yield* control.next({ enrolment: "notEnrolled" })
      yield* control.reset
      assert.deepStrictEqual(yield* control.transactions, [])
      assert.strictEqual((yield* enrol())._tag, "Version2")
    }).pipe(Effect.provide(world()))
  )
})

describe("the journal of the 3-D Secure server", () => {
  const withServer = <A, E, R>(threedsJournalPath: string, program: Effect.Effect<A, E, R>) =>
    Effect.provide(program, SandboxThreeDS.layer({ threedsJournalPath }), { local: true })

  it.effect("continues an authentication after a restart at every stage", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const control = ThreeDSControl
      yield* withServer(
        path,
        Effect.flatMap(control, ({ next }) => next({ method: "prompt" }))
      )
      const scenario = Effect.flatMap(control, ({ next }) => next({ method: "prompt" }))
      const enrolment = yield* withServer(path, Effect.andThen(scenario, enrol()))
      assert.deepStrictEqual(yield* withServer(path, enrol()), enrolment)
      yield* withServer(
        path,
        Effect.flatMap(control, ({ method }) => method("1"))
      )
      const { answer, serverTransId } = yield* withServer(path, begin())
      assert.deepStrictEqual((yield* withServer(path, begin())).answer, answer)
      const carried = yield* withServer(
        path,
        Effect.flatMap(control, ({ play }) => play("1", "pass"))
      )
      const again = yield* withServer(
        path,
        Effect.flatMap(control, ({ play }) => play("1", "abandon"))
      )
      assert.deepStrictEqual(again, carried)
      assert.strictEqual((yield* withServer(path, result(serverTransId)))?.transStatus, "Y")
      assert.strictEqual(
        (yield* withServer(
          path,
          Effect.flatMap(control, ({ find }) => find("1"))
        ))?.methodSeen,
        true
      )
    })
  )

  it.effect("is readable by its owner only, and contains no card number", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* withServer(path, begin())
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.notInclude(readFileSync(path, "utf8"), "55556666")
    })
  )

  it.effect("is emptied by a reset", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      yield* withServer(
        path,
        Effect.andThen(
          begin(),
          Effect.flatMap(ThreeDSControl, ({ reset }) => reset)
        )
      )
      assert.strictEqual(readFileSync(path, "utf8"), "")
    })
  )
})
