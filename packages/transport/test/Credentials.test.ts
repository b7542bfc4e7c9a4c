import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as OAuth from "@pay/signing/OAuth"
import { Effect, Redacted, Ref } from "effect"
import * as PayClient from "../src/PayClient.ts"
import * as Wire from "../src/Wire.ts"
import { capture, controlKey, keys, options, privatePem, recording } from "./Merchant.ts"

const other = generateKeyPairSync("rsa", { modulusLength: 2048 })
const otherPem = other.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
const otherControlKey = "another-control-key"

const toAccount = {
  amount: "10.42",
  currency: "USD",
  account_number: Redacted.make("DE89370400440532013000")
}
const payout = { ...toAccount, client_orderid: "902B4FF5" }
const payoutV4 = { ...toAccount, "client-order-id": "902B4FF5" }

/** Returns which key signed a request. */
const signedBy = (request: Wire.WireRequest): string => {
  const parsed = OAuth.parse({
    method: "POST",
    url: request.url,
    authorization: request.headers.authorization,
    parameters: [...new URLSearchParams(request.body)]
  })
  if (!parsed.ok) return assert.fail(JSON.stringify(parsed.reason))
  const candidates = [
    ["first RSA key", OAuth.rsaPublic(keys.publicKey)],
    ["other RSA key", OAuth.rsaPublic(other.publicKey)],
    ["first control key", OAuth.hmac(controlKey)],
    ["other control key", OAuth.hmac(otherControlKey)]
  ] as const
  const at = { nowSeconds: parsed.claim.timestampSeconds, toleranceSeconds: 0 }
  const signer = candidates.find(([, key]) => OAuth.verify(parsed.claim, key, at).ok)
  return signer?.[0] ?? "no key"
}

const calls = Effect.gen(function* () {
  const client = yield* PayClient.PayClient
  yield* client.payoutV4(payoutV4)
  yield* client.payout(payout)
  yield* client.void(capture)
})

const build = (more: Partial<PayClient.Options>) =>
  PayClient.make({ ...options, ...more }).pipe(Effect.provide(Wire.layerInProcess(() => Effect.never)))

it.live("a control key that was pasted with blanks signs without them", () => {
  const { layer, requests } = recording({ ...options, controlKey: Redacted.make(`${controlKey}\r\n`) })
  return Effect.gen(function* () {
    const client = yield* PayClient.PayClient
    yield* client.payout(payout)
    assert.deepStrictEqual(requests.map(signedBy), ["first control key"])
  }).pipe(Effect.provide(layer))
})

describe("credentials that change while the client runs", () => {
  it.live("sign each call with the current keys", () =>
    Effect.gen(function* () {
      const controlKeys = yield* Ref.make(Redacted.make(controlKey))
      const privateKeys = yield* Ref.make(Redacted.make(privatePem))
      const { layer, requests } = recording({
        ...options,
        controlKey: Ref.get(controlKeys),
        privateKey: Ref.get(privateKeys)
      })
      yield* Effect.gen(function* () {
        yield* calls
        yield* Ref.set(controlKeys, Redacted.make(otherControlKey))
        yield* calls
        yield* Ref.set(privateKeys, Redacted.make(otherPem))
        yield* calls
      }).pipe(Effect.provide(layer))
      const first = ["first RSA key", "first control key"]
      assert.deepStrictEqual(requests.filter(({ headers }) => headers.authorization !== undefined).map(signedBy), [
        ...first,
        "first RSA key",
        "other control key",
        "other RSA key",
        "other control key"
      ])
      const controls = requests.flatMap(({ body }) => new URLSearchParams(body).get("control") ?? [])
      assert.deepStrictEqual(
        controls.map((control) => control === controls[0]),
        [true, false, false]
      )
    })
  )

  it.effect("fail the call if a new key is invalid, and the error names the key but not its text", () =>
    Effect.gen(function* () {
      const privateKey = yield* Ref.make(Redacted.make(privatePem))
      const { layer, requests } = recording({ ...options, privateKey: Ref.get(privateKey) })
      const payingOut = Effect.flatMap(PayClient.PayClient, (client) => Effect.result(client.payoutV4(payoutV4)))
      const [, refused] = yield* Effect.all([
        payingOut,
        Effect.andThen(Ref.set(privateKey, Redacted.make("secret-canary")), payingOut)
      ]).pipe(Effect.provide(layer))
      assert(refused._tag === "Failure" && refused.failure._tag === "InvalidRequest")
      assert.strictEqual(
        refused.failure.message,
        "PAYOUT_V4: privateKey is not a private key in PEM form: give its text, from -----BEGIN to -----END"
      )
      assert.strictEqual(requests.length, 1)
    })
  )

  it.effect("are checked when the client is created", () =>
    Effect.gen(function* () {
      const wrong = yield* Effect.flip(build({ privateKey: Effect.succeed(Redacted.make("secret-canary")) }))
      assert.strictEqual(
        wrong.message,
        "privateKey is not a private key in PEM form: give its text, from -----BEGIN to -----END"
      )
      assert.strictEqual(
        yield* Effect.map(Effect.flip(build({ controlKey: Effect.succeed(Redacted.make("")) })), String),
        "InvalidSetting: controlKey is empty"
      )
    })
  )
})

/** Passes options that TypeScript would refuse, as plain JavaScript may. */
const plain = (more: object): Partial<PayClient.Options> => more

describe("a secret that is plain text", () => {
  it.effect.each([
    ["controlKey", { controlKey: "secret-canary" }],
    ["controlKey", { controlKey: Effect.succeed("secret-canary") }],
    ["privateKey", { privateKey: privatePem }]
  ] as const)("is refused by the name $0, and not repeated", ([setting, options]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(build(plain(options)))
      assert.deepInclude(error, {
        setting,
        problem: "must be Redacted, so that no log can show it: Redacted.make(text)"
      })
    })
  )
})
