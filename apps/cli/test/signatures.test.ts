import { createHmac, createVerify } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { pay, secrets } from "./Pay.ts"
import { env, json, publicKeyFile, rsa, sha1 } from "./SigningMerchant.ts"
import { file } from "./TestFiles.ts"

const { controlKey } = secrets

describe("pay sign", () => {
  it("shows the values, the preimage with its key masked, and the control", async () => {
    const args = ["sign", "capture", "--client", "902B4FF5", "--orderid", "1", "--amount", "10.42", "--cur", "USD"]
    const { code, err, out } = await pay(args, { env })
    expect([code, err]).toEqual([0, ""])
    expect(out).toContain("amount          1042  (10.42 USD)")
    expect(out).toContain("preimage  merchantlogin902B4FF511042USD<control key>")
    expect(out).toContain(`control   ${sha1(`merchantlogin902B4FF511042USD${controlKey}`)}`)
  })

  it("prints the secret of webhooks, from which a library computes the signature of a callback", async () => {
    const { json: printed } = await json(["sign", "webhook-secret"])
    const secret = createHmac("sha256", controlKey).update("pay/webhook/v1").digest("base64")
    expect(printed).toEqual({ secret: `whsec_${secret}` })
    expect(await pay(["sign", "webhook-secret"], { env })).toMatchObject({ code: 0, out: `whsec_${secret}\n` })
    expect((await pay(["sign", "webhook-secret", "x"], { env })).code).toBe(2)
  })

  it("signs the path of the gateway's profile with OAuth", async () => {
    const args = ["sign", "v4/status", "--client_orderid=1", "--orderid=2"]
    const settings = ["--base-url=https://gateway.example", "--gateway-profile=paynet", "--endpoint-id"]
    for (const [endpointId, path] of [
      ["7", "/paynet/api/v4/status/7"],
      ["group/7", "/paynet/api/v4/status/group/7"]
    ] as const) {
      const { json: signed } = await json([...args, ...settings, endpointId])
      expect(new URL(signed.url).pathname).toBe(path)
    }
    const twice = await pay([...args, "--gateway-profile=paynet"], { env })
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining("--base-url must not end with /paynet")])
    const run = await pay(args, { env: { ...env, PAY_GATEWAY_PROFILE: "paynett" } })
    expect([run.code, run.out]).toEqual([2, ""])
    expect(run.err).toContain("--gateway-profile has an unknown word: paynett")
  })

  it.each([
    [
      "JPY times 100 with --control-amount=x100",
      ["return", "--client_orderid=1", "--orderid=2", "--amount=10", "--currency=JPY", "--control-amount=x100"],
      "merchantlogin121000JPY"
    ],
    [
      "the endpoint given as a flag",
      ["account-verification", "--client_orderid=1", "--email=a@b.cc", "--endpoint-id=7"],
      "71a@b.cc"
    ]
  ])("signs %s", async (_, args, preimage) => {
    const { code, json: output } = await json(["sign", ...args])
    expect(code).toBe(0)
    expect(output).toMatchObject({
      scheme: "control",
      preimage: `${preimage}<control key>`,
      control: sha1(preimage + controlKey)
    })
  })

  it("reads fields from a form, and prefers flags", async () => {
    const form = file("body.txt", "client_orderid=old&orderid=2&control=ignored\n")
    const { json: output } = await json(["sign", "void", "--form", form, "--client_orderid", "1"])
    expect(output.preimage).toBe("merchantlogin12<control key>")
  })

  it("reads the key from standard input, without the line break at its end", async () => {
    const args = ["sign", "status", "--client_orderid", "1", "--control-key-file", "-"]
    const { json: output } = await json(args, { env: { ...env, PAY_CONTROL_KEY: "other" }, input: `${controlKey}\n` })
    expect(output.control).toBe(sha1(`merchantlogin1${controlKey}`))
  })

  it("shows the base string and the header of OAuth HMAC-SHA1", async () => {
    const args = ["--client_orderid", "1", "--amount", "5.00", "--currency", "USD", "--order_desc", "a b"]
    const { json: output } = await json(["sign", "payout", ...args, "--timestamp", "1700000000", "--nonce", "n1"])
    const baseString =
      "POST&https%3A%2F%2Fgateway.example%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F1111&amount%3D5.00%26client_orderid%3D1%26currency%3DUSD%26oauth_consumer_key%3Dmerchantlogin%26oauth_nonce%3Dn1%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1700000000%26oauth_version%3D1.0%26order_desc%3Da%2520b"
    expect(output).toMatchObject({ scheme: "oauth", method: "HMAC-SHA1", baseString, isMasked: false })
    const signature = createHmac("sha1", `${controlKey}&`).update(baseString).digest("base64")
    expect(output.authorization).toContain(`oauth_signature="${encodeURIComponent(signature)}"`)
  })

  it("signs OAuth RSA-SHA256 with the private key", async () => {
    const fields = ["--client-order-id=1", "--amount=5.00", "--currency=USD", "--order_desc=1"]
    const { json: output } = await json(["sign", "v4/payout", ...fields])
    const signature = decodeURIComponent(/oauth_signature="([^"]*)"/.exec(output.authorization)?.[1] ?? "")
    const verifier = createVerify("sha256").update(output.baseString)
    expect(verifier.verify(rsa.publicKey, signature, "base64")).toBe(true)
  })

  it("masks card data in the base string, and says so", async () => {
    const input = `credit_card_number=${secrets.cardNumber}&cvv2=${secrets.cvv}`
    const fields = ["--client_orderid=1", "--amount=5", "--currency=USD", "--order_desc=x", "--ipaddress=1.1.1.1"]
    const { code, out } = await pay(["sign", "transfer", ...fields, "--form=-"], { env, input })
    expect(code).toBe(0)
    expect(out).toContain("credit_card_number%3D401288%252A%252A%252A%252A%252A%252A1881%26")
    expect(out).toContain("cvv2%3D%252A%252A%252A%26")
    expect(out).toContain("Numbers in the base string are masked here")
  })

  it("masks the recipient of a payout", async () => {
    const fields = ["--client_orderid=1", "--amount=5", "--currency=USD", "--account_number=DE89370400440532013000"]
    const { out } = await pay(["sign", "v4/payout", ...fields, "--phone=1234567"], { env })
    expect(out).not.toContain("DE8937040044")
    expect(out).toContain("3000")
    expect(out).not.toContain("4567")
  })
})

describe.each(PayApi.all.map((operation) => [operation.command, operation] as const))(
  "the signature of %s",
  (command, operation) => {
    it("is accepted by pay verify", async () => {
      const { login: _, ...fields } = Sample.request(operation)
      const input = new URLSearchParams(fields).toString()
      const signed = await json(["sign", command, "--form=-"], { input })
      expect(signed.code).toBe(0)
      const received = signed.json.control ?? signed.json.authorization
      const key = ["--public-key-file", publicKeyFile]
      const right = await pay(["verify", command, "--form=-", ...key, "--received", received], { env, input })
      expect([right.code, right.out]).toEqual([0, expect.stringContaining("is right")])
    })
  }
)

describe("pay verify", () => {
  it.each([
    [
      "void",
      ["--client_orderid=1", "--orderid=2"],
      "--orderid=3",
      "it is not the SHA-1 over login, client_orderid, orderid"
    ],
    ["payout", ["--client_orderid=1"], "--amount=7", "the signature does not belong to this request and key"]
  ])("refuses a signature of %s over other fields", async (command, fields, other, says) => {
    const signed = await json(["sign", command, ...fields])
    const received = signed.json.control ?? signed.json.authorization
    const kept = fields.filter((flag) => flag.split("=")[0] !== other.split("=")[0])
    const run = await pay(["verify", command, ...kept, other, "--received", received], { env })
    expect([run.code, run.out]).toEqual([1, expect.stringContaining(says)])
  })

  const control = sha1(`approved12${controlKey}`)
  const callback = `https://shop.example/cb?status=approved&orderid=1&client_orderid=2&amount=1&control=${control}`
  it("confirms the control of a callback, and shows its signed fields", async () => {
    const { code, json: output } = await json(["verify", "callback", callback])
    expect(code).toBe(0)
    expect(output).toMatchObject({ right: true, status: "approved", orderid: "1", client_orderid: "2" })
  })

  const query = callback.slice(callback.indexOf("?") + 1)
  const secret = createHmac("sha256", controlKey).update("pay/webhook/v1").digest()
  const webhook = (text: string) => `v1,${createHmac("sha256", secret).update(text).digest("base64")}`
  const headers = ["--webhook-id", "msg_1", "--webhook-timestamp", "1700000000"]
  const signature = ["--webhook-signature", webhook(`msg_1.1700000000.${query}`)]
  it.each([
    ["a changed order number", [callback.replace("orderid=1", "orderid=3")], 1, "its control is not the SHA-1"],
    ["valid webhook headers", [callback, ...headers, ...signature, "--at", "1700000100"], 0, "prove the whole address"],
    ["half of the webhook headers", [callback, ...headers], 1, "webhook-signature is missing"]
  ])("judges a callback with %s correctly", async (_, args, code, says) => {
    const run = await pay(["verify", "callback", ...args], { env })
    expect([run.code, run.out]).toEqual([code, expect.stringContaining(says)])
  })

  it("reads the control from a pasted form, in upper or lower case", async () => {
    const body = `client_orderid=1&control=${sha1(`merchantlogin1${controlKey}`).toUpperCase()}`
    const run = await pay(["verify", "status", "--form", "-"], { env, input: body })
    expect(run.code).toBe(0)
  })

  it.each([
    ["an old timestamp", "1600000000", "oauth_timestamp is 300001 s in the past"],
    ["a timestamp in the future", "1600600002", "oauth_timestamp is 300001 s in the future"]
  ])("refuses %s", async (_, timestamp, says) => {
    const signed = await json(["sign", "payout", "--client_orderid=1", "--timestamp", timestamp])
    const args = ["verify", "payout", "--client_orderid=1", "--received", signed.json.authorization]
    const run = await pay([...args, "--at", "1600300001"], { env })
    expect([run.code, run.out]).toEqual([1, expect.stringContaining(says)])
  })
})
