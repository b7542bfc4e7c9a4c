import { assert, describe, it } from "@effect/vitest"
import type * as Decision from "../../src/kernel/Decision.ts"
import type { Authentication } from "../../src/threeds/decide/Authentication.ts"
import * as AuthenticationProgress from "../../src/threeds/decide/AuthenticationProgress.ts"
import * as BrowserFacts from "../../src/threeds/decide/BrowserFacts.ts"
import * as ThreeDSBegin from "../../src/threeds/decide/ThreeDSBegin.ts"
import * as Sample from "../domain/Sample.ts"
import * as Issuer from "./Issuer.ts"

const nowMs = 5_000
const claim = { token: "next", leaseUntilMs: 65_000 }
const limits: AuthenticationProgress.StageLimits = {
  nowMs,
  claim,
  methodMs: 10_000,
  browserMs: 30_000,
  challengeMs: 600_000,
  unavailable: "decline"
}

const contextOf = (changes: Partial<Authentication>): AuthenticationProgress.AuthenticationContext => ({
  order: Sample.sale({ state: "authenticating", version: 7 }),
  request: Sample.request({ action: "sale", sequence: 0 }),
  job: Sample.job({ jobId: "threeds:1", kind: "threeds", subject: "1" }),
  authentication: {
    ...ThreeDSBegin.begin(
      { merchantId: "m", orderId: "1" },
      { mode: "gateway", pageToken: "token", browser: BrowserFacts.none, attempt: 1 },
      nowMs,
      undefined
    ).authentication,
    version: 3,
    ...changes
  }
})

const passed = (transStatus: string): AuthenticationProgress.EncryptedVerdict => ({
  transStatus,
  eci: null,
  encryptedAuthenticationValue: null
})

const events: ReadonlyArray<readonly [string, Partial<Authentication>, AuthenticationProgress.Event]> = [
  ["not enrolled", { stage: "enrol" }, { _tag: "Enrolled", enrolment: { _tag: "NotEnrolled" } }],
  ["enrolled", { stage: "enrol" }, { _tag: "Enrolled", enrolment: Issuer.withMethod }],
  ["no answer to a look-up", { stage: "enrol" }, { _tag: "Silent" }],
  ["no method in time", { stage: "method" }, { _tag: "Deadline" }],
  ["a verdict", { stage: "areq" }, { _tag: "Finished", verdict: passed("Y") }],
  ["a challenge", { stage: "areq" }, { _tag: "Challenged", acsUrl: "", creq: "", acsTransId: "" }],
  ["no customer in time", { stage: "challenge" }, { _tag: "Deadline" }],
  ["no PaRes in time", { stage: "pareq" }, { _tag: "Deadline" }],
  ["a report", { stage: "result" }, { _tag: "Reported", verdict: passed("N") }],
  ["no report yet", { stage: "result" }, { _tag: "Silent" }]
]

const guardText = (guard: Decision.Guard): string => {
  switch (guard._tag) {
    case "LeaseIs":
      return `${guard.jobId} held as ${guard.token}`
    case "VersionIs":
      return `${guard.entity.name} ${guard.key.join()} is ${guard.version}`
    default:
      return guard._tag
  }
}

describe("a step of 3-D Secure", () => {
  const versions = ["orders 1 is 7", "authentications 1 is 3"]
  it.each(events)("commits on %s only under its lease and the versions that were read", (_name, changes, event) => {
    const { decision } = AuthenticationProgress.decide(contextOf(changes), event, limits)
    assert.deepStrictEqual(decision.guards.map(guardText), ["threeds:1 held as mine", ...versions])
  })

  it("commits a browser's result under the versions that were read, with any holder of the lease", () => {
    const { decision } = AuthenticationProgress.browserReturned(contextOf({ stage: "challenge" }), [], limits)
    assert.sameMembers(decision.guards.map(guardText), versions)
  })
})
