import { assert, describe, it } from "@effect/vitest"
import * as SecondFactor from "../../src/signin/decide/SecondFactor.ts"

/** The secret of the test vectors in RFC 6238, appendix B, for SHA-1. */
const secret = Buffer.from("12345678901234567890")
/** The times of the vectors, in seconds, with the last six digits of their codes. */
const vectors = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"]
] as const

const enrolled: SecondFactor.SecondFactor = {
  name: "ada",
  version: 1,
  encryptedSecret: new Uint8Array(),
  lastStep: 0,
  failures: 0,
  failedAtMs: 0,
  enrolledAtMs: 0,
  confirmedAtMs: null
}

const judge = (code: string, seconds: number, changes: Partial<SecondFactor.SecondFactor> = {}) =>
  SecondFactor.judge({ ...enrolled, ...changes }, secret, code, seconds * 1000).verdict

describe("a code of the second step", () => {
  it.each(vectors)("at %d s is %s", (seconds, code) => {
    assert.strictEqual(judge(code, seconds), "Right")
  })

  const [at, code] = vectors[3]
  const step = Math.floor(at / 30)
  const wrong = code.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))
  it.each([
    ["of the step before, from a slow clock", code, at + 30, {}, "Right"],
    ["of the step after, from a fast clock", code, at - 30, {}, "Right"],
    ["of two steps before", code, at + 60, {}, "Wrong"],
    ["of two steps after", code, at - 60, {}, "Wrong"],
    ["that was accepted before", code, at, { lastStep: step }, "Wrong"],
    ["of an earlier step than the accepted one", code, at, { lastStep: step + 1 }, "Wrong"],
    ["after the clock was set back", code, at, { lastStep: step + 2880 }, "Wrong"],
    ["that is another", wrong, at, {}, "Wrong"],
    ["that is empty", "", at, {}, "Wrong"],
    ["with a letter", "00592a", at, {}, "Wrong"],
    ["that is longer", `${code}0`, at, {}, "Wrong"],
    ["after four wrong ones", code, at, { failures: 4, failedAtMs: at * 1000 }, "Right"],
    ["after five wrong ones", code, at, { failures: 5, failedAtMs: at * 1000 }, "Paused"],
    ["14 minutes after the fifth wrong one", code, at, { failures: 5, failedAtMs: (at - 14 * 60) * 1000 }, "Paused"],
    ["16 minutes after the fifth wrong one", code, at, { failures: 5, failedAtMs: (at - 16 * 60) * 1000 }, "Right"],
    ["after the clock was set back by an hour", code, at, { failures: 5, failedAtMs: (at + 3600) * 1000 }, "Right"]
  ] as const)("%s", (_, typed, seconds, changes, verdict) => {
    assert.strictEqual(judge(typed, seconds, changes), verdict)
  })

  it("counts anew after a pause, and begins anew after a right one", () => {
    const changed = ({ change }: SecondFactor.Judged) => change.writes.map((write) => JSON.stringify(write)).join()
    const late = { ...enrolled, failures: 5, failedAtMs: (at - 3600) * 1000 }
    assert.include(changed(SecondFactor.judge(late, secret, wrong, at * 1000)), '"failures":1')
    assert.include(changed(SecondFactor.judge(late, secret, code, at * 1000)), `"lastStep":${step},"failures":0`)
  })

  it("is made from the address that an authenticator takes", () => {
    assert.deepStrictEqual(SecondFactor.shown("ada", secret), {
      secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
      uri: "otpauth://totp/pay:ada?issuer=pay&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30"
    })
  })
})
