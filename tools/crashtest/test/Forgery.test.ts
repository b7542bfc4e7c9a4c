import { assert, describe, it } from "@effect/vitest"
import * as CallbackContent from "@pay/schema/Callback"
import * as CallbackSignature from "@pay/signing/Callback"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Redacted, Result } from "effect"
import * as Forgery from "../src/world/Forgery.ts"
import * as SentCallback from "../src/world/SentCallback.ts"

const controlKey = "5A4DB0C5-91F0-4D7C-9A3B-1E6C0F2D7B48"
const nowSeconds = 1_800_000_000

const values = { status: "declined", orderid: "12", client_orderid: "a1" }
const parameters: SentCallback.Parameters = [
  ...Object.entries(values),
  ["merchant_order", "a1"],
  ["error_code", "107"],
  ["control", CallbackSignature.sign(values, controlKey)]
]

const signed = (content: string) => ({
  ...StandardWebhooks.sign({ id: "12-1", timestampSeconds: nowSeconds, content }, [StandardWebhooks.secret(controlKey)])
})

const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString()
const body = CallbackContent.json(parameters)

/** The decline, as each endpoint sends it. */
const forms: Readonly<Record<string, SentCallback.Callback>> = {
  query: { url: `http://127.0.0.1:9000/callback?${query}`, headers: signed(query) },
  json: { url: "http://127.0.0.1:9000/callback", headers: signed(body), body }
}

const verified = ({ body, headers, url }: SentCallback.Callback) =>
  Result.isSuccess(
    CallbackReceiver.verifyAt({ url, headers, body }, { controlKeys: [Redacted.make(controlKey)] }, nowSeconds)
  )

describe.each(Object.entries(forms))("a forged callback as %s", (_, genuine) => {
  it("has a genuine one as its pattern", () => {
    assert.isTrue(verified(genuine))
    assert.isFalse(SentCallback.isApproved(genuine))
  })

  it.each([0, 1, 2, 3, 4, 5])("says approved in way %i, and a receiver that verifies it refuses it", (number) => {
    const [says, forgery] = Forgery.forge(number, { genuine, controlKey, nowSeconds })
    assert.isTrue(SentCallback.isApproved(forgery), says)
    assert.isFalse(verified(forgery), says)
  })

  it("has five ways", () => {
    const ways = [0, 1, 2, 3, 4, 5].map((number) => Forgery.forge(number, { genuine, controlKey, nowSeconds })[0])
    assert.lengthOf(new Set(ways), 5)
  })
})
