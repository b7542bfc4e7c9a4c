import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Certificates from "./Certificates.ts"
import type * as Issuer from "./Issuer.ts"
import * as Writer from "./PaResWriter.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { endpoints } = ScriptedGateway
const issuer = Certificates.identity("Issuer")
const acsUrl = "https://acs.example/pareq"
const md = "MD-1"

const script = (): Partial<Issuer.Script> => ({
  enrolment: { _tag: "Version1", acsUrl, pareq: Writer.pareq(), md, xid: Writer.purchase.xid },
  roots: [issuer.certificate.toString()]
})

const pares = (answer: Writer.Answer = {}) => Writer.pares(answer, { by: issuer })

describe("3-D Secure 1.0.2 in merchant mode", () => {
  it.effect("gives the merchant the PaReq as fields and as a page, and calls no issuer itself", () => {
    const scripted = ScriptedGateway.make(script())
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.merchant)
      const status = yield* ScriptedGateway.status(endpoints.merchant)
      assert.deepInclude(status, {
        status: "processing",
        "threeds-stage": "pareq",
        "threeds-version": "1.0.2",
        "acs-url": acsUrl,
        pareq: Writer.pareq(),
        md
      })
      assert.include(String(status.html), `name="TermUrl" value="${ScriptedGateway.returnUrl}"`)
      assert.lengthOf(scripted.issuer.requests, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ["Y", "approved", "AUTHENTICATED"],
    ["A", "approved", "AUTHENTICATED"],
    ["N", "declined", "NOT_AUTHENTICATED"],
    ["U", "declined", "UNSUPPORTED"]
  ]
  it.effect.each(cases)("ends after a signed PaRes with status %s as %s", ([letter, outcome, verified]) => {
    const scripted = ScriptedGateway.make(script())
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
      const reply = yield* ScriptedGateway.uploadPares({ orderid }, pares({ status: letter }), { md })
      assert.strictEqual(reply.status, 200, JSON.stringify(reply.body))
      assert.deepInclude(yield* ScriptedGateway.status(endpoints.merchant), {
        status: outcome,
        "verified-3d-status": verified
      })
      assert.strictEqual(scripted.issuer.reports, 0)
      const proof = scripted.authorized[0]?.authentication
      if (outcome !== "approved") return assert.isUndefined(proof)
      assert.deepInclude(proof, {
        protocol: "1.0.2",
        transStatus: letter,
        transactionId: Writer.purchase.xid,
        eci: "05"
      })
      assert.strictEqual(
        Redacted.value(proof?.authenticationValue ?? Redacted.make("")),
        "AAABBZEEBgAAAAAAAAQGAAAAAAA="
      )
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  const wrong: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>, string]> = [
    ["unsigned", Writer.encode(Writer.element()), {}, "is not one signed PARes"],
    [
      "signed by an unknown issuer",
      Writer.pares({}, { by: Certificates.identity("Issuer") }),
      {},
      "is not signed by an issuer"
    ],
    ["of another payment", pares({ of: { ...Writer.purchase, purchAmount: "1" } }), {}, "answers another PaReq"],
    ["with another MD", pares(), { md: "MD-2" }, "md is of another PaReq"]
  ]
  it.effect.each(wrong)(
    "refuses a wrong PaRes without a change, and then accepts the right one: %s",
    ([_name, forged, fields, words]) => {
      const scripted = ScriptedGateway.make(script())
      return Effect.gen(function* () {
        const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
        const reply = yield* ScriptedGateway.uploadPares({ orderid }, forged, fields)
        assert.deepInclude(reply, { status: 400 })
        assert.strictEqual(reply.body["error-code"], "2")
        assert.include(String(reply.body["error-message"]), words)
        assert.strictEqual((yield* ScriptedGateway.status(endpoints.merchant)).status, "processing")
        yield* ScriptedGateway.uploadPares({ orderid }, pares())
        assert.strictEqual((yield* ScriptedGateway.status(endpoints.merchant)).status, "approved")
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
    }
  )

  it.effect("refuses the PaRes of another order", () => {
    const scripted = ScriptedGateway.make(script())
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant, { amount: "99.99" })
      const reply = yield* ScriptedGateway.uploadPares({ orderid }, pares())
      assert.strictEqual(reply.status, 400)
      assert.lengthOf(scripted.authorized, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("replays the same PaRes, and refuses another one, a CRes and a method result", () => {
    const scripted = ScriptedGateway.make(script())
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
      const cres = yield* ScriptedGateway.uploadCres({ orderid })
      assert.include(String(cres.body["error-message"]), "of version 1.0.2")
      const method = yield* ScriptedGateway.uploadMethod({ orderid })
      assert.include(String(method.body["error-message"]), "of version 1.0.2")
      yield* ScriptedGateway.uploadPares({ orderid }, pares())
      assert.strictEqual((yield* ScriptedGateway.uploadPares({ orderid }, pares())).status, 200)
      const other = yield* ScriptedGateway.uploadPares({ orderid }, pares({ status: "N" }))
      assert.strictEqual(other.body["error-code"], "55")
      assert.lengthOf(scripted.authorized, 1)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is declined after 10 minutes without a PaRes, without a call to the issuer", () => {
    const scripted = ScriptedGateway.make(script())
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
      yield* ScriptedGateway.pass("10 minutes")
      assert.deepInclude(yield* ScriptedGateway.status(endpoints.merchant), {
        status: "declined",
        "error-code": "90",
        "verified-3d-status": "UNKNOWN"
      })
      assert.strictEqual((yield* ScriptedGateway.uploadPares({ orderid }, pares())).body["error-code"], "55")
      assert.strictEqual(scripted.issuer.reports, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})
