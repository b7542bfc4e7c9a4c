import { layer } from "@effect/vitest"
import * as OAuthKey from "@pay/signing/OAuth"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as OAuth from "../harness/OAuth.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Transfers from "../harness/Transfers.ts"

const { cards } = Transfers

const signed = [
  ["transfer", Transfers.transfer, OAuth.hmac],
  [
    "transfer-by-ref",
    (_: Transfers.Fields, parts?: OAuth.Parts) => Transfers.byRef({ "source-card-ref-id": "1" }, parts),
    OAuth.hmac
  ],
  [
    "pan-eligibility/send",
    (_: Transfers.Fields, parts?: OAuth.Parts) => Transfers.eligible({ "sending-card-number": cards.ordinary }, parts),
    OAuth.rsa
  ]
] as const

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })(
  "the signature of a transfer",
  (it) => {
    for (const [name, ask, otherMethod] of signed) {
      it.effect(
        `${name} is refused with another method, key, login or endpoint, a changed body or an old timestamp`,
        () =>
          Effect.gen(function* () {
            TestMerchant.assertRefused(yield* ask({}, { key: otherMethod }), "oauthMethodUnsupported")
            const late = yield* ask({}, { aheadSeconds: -301 })
            TestMerchant.assertRefused(late, "timestampSkewed")
            const spoiled = yield* ask({}, { body: (form) => `${form}&x=1` })
            TestMerchant.assertRefused(spoiled, "oauthSignatureInvalid")
            const foreign = yield* ask({}, { endpointId: Merchants.other.endpointId })
            TestMerchant.assertRefused(foreign, "oauthSignatureInvalid")
            const otherLogin = yield* ask({}, { login: Merchants.other.login })
            TestMerchant.assertRefused(otherLogin, "oauthSignatureInvalid")
            if (otherMethod === OAuth.rsa) {
              TestMerchant.assertRefused(yield* ask({}, { key: OAuthKey.hmac("guessed") }), "oauthSignatureInvalid")
            }
          })
      )
    }

    it.effect("is checked with the key of the login in the body", () =>
      Effect.gen(function* () {
        TestMerchant.assertAccepted(yield* Transfers.transfer({ login: TestGateway.login }))
        TestMerchant.assertRefused(yield* Transfers.transfer({ login: Merchants.other.login }), "oauthSignatureInvalid")
      })
    )
  }
)
