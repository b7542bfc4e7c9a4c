import { assert, describe, expect, it } from "@effect/vitest"
import { ThreeDSServer } from "@pay/gateway/ThreeDSServer"
import * as ThreeDSServerContract from "@pay/sandbox/ThreeDSServerContract"
import * as Markup from "@pay/schema/Markup"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Redacted } from "effect"
import type { Issuer } from "../src/simulator/TestCards.ts"
import * as Adapter from "./Adapter.ts"
import * as Judge from "./Judge.ts"

const cards = {
  notEnrolled: "4111111111111111",
  authenticated: "5201281505129736",
  refused: "5555341244441115",
  challenged: "4212345678910006"
}

/** Opens the adapter on an issuer that refuses the holder of one card. */
const open = Effect.map(Adapter.open, (world) => {
  world.adyen.issuers.set(cards.refused, "refused")
  return world
})

/** Every request and every answer must be one that Adyen describes. */
const judge = ({ adyen }: Adapter.Open) => {
  for (const { body, path } of adyen.requests) {
    const schema = path.endsWith("/details") ? "PaymentDetailsRequest" : "PaymentRequest"
    expect(Judge.checkout(schema, JSON.parse(body)), path).toEqual([])
  }
}

describe("Adyen as a 3-D Secure server", () => {
  const names = ThreeDSServerContract.cases(cards).map(({ name }) => name)
  it.effect.each(names)("%s", (name) =>
    Effect.gen(function* () {
      const world = yield* open
      const run =
        ThreeDSServerContract.cases({ ...cards, currency: "EUR" }).find((each) => each.name === name)?.run ??
        Effect.die("no such case")
      yield* Effect.provideService(run, ThreeDSServer, world.threeDSServer)
      judge(world)
    })
  )
})

const lookup = {
  reference: "123-threeds-1",
  pan: Redacted.make(cards.challenged),
  expireMonth: 3,
  expireYear: 2030,
  amountMinor: 10_42,
  currency: "EUR",
  merchantName: "Tea & Sons",
  browser: {
    acceptHeader: "text/html",
    ip: undefined,
    javaEnabled: undefined,
    javascriptEnabled: false,
    language: "en",
    colorDepth: undefined,
    screenHeight: undefined,
    screenWidth: undefined,
    timeZoneMinutes: undefined,
    userAgent: "Mozilla/5.0"
  },
  notificationUrl: "https://pay.example/3ds/token/challenge"
}

/** Posts a form as a browser does, and returns the page. */
const submit = (url: string, fields: Record<string, string>) =>
  Effect.promise(async () => (await fetch(url, { method: "POST", body: new URLSearchParams(fields) })).text())

/** Answers the issuer's question, and returns the `cres` that comes back. */
const answer = Effect.fnUntraced(function* (acsUrl: string, creq: string, password: string) {
  const question = Markup.form(yield* submit(acsUrl, { creq }))
  const back = Markup.form(yield* submit(new URL(question.action ?? "", acsUrl).href, { ...question.hidden, password }))
  assert.strictEqual(back.action, lookup.notificationUrl)
  return back.hidden.cres ?? ""
})

describe("a challenge at Adyen", () => {
  it.live.each([
    ["password", "Y"],
    ["wrong", "N"]
  ] as const)("with the password %s ends with %s, which Adyen has from the issuer", ([password, transStatus]) =>
    Effect.gen(function* () {
      const world = yield* open
      const { authenticate, enrol, result } = world.threeDSServer
      const enrolment = yield* enrol(lookup)
      assert(enrolment._tag === "Version2")
      const challenge = yield* authenticate({ ...lookup, ...enrolment, completionIndicator: "Y" })
      assert(challenge._tag === "Challenge")
      assert.isUndefined(yield* result(enrolment.serverTransId, challenge.session))
      const cres = ThreeDS.cres.decode(yield* answer(challenge.acsUrl, challenge.creq, password))
      expect(cres).toMatchObject({ success: { threeDSServerTransID: enrolment.serverTransId, transStatus } })
      const verdict = yield* result(enrolment.serverTransId, challenge.session)
      assert.strictEqual(verdict?.transStatus, transStatus)
      assert.strictEqual(verdict?.authenticationValue !== undefined, transStatus === "Y")
      judge(world)
    })
  )

  it.effect.each([
    ["frictionlessAtOnce", "Finished"],
    ["challengeAtOnce", "Challenge"]
  ] as const satisfies ReadonlyArray<readonly [Issuer, string]>)(
    "of an issuer without a method step is the answer to the first request: %s",
    ([issuer, tag]) =>
      Effect.gen(function* () {
        const { adyen, threeDSServer } = yield* open
        adyen.issuers.set(cards.challenged, issuer)
        assert.strictEqual((yield* threeDSServer.enrol(lookup))._tag, tag)
      })
  )

  it.effect.each(["serverError", "garbled", "unknownResult", "answerCut", "transientError"] as const)(
    "with %s gives no verdict",
    (fault) =>
      Effect.gen(function* () {
        const { adyen, threeDSServer } = yield* open
        adyen.weather.next(fault)
        assert.strictEqual((yield* Effect.flip(threeDSServer.enrol(lookup)))._tag, "ThreeDSServerError")
      })
  )
})
