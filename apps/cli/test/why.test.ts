/** `pay why` and `pay doctor`. */
import { createPublicKey } from "node:crypto"
import { assert, it, layer } from "@effect/vitest"
import { Lifecycle } from "@pay/gateway/Entities"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import * as OrderDescription from "../src/request/OrderDescription.ts"
import { merchant, pay, secrets } from "./Pay.ts"
import * as SigningMerchant from "./SigningMerchant.ts"
import { file } from "./TestFiles.ts"
import * as TestGateway from "./TestGateway.ts"

const otherKey = file("other-merchant.pem", SigningMerchant.rsa.privateKey, 0o600)
const publicKey = file(
  "merchant-public.pem",
  createPublicKey(Sandbox.merchant.privateKeyPem).export({ type: "spki", format: "pem" }).toString()
)

const alice = TestGateway.as("alice")

const trigger = Effect.fnUntraced(function* (event: string) {
  const { publicBaseUrl } = yield* NodeServer
  const { settled } = yield* Scheduler
  const run = yield* Effect.promise(() => pay(["trigger", event, "--json"], { env: { PAY_BASE_URL: publicBaseUrl } }))
  yield* settled
  return String(JSON.parse(run.out).clientOrderId)
})

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })("pay why and pay doctor", (it) => {
  it.effect("pay why shows the history of an order, what it waits for and since when, and the next steps", () =>
    Effect.gen(function* () {
      const order = yield* trigger("3ds-challenge")
      const env = yield* TestGateway.merchant
      const { code, err, out } = yield* alice(["why", order], { env })
      assert.deepStrictEqual([code, err], [0, ""])
      assert.match(out, new RegExp(`^${order} \\(\\d+\\) is processing. 3-D Secure is under way`))
      assert.match(out, /So far:\n {2}20\d\d-\d\d-\d\d \d\d:\d\d:\d\d {2}order taken: sale of 10\.42 USD/)
      assert.match(out, /It waits for the customer and the card's issuer, since 20\d\d-/)
      assert.match(out, /Next:\n {2}20\d\d-\d\d-\d\d \d\d:\d\d:\d\d {2}3-D Secure goes one step further/)
      assert.include(out, `You can:\n  pay open ${order}`)
    })
  )

  it.effect("pay why names the reason of a decline, and the rule that filtered an order", () =>
    Effect.gen(function* () {
      const env = yield* TestGateway.merchant
      const declined = yield* alice(["why", yield* trigger("declined"), "--json"], { env })
      const { next, reason, waitsFor } = JSON.parse(declined.out)
      assert.deepStrictEqual([reason, waitsFor, next], ["116 Not sufficient funds", null, []])
      const filtered = yield* alice(["why", yield* trigger("filtered")], { env })
      assert.include(filtered.out, "Reason: stopped by the rule max-amount.")
    })
  )

  it.effect("pay why uses the merchant's status without access to the operator interface", () =>
    Effect.gen(function* () {
      const order = yield* trigger("declined")
      const env = yield* TestGateway.merchant
      const { code, out } = yield* Effect.promise(() => pay(["why", order], { env }))
      assert.strictEqual(code, 0)
      assert.match(out, /is declined\. It was declined; no money moved\.\nReason: 116 Not sufficient funds\./)
      assert.notInclude(out, "So far:")
    })
  )

  it.effect("pay why with an operator's token needs no merchant", () =>
    Effect.gen(function* () {
      const order = yield* trigger("declined")
      const { code, out } = yield* alice(["why", order])
      assert.strictEqual(code, 0)
      assert.match(out, /is declined[\s\S]+So far:/)
      const unknown = yield* alice(["why", "nobody"])
      assert.deepStrictEqual([unknown.code, unknown.out], [1, ""])
      assert.include(unknown.err, "The gateway has no order of this number, of any merchant.")
      const stranger = yield* alice(["why", order], { env: { PAY_OPERATOR_TOKEN: "another" } })
      assert.deepStrictEqual([stranger.code, stranger.out], [1, ""])
      assert.include(stranger.err, "PAY_OPERATOR_TOKEN")
    })
  )

  it.effect("pay why refuses an unknown order", () =>
    Effect.gen(function* () {
      const env = yield* TestGateway.merchant
      const { code, err } = yield* Effect.promise(() => pay(["why", "nobody"], { env }))
      assert.deepStrictEqual([code, err.includes("Unknown order")], [1, true])
    })
  )

  it.effect("pay doctor finds no problem with correct settings", () =>
    Effect.gen(function* () {
      const keyFile = file("merchant.pem", Sandbox.merchant.privateKeyPem, 0o600)
      const env = { ...(yield* TestGateway.merchant), PAY_PRIVATE_KEY_FILE: keyFile }
      const { code, err, out } = yield* Effect.promise(() => pay(["doctor"], { env }))
      assert.deepStrictEqual([code, err], [0, ""], out)
      for (const name of [
        "base-url",
        "login",
        "endpoint-id",
        "control key",
        "private key",
        "gateway",
        "signature",
        "RSA signature",
        "clock"
      ])
        assert.match(out, new RegExp(`^ok {5}${name} `, "m"))
      assert.match(out, /^ok {5}gateway profile {2}idempotency-key, /m)
    })
  )

  it.effect.each([
    [
      "a private key that the gateway does not know",
      { PAY_PRIVATE_KEY_FILE: otherKey },
      1,
      /^wrong {2}RSA signature +refused: the gateway does not have its public half/m
    ],
    [
      "a public key of another private key",
      { PAY_PRIVATE_KEY_FILE: otherKey, PAY_PUBLIC_KEY_FILE: publicKey },
      2,
      /^wrong {2}public key +it is not the public half/m
    ],
    [
      "an unknown word of the gateway's profile",
      { PAY_GATEWAY_PROFILE: "paynett" },
      2,
      /^wrong {2}gateway-profile +.*unknown word/m
    ],
    [
      "an operator's token that is not known",
      { PAY_OPERATOR_TOKEN: "another" },
      1,
      /^wrong {2}operator +The gateway refused/m
    ],
    ["an operator's token that is known", {}, 0, /^ok {5}operator +accepted/m]
  ] as const)("pay doctor reports %s", ([, settings, code, line]) =>
    Effect.gen(function* () {
      const run = yield* alice(["doctor"], { env: { ...(yield* TestGateway.merchant), ...settings } })
      assert.match(run.out, line)
      assert.deepStrictEqual([run.code, run.err], [code, ""])
    })
  )

  it.effect("pay doctor and pay status use the older dialect of a gateway profile", () =>
    Effect.gen(function* () {
      const { controlKey, endpoints, login } = Sandbox.olderMerchant
      const env = {
        ...(yield* TestGateway.merchant),
        ...{ PAY_LOGIN: login, PAY_CONTROL_KEY: controlKey, PAY_ENDPOINT_ID: endpoints.usd },
        PAY_GATEWAY_PROFILE: "pairs"
      }
      const doctor = yield* Effect.promise(() => pay(["doctor"], { env }))
      assert.deepStrictEqual([doctor.code, doctor.err], [0, ""], doctor.out)
      const status = yield* Effect.promise(() => pay(["status", "nobody"], { env }))
      assert.include(status.out + status.err, "Unknown order")
    })
  )

  it.effect("pay doctor names the settings that can cause a wrong signature", () =>
    Effect.gen(function* () {
      const env = { ...(yield* TestGateway.merchant), PAY_CONTROL_KEY: secrets.controlKey }
      const { code, out } = yield* Effect.promise(() => pay(["doctor"], { env }))
      assert.strictEqual(code, 1)
      assert.match(out, /^wrong {2}signature +refused: the login, the endpoint id or the control key/m)
    })
  )
})

it("pay why has a description for every state of an order", () => {
  for (const state of Object.keys(Lifecycle.states)) assert.notInclude(OrderDescription.ofState(state).means, "It is ")
})

it.each([
  ["why", [], "Name one order: pay why CLIENT_ORDERID"],
  ["why", ["1", "2"], "Name one order: pay why CLIENT_ORDERID"],
  ["doctor", ["x"], "pay doctor takes flags only"]
])("pay %s %j is refused", async (command, args, says) => {
  const run = await pay([command, ...args], { env: merchant })
  assert.deepStrictEqual([run.code, run.out], [2, ""])
  assert.include(run.err, says)
})
