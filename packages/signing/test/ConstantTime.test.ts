import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest"
import * as Control from "../src/Control.ts"
import * as OAuth from "../src/OAuth.ts"
import * as StandardWebhooks from "../src/StandardWebhooks.ts"

const { timingSafeEqual } = crypto
const compared = vi.fn(timingSafeEqual)

/** Modules that have imported the function by its name get the other one, too. */
const replace = (by: typeof timingSafeEqual): void => {
  Object.assign(crypto, { timingSafeEqual: by })
  syncBuiltinESMExports()
}

beforeAll(() => replace((left, right) => compared(left, right)))
afterAll(() => replace(timingSafeEqual))
beforeEach(() => {
  compared.mockClear()
})

const [one, two, three] = ["1".repeat(40), "2".repeat(40), "3".repeat(40)]

it.each([one, two, three, "0".repeat(40)])(
  "a control is compared with every candidate in constant time: %s",
  (received) => {
    Control.verifyAny(received, [one, two, three])
    expect(compared).toHaveBeenCalledTimes(3)
  }
)

it("an HMAC is compared in constant time", () => {
  const key = OAuth.hmac("key")
  const request = { method: "POST", url: "https://gateway.example/", consumerKey: "login", parameters: [] }
  const signed = OAuth.sign({ ...request, timestampSeconds: 1, nonce: "n" }, key)
  const parsed = OAuth.parse({ ...request, authorization: signed.ok ? signed.authorization : "" })
  expect(parsed.ok && OAuth.verify(parsed.claim, key, { nowSeconds: 1, toleranceSeconds: 0 }).ok).toBe(true)
  expect(compared).toHaveBeenCalledTimes(1)
})

it("a webhook signature is compared with every secret in constant time", () => {
  const message = { id: "m", timestampSeconds: 1, content: "a=1" }
  const secrets = [StandardWebhooks.secret("new"), StandardWebhooks.secret("old")]
  const headers = StandardWebhooks.sign(message, secrets)
  const received = { headers, content: message.content, secrets, nowSeconds: 1, toleranceSeconds: 0 }
  expect(StandardWebhooks.verify(received).ok).toBe(true)
  expect(compared).toHaveBeenCalledTimes(4)
})
