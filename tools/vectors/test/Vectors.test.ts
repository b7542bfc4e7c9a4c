import { createPrivateKey, createPublicKey } from "node:crypto"
import * as PayApi from "@pay/schema/PayApi"
import * as CallbackSignature from "@pay/signing/Callback"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { describe, expect, it } from "vitest"
import callbacks from "../callbacks.json" with { type: "json" }
import control from "../control.json" with { type: "json" }
import oauth from "../oauth.json" with { type: "json" }

const signedBy = (scheme: "Control" | "OAuth") =>
  PayApi.all.filter(({ signing }) => signing._tag === scheme).map(({ command }) => command)

const parameterOf = ([name = "", value = ""]: ReadonlyArray<string>): Form.Parameter => [name, value]

describe("the vectors of control", () => {
  it("cover every operation that is signed with a control", () =>
    expect(new Set(control.vectors.map(({ operation }) => operation))).toEqual(new Set(signedBy("Control"))))

  it.each(control.vectors)("match the signature recipe: $about", ({ control: expected, recipe, text, values }) => {
    const bySlot = Object.fromEntries(recipe.map((slot, index) => [slot, values[index]]))
    expect(Control.preimage(recipe, bySlot, control.controlKey)).toBe(text)
    expect(Control.sign(recipe, bySlot, control.controlKey)).toBe(expected)
  })
})

describe("the vectors of OAuth", () => {
  const verifying = {
    "HMAC-SHA1": OAuth.hmac(oauth.controlKey),
    "RSA-SHA256": OAuth.rsaPublic(createPublicKey(oauth.publicKey))
  }

  it("cover every operation that is signed with OAuth", () =>
    expect(new Set(oauth.vectors.map(({ operation }) => operation))).toEqual(new Set(signedBy("OAuth"))))

  it("have a private and a public key of one pair", () => {
    const derived = createPublicKey(createPrivateKey(oauth.privateKey)).export({ type: "spki", format: "pem" })
    expect(derived).toBe(oauth.publicKey)
  })

  it.each(oauth.vectors)(
    "have a valid signature: $about",
    ({ authorization, parameters, signatureMethod, timestamp, url }) => {
      const parsed = OAuth.parse({ method: "POST", url, authorization, parameters: parameters.map(parameterOf) })
      if (!parsed.ok) throw new Error(parsed.reason._tag)
      const key = signatureMethod === "HMAC-SHA1" ? verifying["HMAC-SHA1"] : verifying["RSA-SHA256"]
      const judged = { nowSeconds: Number(timestamp), toleranceSeconds: 300 }
      expect(OAuth.verify(parsed.claim, key, judged)).toMatchObject({ ok: true })
    }
  )
})

describe("the vectors of callbacks", () => {
  it("contain valid and invalid callbacks", () =>
    expect(new Set(callbacks.vectors.map(({ valid }) => valid))).toEqual(new Set([true, false])))

  it.each(callbacks.vectors)(
    "are verified with the expected result: $about",
    ({ canonical, headers, nowSeconds, query, toleranceSeconds, valid }) => {
      const form = Form.parse(query)
      const isControlled = form.ok && CallbackSignature.verify(form.parameters, [callbacks.controlKey]).ok
      const secrets = [StandardWebhooks.secret(callbacks.controlKey)]
      const content = CallbackSignature.signedForms(query)
      expect(content).toEqual([query, canonical])
      const webhook = StandardWebhooks.verify({ headers, content, secrets, nowSeconds, toleranceSeconds })
      expect(isControlled && webhook.ok).toBe(valid)
    }
  )
})
