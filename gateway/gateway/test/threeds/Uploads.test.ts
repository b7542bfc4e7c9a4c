import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Store } from "../../src/kernel/Store.ts"
import { Order } from "../../src/orders/Order.ts"
import { Authentication } from "../../src/threeds/Authentication.ts"
import * as Issuer from "./Issuer.ts"
import * as World from "./World.ts"

const { endpoints } = World
const otherId = "00000000-0000-4000-8000-000000000000"

/** Returns the rows that an upload could change. */
const rows = (orderid: string) =>
  Effect.gen(function* () {
    const store = yield* Store
    return [yield* store.load(Order, [orderid]), yield* store.load(Authentication, [orderid])]
  })

/** Asserts that the upload is refused with this code and message, and changes nothing. */
const refused = <E, R>(orderid: string, upload: Effect.Effect<World.Reply, E, R>, code: string, words: string) =>
  Effect.gen(function* () {
    const before = yield* rows(orderid)
    const reply = yield* upload
    assert.strictEqual(reply.status, 400)
    assert.strictEqual(reply.body["error-code"], code)
    assert.include(String(reply.body["error-message"]), words)
    assert.deepStrictEqual(yield* rows(orderid), before)
  })

/** Asserts that the upload is refused as late. */
const late = <E, R>(upload: Effect.Effect<World.Reply, E, R>, words: string) =>
  Effect.gen(function* () {
    const { body, status } = yield* upload
    assert.strictEqual(status, 400)
    assert.deepInclude(body, { "error-code": "55", "error-message": words })
  })

const atMethod = World.sale(endpoints.merchant)
const atChallenge = Effect.tap(atMethod, (orderid) => World.uploadMethod({ orderid }))

const status = Effect.map(World.status(endpoints.merchant), ({ status }) => status)

describe("a method result", () => {
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string, string]> = [
    ["of another transaction", { threeDSServerTransID: otherId }, "2", "another transaction"],
    ["with an unknown indicator", { threeDSCompInd: "X" }, "2", "threeDSCompInd"],
    ["with a user agent that is too long", { browserUserAgent: "x".repeat(2049) }, "3", "browserUserAgent"],
    ["with a callback to a forbidden address", { server_callback_url: "http://10.0.0.1/" }, "2", "server_callback_url"]
  ]
  it.effect.each(cases)("is refused and changes nothing: %s", ([_name, fields, code, words]) =>
    Effect.gen(function* () {
      const orderid = yield* atMethod
      yield* refused(orderid, World.uploadMethod({ orderid }, fields), code, words)
    }).pipe(Effect.provide(World.layer(World.make())))
  )

  it.effect("is refused after 10 seconds, even before the deadline is processed", () => {
    const world = World.make()
    return Effect.gen(function* () {
      const orderid = yield* atMethod
      yield* World.elapse(10_000)
      yield* late(World.uploadMethod({ orderid }), "The step method is over")
      yield* World.settle
      assert.strictEqual(world.issuer.requests[0]?.completionIndicator, "N")
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("is a replay if sent again: one request to the issuer, the same order, another serial-number", () => {
    const world = World.make()
    return Effect.gen(function* () {
      const orderid = yield* atMethod
      const first = yield* World.uploadMethod({ orderid })
      const again = yield* World.uploadMethod({ orderid })
      assert.strictEqual(again.status, 200)
      assert.notStrictEqual(again.body["serial-number"], first.body["serial-number"])
      assert.strictEqual(again.body["paynet-order-id"], orderid)
      assert.lengthOf(world.issuer.requests, 1)
      for (const { body } of [first, again]) {
        const request = yield* World.status(endpoints.merchant, { "by-request-sn": String(body["serial-number"]) })
        assert.strictEqual(request.status, "processing")
      }
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("is accepted once and replayed once if sent twice at the same time", () => {
    const world = World.make()
    return Effect.gen(function* () {
      const orderid = yield* atMethod
      const replies = yield* Effect.all([World.uploadMethod({ orderid }), World.uploadMethod({ orderid })], {
        concurrency: 2
      })
      assert.deepStrictEqual(
        replies.map((reply) => reply.status),
        [200, 200]
      )
      assert.lengthOf(world.issuer.requests, 1)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("is refused as late if sent again with other content", () =>
    Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* refused(orderid, World.uploadMethod({ orderid }, { threeDSCompInd: "N" }), "55", "The step method is over")
    }).pipe(Effect.provide(World.layer(World.make())))
  )
})

describe("a CRes", () => {
  const cases: ReadonlyArray<readonly [string, string, string, string]> = [
    ["of another transaction", World.cres({ threeDSServerTransID: otherId }), "2", "another transaction"],
    ["of another transaction of the issuer", World.cres({ acsTransID: otherId }), "2", "of the issuer"],
    ["of another version", World.cres({ messageVersion: "2.1.0" }), "2", "another version"],
    ["of a challenge that goes on", World.cresOf({ challengeCompletionInd: "N" }), "2", "has not ended"],
    ["that is another message", Issuer.creq, "2", "not the message"],
    ["that is not JSON", "eyJ", "2", "base64url JSON"],
    ["that is not base64url", "%%%", "2", "cRes"],
    ["of more than 4096 characters", "A".repeat(4097), "3", "cRes"]
  ]
  it.effect.each(cases)("is refused and changes nothing: %s", ([_name, cRes, code, words]) => {
    const world = World.make()
    return Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* refused(orderid, World.uploadCres({ orderid }, cRes), code, words)
      assert.strictEqual(world.issuer.reports, 0)
      assert.lengthOf(world.authorized, 0)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect.each([
    ["challengeCompletionInd Y", World.cresOf({ challengeCompletionInd: "Y" })],
    ["no challengeCompletionInd and no result", World.cresOf({})],
    ["a result despite challengeCompletionInd N", World.cres({ challengeCompletionInd: "N" })]
  ])("ends the challenge with %s", ([_, cRes]) => {
    const world = World.make()
    return Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* World.uploadCres({ orderid }, cRes)
      assert.strictEqual(yield* status, "approved")
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("with a forged Y does not authenticate the customer", () => {
    const world = World.make({ report: Issuer.verdict("N") })
    return Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* World.uploadCres({ orderid }, World.cres({ transStatus: "Y" }))
      assert.strictEqual(yield* status, "declined")
      assert.lengthOf(world.authorized, 0)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("is refused before the challenge begins", () =>
    Effect.gen(function* () {
      const orderid = yield* atMethod
      yield* refused(orderid, World.uploadCres({ orderid }), "55", "The step challenge has not begun")
    }).pipe(Effect.provide(World.layer(World.make())))
  )

  it.effect("is refused after 10 minutes, even before the deadline is processed", () =>
    Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* World.elapse(600_000)
      yield* late(World.uploadCres({ orderid }), "The step challenge is over")
    }).pipe(Effect.provide(World.layer(World.make({ report: undefined }))))
  )

  it.effect("is a replay if sent again, even after the order is final", () => {
    const world = World.make()
    return Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* World.uploadCres({ orderid })
      assert.strictEqual(yield* status, "approved")
      const again = yield* World.uploadCres({ orderid })
      assert.strictEqual(again.status, 200)
      assert.lengthOf(world.authorized, 1)
      assert.strictEqual(world.issuer.reports, 1)
      yield* refused(orderid, World.uploadCres({ orderid }, World.cres({ transStatus: "N" })), "55", "is over")
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("can set another callback address for the outcome", () => {
    const world = World.make()
    return Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* World.uploadCres({ orderid }, World.cres(), { server_callback_url: "https://shop.example/other" })
      assert.lengthOf(world.callbacks, 1)
      assert.match(world.callbacks[0] ?? "", /^https:\/\/shop\.example\/other\?/)
    }).pipe(Effect.provide(World.layer(world)))
  })
})

describe("an uploaded 3-D Secure result", () => {
  it.effect("is refused for an order in gateway mode", () =>
    Effect.gen(function* () {
      const orderid = yield* World.sale(endpoints.gateway)
      const upload = World.uploadMethod({ orderid, endpointId: endpoints.gateway })
      yield* refused(orderid, upload, "55", "The gateway itself")
    }).pipe(Effect.provide(World.layer(World.make())))
  )

  it.effect("is refused for an order without 3-D Secure", () =>
    Effect.gen(function* () {
      const orderid = yield* World.sale(endpoints.off)
      yield* refused(orderid, World.uploadCres({ orderid, endpointId: endpoints.off }), "55", "does not go through")
    }).pipe(Effect.provide(World.layer(World.make())))
  )

  it.effect("gets the same refusal for an unknown order and for identifiers that disagree", () =>
    Effect.gen(function* () {
      const orderid = yield* atMethod
      yield* refused(orderid, World.uploadMethod({ orderid: "1" }), "54", "Unknown order")
      const other = World.uploadMethod({ orderid }, { "client-order-id": "another" })
      yield* refused(orderid, other, "54", "Unknown order")
    }).pipe(Effect.provide(World.layer(World.make())))
  )

  it.effect("is refused as a PaRes in version 2", () =>
    Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* refused(orderid, World.uploadPares({ orderid }, "eJw="), "55", "of version 2.2.0")
    }).pipe(Effect.provide(World.layer(World.make())))
  )
})
