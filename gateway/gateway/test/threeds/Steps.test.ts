import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as BrowserFacts from "../../src/threeds/decide/BrowserFacts.ts"
import * as ThreeDSSteps from "../../src/threeds/ThreeDSSteps.ts"
import * as Certificates from "./Certificates.ts"
import * as Issuer from "./Issuer.ts"
import * as Writer from "./PaResWriter.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { endpoints } = ScriptedGateway

/** The token in `redirect-to` of a sale on the gateway's pages. */
const begun = Effect.gen(function* () {
  yield* ScriptedGateway.sale(endpoints.gateway)
  const status = yield* ScriptedGateway.status(endpoints.gateway)
  assert.notProperty(status, "html")
  assert.notProperty(status, "creq")
  return String(status["redirect-to"]).slice(`${ScriptedGateway.baseUrl}/3ds/`.length)
})

const step = (token: string) =>
  Effect.gen(function* () {
    const progress = yield* (yield* ThreeDSSteps.make).byPageToken(token)
    yield* ScriptedGateway.settle
    return progress?.step
  })

const advance = <A, E>(
  token: string,
  report: (steps: ThreeDSSteps.ThreeDSSteps, progress: ThreeDSSteps.Progress) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const steps = yield* ThreeDSSteps.make
    const progress = yield* steps.byPageToken(token)
    assert.isDefined(progress)
    const result = yield* Effect.result(report(steps, progress))
    yield* ScriptedGateway.settle
    return result._tag
  })

const browser = { ...BrowserFacts.none, userAgent: "Browser" }

describe("3-D Secure in gateway mode", () => {
  it.effect("leads the browser through the method step and the challenge to the end", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const token = yield* begun
      assert.deepInclude(yield* step(token), {
        _tag: "Method",
        url: Issuer.methodUrl,
        deadlineMs: ScriptedGateway.startMs + 10_000
      })
      assert.strictEqual(
        yield* advance(token, (steps, progress) => steps.methodEnded(progress, "Y", browser)),
        "Success"
      )
      assert.deepInclude(scripted.issuer.requests[0], {
        completionIndicator: "Y",
        notificationUrl: `${ScriptedGateway.baseUrl}/3ds/${token}/challenge`
      })
      assert.strictEqual(scripted.issuer.requests[0]?.browser.userAgent, "Browser")
      assert.deepStrictEqual(yield* step(token), { _tag: "Challenge", acsUrl: Issuer.acsUrl, creq: Issuer.creq })
      assert.strictEqual(
        yield* advance(token, (steps, progress) => steps.challengeEnded(progress, ScriptedGateway.cres())),
        "Success"
      )
      assert.deepStrictEqual(yield* step(token), { _tag: "Done" })
      assert.lengthOf(scripted.authorized, 1)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("accepts a repeated result without a second effect, and refuses a wrong one", () => {
    const scripted = ScriptedGateway.make({ report: undefined })
    return Effect.gen(function* () {
      const token = yield* begun
      yield* advance(token, (steps, progress) => steps.methodEnded(progress, "Y", browser))
      assert.strictEqual(
        yield* advance(token, (steps, progress) => steps.methodEnded(progress, "N", browser)),
        "Success"
      )
      assert.lengthOf(scripted.issuer.requests, 1)
      const foreign = ScriptedGateway.cres({ acsTransID: "00000000-0000-4000-8000-000000000000" })
      assert.strictEqual(yield* advance(token, (steps, progress) => steps.challengeEnded(progress, foreign)), "Failure")
      assert.strictEqual((yield* step(token))?._tag, "Challenge")
      yield* advance(token, (steps, progress) => steps.challengeEnded(progress, ScriptedGateway.cres()))
      assert.deepStrictEqual(yield* step(token), { _tag: "Waiting" })
      assert.strictEqual(
        yield* advance(token, (steps, progress) => steps.challengeEnded(progress, ScriptedGateway.cres())),
        "Success"
      )
      assert.strictEqual(scripted.issuer.reports, 1)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("accepts only a signed PaRes with the right MD as the answer to a PaReq", () => {
    const issuer = Certificates.identity("Issuer")
    const pareq = Writer.pareq()
    const scripted = ScriptedGateway.make({
      enrolment: { _tag: "Version1", acsUrl: Issuer.acsUrl, pareq, md: "MD-1", xid: Writer.purchase.xid },
      roots: [issuer.certificate.toString()]
    })
    return Effect.gen(function* () {
      const token = yield* begun
      const termUrl = `${ScriptedGateway.baseUrl}/3ds/${token}/pares`
      assert.deepStrictEqual(yield* step(token), { _tag: "PaReq", acsUrl: Issuer.acsUrl, pareq, md: "MD-1", termUrl })
      const forged = Writer.pares({}, { by: Certificates.identity("Issuer") })
      const genuine = Writer.pares({}, { by: issuer })
      assert.strictEqual(
        yield* advance(token, (steps, progress) => steps.paresArrived(progress, forged, "MD-1")),
        "Failure"
      )
      assert.strictEqual(
        yield* advance(token, (steps, progress) => steps.paresArrived(progress, genuine, "MD-2")),
        "Failure"
      )
      assert.strictEqual(
        yield* advance(token, (steps, progress) => steps.paresArrived(progress, genuine, "MD-1")),
        "Success"
      )
      assert.deepStrictEqual(yield* step(token), { _tag: "Done" })
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("finds nothing by an unknown page token, or by the token of an order in merchant mode", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
      const row = yield* ScriptedGateway.authenticationOf(orderid)
      for (const token of ["x", row?.pageToken ?? ""]) assert.isUndefined(yield* step(token))
      assert.lengthOf(scripted.issuer.requests, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("gives every order its own page token", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const first = yield* ScriptedGateway.authenticationOf(yield* ScriptedGateway.sale(endpoints.gateway))
      const second = yield* ScriptedGateway.authenticationOf(
        yield* ScriptedGateway.sale(endpoints.gateway, { client_orderid: "sale-2" })
      )
      assert.notStrictEqual(first?.pageToken, second?.pageToken)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})
