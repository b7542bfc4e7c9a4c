import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Store } from "../../src/kernel/Store.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { Authentication } from "../../src/threeds/decide/Authentication.ts"
import * as Issuer from "./Issuer.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { endpoints } = ScriptedGateway
const otherId = "00000000-0000-4000-8000-000000000000"

/** Returns the rows that an upload could change. */
const rows = (orderid: string) =>
  Effect.gen(function* () {
    const store = yield* Store
    return [yield* store.load(Order, [orderid]), yield* store.load(Authentication, [orderid])]
  })

/** Asserts that the upload is refused with this code and message, and changes nothing. */
const refused = <E, R>(
  orderid: string,
  upload: Effect.Effect<ScriptedGateway.Reply, E, R>,
  code: string,
  words: string
) =>
  Effect.gen(function* () {
    const before = yield* rows(orderid)
    const reply = yield* upload
    assert.strictEqual(reply.status, 400)
    assert.strictEqual(reply.body["error-code"], code)
    assert.include(String(reply.body["error-message"]), words)
    assert.deepStrictEqual(yield* rows(orderid), before)
  })

/** Asserts that the upload is refused as late. */
const late = <E, R>(upload: Effect.Effect<ScriptedGateway.Reply, E, R>, words: string) =>
  Effect.gen(function* () {
    const { body, status } = yield* upload
    assert.strictEqual(status, 400)
    assert.deepInclude(body, { "error-code": "55", "error-message": words })
  })

const atMethod = ScriptedGateway.sale(endpoints.merchant)
const atChallenge = Effect.tap(atMethod, (orderid) => ScriptedGateway.uploadMethod({ orderid }))

const status = Effect.map(ScriptedGateway.status(endpoints.merchant), ({ status }) => status)

describe("a method result", () => {
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string, string]> = [
    ["of another transaction", { threeDSServerTransID: otherId }, "2", "another transaction"],
    ["with an unknown indicator", { threeDSCompInd: "X" }, "2", "threeDSCompInd"],
    ["with a callback to a forbidden address", { server_callback_url: "http://10.0.0.1/" }, "2", "server_callback_url"]
  ]
  it.effect.each(cases)("is refused and changes nothing: %s", ([_name, fields, code, words]) =>
    Effect.gen(function* () {
      const orderid = yield* atMethod
      yield* refused(orderid, ScriptedGateway.uploadMethod({ orderid }, fields), code, words)
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )

  it.effect("is refused after 10 seconds, even before the deadline is processed", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* atMethod
      yield* ScriptedGateway.elapse(10_000)
      yield* late(ScriptedGateway.uploadMethod({ orderid }), "The step method is over")
      yield* ScriptedGateway.settle
      assert.strictEqual(scripted.issuer.requests[0]?.completionIndicator, "N")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is a replay if sent again: one request to the issuer, the same order, another serial-number", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* atMethod
      const first = yield* ScriptedGateway.uploadMethod({ orderid })
      const again = yield* ScriptedGateway.uploadMethod({ orderid })
      assert.strictEqual(again.status, 200)
      assert.notStrictEqual(again.body["serial-number"], first.body["serial-number"])
      assert.strictEqual(again.body["paynet-order-id"], orderid)
      assert.lengthOf(scripted.issuer.requests, 1)
      for (const { body } of [first, again]) {
        const request = yield* ScriptedGateway.status(endpoints.merchant, {
          "by-request-sn": String(body["serial-number"])
        })
        assert.strictEqual(request.status, "processing")
      }
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is accepted once and replayed once if sent twice at the same time", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* atMethod
      const replies = yield* Effect.all(
        [ScriptedGateway.uploadMethod({ orderid }), ScriptedGateway.uploadMethod({ orderid })],
        {
          concurrency: 2
        }
      )
      assert.deepStrictEqual(
        replies.map((reply) => reply.status),
        [200, 200]
      )
      assert.lengthOf(scripted.issuer.requests, 1)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is refused as late if sent again with other content", () =>
    Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* refused(
        orderid,
        ScriptedGateway.uploadMethod({ orderid }, { threeDSCompInd: "N" }),
        "55",
        "The step method is over"
      )
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )
})

describe("a CRes", () => {
  const cases: ReadonlyArray<readonly [string, string, string, string]> = [
    ["of another transaction", ScriptedGateway.cres({ threeDSServerTransID: otherId }), "2", "another transaction"],
    ["of another transaction of the issuer", ScriptedGateway.cres({ acsTransID: otherId }), "2", "of the issuer"],
    ["of another version", ScriptedGateway.cres({ messageVersion: "2.1.0" }), "2", "another version"],
    ["of a challenge that goes on", ScriptedGateway.cresOf({ challengeCompletionInd: "N" }), "2", "has not ended"],
    ["that is another message", Issuer.creq, "2", "not the message"],
    ["that is not JSON", "eyJ", "2", "base64url JSON"],
    ["that is not base64url", "%%%", "2", "cRes"],
    ["of more than 4096 characters", "A".repeat(4097), "3", "cRes"]
  ]
  it.effect.each(cases)("is refused and changes nothing: %s", ([_name, cRes, code, words]) => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* refused(orderid, ScriptedGateway.uploadCres({ orderid }, cRes), code, words)
      assert.strictEqual(scripted.issuer.reports, 0)
      assert.lengthOf(scripted.authorized, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect.each([
    ["challengeCompletionInd Y", ScriptedGateway.cresOf({ challengeCompletionInd: "Y" })],
    ["no challengeCompletionInd and no result", ScriptedGateway.cresOf({})],
    ["a result despite challengeCompletionInd N", ScriptedGateway.cres({ challengeCompletionInd: "N" })]
  ])("ends the challenge with %s", ([_, cRes]) => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* ScriptedGateway.uploadCres({ orderid }, cRes)
      assert.strictEqual(yield* status, "approved")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("with a forged Y does not authenticate the customer", () => {
    const scripted = ScriptedGateway.make({ report: Issuer.verdict("N") })
    return Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* ScriptedGateway.uploadCres({ orderid }, ScriptedGateway.cres({ transStatus: "Y" }))
      assert.strictEqual(yield* status, "declined")
      assert.lengthOf(scripted.authorized, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is refused before the challenge begins", () =>
    Effect.gen(function* () {
      const orderid = yield* atMethod
      yield* refused(orderid, ScriptedGateway.uploadCres({ orderid }), "55", "The step challenge has not begun")
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )

  it.effect("is refused after 10 minutes, even before the deadline is processed", () =>
    Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* ScriptedGateway.elapse(600_000)
      yield* late(ScriptedGateway.uploadCres({ orderid }), "The step challenge is over")
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make({ report: undefined }))))
  )

  it.effect("is a replay if sent again, even after the order is final", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* ScriptedGateway.uploadCres({ orderid })
      assert.strictEqual(yield* status, "approved")
      const again = yield* ScriptedGateway.uploadCres({ orderid })
      assert.strictEqual(again.status, 200)
      assert.lengthOf(scripted.authorized, 1)
      assert.strictEqual(scripted.issuer.reports, 1)
      yield* refused(
        orderid,
        ScriptedGateway.uploadCres({ orderid }, ScriptedGateway.cres({ transStatus: "N" })),
        "55",
        "is over"
      )
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("can set another callback address for the outcome", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* ScriptedGateway.uploadCres({ orderid }, ScriptedGateway.cres(), {
        server_callback_url: "https://shop.example/other"
      })
      assert.lengthOf(scripted.callbacks, 1)
      assert.match(scripted.callbacks[0] ?? "", /^https:\/\/shop\.example\/other\?/)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})

describe("an uploaded 3-D Secure result", () => {
  it.effect("is refused for an order in gateway mode", () =>
    Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.gateway)
      const upload = ScriptedGateway.uploadMethod({ orderid, endpointId: endpoints.gateway })
      yield* refused(orderid, upload, "55", "The gateway itself")
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )

  it.effect("is refused for an order without 3-D Secure", () =>
    Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.off)
      yield* refused(
        orderid,
        ScriptedGateway.uploadCres({ orderid, endpointId: endpoints.off }),
        "55",
        "does not go through"
      )
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )

  it.effect("gets the same refusal for an unknown order and for identifiers that disagree", () =>
    Effect.gen(function* () {
      const orderid = yield* atMethod
      yield* refused(orderid, ScriptedGateway.uploadMethod({ orderid: "1" }), "54", "Unknown order")
      const other = ScriptedGateway.uploadMethod({ orderid }, { "client-order-id": "another" })
      yield* refused(orderid, other, "54", "Unknown order")
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )

  it.effect("is refused as a PaRes in version 2", () =>
    Effect.gen(function* () {
      const orderid = yield* atChallenge
      yield* refused(orderid, ScriptedGateway.uploadPares({ orderid }, "eJw="), "55", "of version 2.2.0")
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )
})
