/**
 * The promises of every 3-D Secure server, as test cases. Each case is a program for the server of its context, with references
 * of its own. The simulator's tests run all of them. The tests of an adapter to a real server run them with cards of its test
 * system.
 *
 * ```ts
 * for (const { name, run } of ThreeDSServerContract.cases(cards)) it.effect(name, () => Effect.provide(run, SandboxThreeDS.layer()))
 * ```
 */
import assert from "node:assert/strict"
import { X509Certificate } from "node:crypto"
import { CustomerAddress } from "@pay/gateway/Gateway"
import {
  type BrowserInformation,
  type Lookup,
  ThreeDSServer,
  type ThreeDSServerError
} from "@pay/gateway/ThreeDSServer"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Random, Redacted, Result } from "effect"
import * as Contract from "./Contract.ts"

/** One promise: a program that fails if the 3-D Secure server breaks it. */
export type Case = Contract.Case<ThreeDSServerError, ThreeDSServer>

/** Card numbers by their result, and the orders that are made with them. A server without version 1 leaves out its card. */
export interface Options extends Partial<Contract.ContractOrder> {
  readonly notEnrolled: string
  readonly authenticated: string
  readonly refused: string
  readonly challenged: string
  readonly version1?: string | undefined
}

const browser: BrowserInformation = {
  acceptHeader: "text/html",
  ip: CustomerAddress.of("192.0.2.1"),
  javaEnabled: false,
  javascriptEnabled: true,
  language: "en",
  colorDepth: 24,
  screenHeight: 1080,
  screenWidth: 1920,
  timeZoneMinutes: 0,
  userAgent: "Mozilla/5.0"
}

const notificationUrl = "https://shop.example/back"

/** Makes one authentication with the requests that a case may send about it. */
const open = Effect.fnUntraced(function* (pan: string, { amountMinor, currency }: Contract.ContractOrder) {
  const server = yield* ThreeDSServer
  const orderId = `${yield* Random.nextIntBetween(1, Number.MAX_SAFE_INTEGER)}`
  const lookup: Lookup = {
    reference: `${orderId}-threeds-1`,
    pan: Redacted.make(pan),
    expireMonth: 12,
    expireYear: 2099,
    amountMinor,
    currency,
    merchantName: "Tea & Sons",
    browser,
    notificationUrl
  }
  const enrol = (changes: Partial<Lookup> = {}) => server.enrol({ ...lookup, ...changes })
  const version2 = Effect.map(enrol(), (enrolment) => {
    assert.ok(enrolment._tag === "Version2", enrolment._tag)
    return enrolment
  })
  const authenticate = Effect.flatMap(version2, ({ serverTransId, session }) =>
    server.authenticate({
      reference: lookup.reference,
      serverTransId,
      session,
      completionIndicator: "U",
      browser,
      notificationUrl
    })
  )
  /** Requests the result of the challenge. */
  const result = Effect.gen(function* () {
    const { serverTransId } = yield* version2
    const answer = yield* authenticate
    return yield* server.result(serverTransId, answer._tag === "Challenge" ? answer.session : undefined)
  })
  return { server, lookup, enrol, version2, authenticate, result }
})

type Counterparty = Effect.Success<ReturnType<typeof open>>

/** A UUID of any version (EMV 3-D Secure, threeDSServerTransID). */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns all cases for the cards of one server. */
export const cases = (cards: Options): ReadonlyArray<Case> => {
  const terms = { ...Contract.anyOrder, ...cards }
  const make = (
    name: string,
    advice: string,
    card: string,
    run: (side: Counterparty) => Effect.fn.Return<void, ThreeDSServerError, ThreeDSServer>
  ): Case => ({ name, advice, run: Effect.flatMap(open(card, terms), Effect.fnUntraced(run)) })

  const version1 = (pan: string): Case =>
    make(
      "a version 1 card gets a PaReq with the amount of the order, the same on a repeat",
      "Build the PaReq from amountMinor, and keep it with the reference.",
      pan,
      function* ({ enrol }) {
        const enrolment = yield* enrol()
        assert.ok(enrolment._tag === "Version1", enrolment._tag)
        const xml = Result.getOrThrow(ThreeDS.xml.decode(enrolment.pareq))
        assert.ok(xml.includes(`<purchAmount>${terms.amountMinor}</purchAmount>`))
        assert.ok(xml.includes(`<xid>${enrolment.xid}</xid>`))
        assert.deepEqual(yield* enrol(), enrolment)
      }
    )

  return [
    {
      name: "declares a deadline and the root certificates for signatures of PaRes messages",
      advice: "Set capabilities.paresRoots to the root certificates of the card schemes, in PEM. It may be empty.",
      run: Effect.map(ThreeDSServer, ({ capabilities }) => {
        assert.ok(capabilities.deadlineMs > 0)
        for (const pem of capabilities.paresRoots) assert.ok(new X509Certificate(pem).ca)
      })
    },
    make(
      "a card that is not enrolled is an answer, not a failure",
      "Return NotEnrolled if the directory does not have the card.",
      cards.notEnrolled,
      function* ({ enrol }) {
        assert.deepEqual(yield* enrol(), { _tag: "NotEnrolled" })
      }
    ),
    make(
      "an enrolled card gets version 2 and a server transaction id",
      "Return the server's threeDSServerTransID (a UUID) and a version such as 2.2.0.",
      cards.challenged,
      function* ({ version2 }) {
        const { serverTransId, version } = yield* version2
        assert.match(serverTransId, uuid)
        assert.match(version, /^2\.\d\.0$/)
      }
    ),
    make(
      "a repeated look-up gets the same answer",
      "Keep the transaction with the reference.",
      cards.challenged,
      function* ({ enrol }) {
        assert.deepEqual(yield* enrol(), yield* enrol())
      }
    ),
    make(
      "a look-up under another reference gets another server transaction id",
      "Make one transaction for each reference.",
      cards.challenged,
      function* ({ enrol, lookup, version2 }) {
        const { serverTransId } = yield* version2
        const other = yield* enrol({ reference: lookup.reference.replace(/1$/, "2") })
        assert.ok(other._tag === "Version2" && other.serverTransId !== serverTransId, JSON.stringify(other))
      }
    ),
    make(
      "an authentication without a challenge returns its verdict at once, with ECI and authentication value",
      "Use a card that the test system authenticates without a challenge, and return its ECI and authentication value (as Redacted).",
      cards.authenticated,
      function* (side) {
        const answer = yield* side.authenticate
        assert.ok(answer._tag === "Finished", JSON.stringify(answer))
        const { authenticationValue, eci, transStatus } = answer.verdict
        assert.ok(
          ["Y", "A"].includes(transStatus) && eci !== undefined && authenticationValue !== undefined,
          JSON.stringify(answer)
        )
        assert.deepEqual(yield* side.authenticate, answer)
      }
    ),
    make(
      "a refused authentication has no authentication value",
      "Use a card that the test system refuses, and leave out authenticationValue.",
      cards.refused,
      function* (side) {
        const answer = yield* side.authenticate
        assert.ok(answer._tag === "Finished" && ["N", "R"].includes(answer.verdict.transStatus), JSON.stringify(answer))
        assert.equal(answer.verdict.authenticationValue, undefined)
      }
    ),
    make(
      "a challenge names both transaction ids, and a repeated request returns the same challenge",
      "Build the CReq from threeDSServerTransID and acsTransID, and keep it with the reference.",
      cards.challenged,
      function* (side) {
        const { serverTransId, version } = yield* side.version2
        const answer = yield* side.authenticate
        assert.ok(answer._tag === "Challenge", JSON.stringify(answer))
        assert.deepEqual(Result.getOrThrow(ThreeDS.creq.decode(answer.creq)), {
          messageType: "CReq",
          messageVersion: version,
          threeDSServerTransID: serverTransId,
          acsTransID: answer.acsTransId
        })
        assert.deepEqual(yield* side.authenticate, answer)
      }
    ),
    make(
      "no result is available before the challenge has ended",
      "Return undefined until the issuer has reported (RReq).",
      cards.challenged,
      function* (side) {
        assert.equal(yield* side.result, undefined)
      }
    ),
    ...(cards.version1 === undefined ? [] : [version1(cards.version1)])
  ]
}
