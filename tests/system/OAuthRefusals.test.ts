import { assert, it, layer } from "@effect/vitest"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import * as PayApi from "@pay/schema/PayApi"
import * as OAuthKey from "@pay/signing/OAuth"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as OAuth from "../harness/OAuth.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { PAYOUT, PAYOUT_V4 } = PayApi.operations
type Row = readonly [name: string, parts: OAuth.Parts, verdict: ErrorCode.Name | "accepted"]

const swap = (from: string | RegExp, to: string): OAuth.Parts => ({
  authorization: (header) => header.replace(from, to)
})

/** Each signed with HMAC-SHA1 and with RSA-SHA256. */
const rows: ReadonlyArray<Row> = [
  ["with a realm", swap("OAuth ", 'OAuth realm="pay", '), "accepted"],
  ["299 s behind", { aheadSeconds: -299 }, "accepted"],
  ["a nonce of 128 characters", { nonceLength: 128 }, "accepted"],

  ["no timestamp", swap(/oauth_timestamp="\d*"/, 'oauth_timestamp=""'), "oauthMalformed"],
  ["an oauth_* that only the body has", { body: (form) => `${form}&oauth_token=x` }, "oauthMalformed"],
  ["an oauth_* that conflicts in the query", { query: "?oauth_nonce=another" }, "oauthMalformed"],

  ["a query that is no valid form encoding", { query: "?a=%zz", url: "http://elsewhere.example/" }, "malformedForm"],
  ["another Host header", { headers: { host: "elsewhere.example" } }, "accepted"],
  ["another merchant's login in the body", { fields: { login: "other-merchant" } }, "oauthSignatureInvalid"],
  ["301 s behind", { aheadSeconds: -301 }, "timestampSkewed"]
]

const challenged = (reply: TestGateway.Reply) =>
  assert.strictEqual(reply.headers["www-authenticate"], reply.status === 401 ? "OAuth" : undefined)

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("an OAuth request", (it) => {
  for (const operation of [PAYOUT, PAYOUT_V4]) {
    for (const [name, parts, verdict] of rows) {
      it.effect(`${operation.command}, ${name}: ${verdict}`, () =>
        Effect.gen(function* () {
          const reply = yield* OAuth.send(operation, parts)
          if (verdict === "accepted") TestMerchant.assertAccepted(reply)
          else TestMerchant.assertRefused(reply, verdict)
          challenged(reply)
        })
      )
    }
  }

  it.effect("reports the clock difference only if the signature is right", () =>
    Effect.gen(function* () {
      const late = yield* OAuth.send(PAYOUT, { aheadSeconds: -900 })
      assert.match(TestMerchant.text(late, "error-message"), /90\d s behind the gateway's time \d{10}/)
      const ahead = yield* OAuth.send(PAYOUT, { aheadSeconds: 900 })
      assert.match(TestMerchant.text(ahead, "error-message"), /(900|899) s ahead of the gateway's time \d{10}/)
      const guessedKey = yield* OAuth.send(PAYOUT, { aheadSeconds: -900, key: OAuthKey.hmac("guessed") })
      TestMerchant.assertRefused(guessedKey, "oauthSignatureInvalid")
    })
  )

  it.effect("gets one refusal for an unknown consumer, another's endpoint, an unknown endpoint and a wrong key", () =>
    Effect.gen(function* () {
      const { controlKey, endpointId, login } = Merchants.other
      const theirKey = OAuthKey.hmac(controlKey)
      const replies = yield* Effect.all([
        OAuth.send(PAYOUT, { login: "nobody" }),
        OAuth.send(PAYOUT, { endpointId }),
        OAuth.send(PAYOUT, { endpointId: "999" }),
        OAuth.send(PAYOUT, { login, key: theirKey }),
        OAuth.send(PAYOUT, { login, key: theirKey, endpointId: "999" }),
        OAuth.send(PAYOUT, { key: theirKey })
      ])
      for (const { body, headers, status } of replies) {
        assert.strictEqual(status, 401)
        assert.strictEqual(headers["www-authenticate"], "OAuth")
        assert.deepStrictEqual({ ...body, "serial-number": "" }, { ...replies[0].body, "serial-number": "" })
      }
    })
  )

  it.effect("spends its nonce once for each consumer, and only if signature and time are right", () =>
    Effect.gen(function* () {
      const nonce = OAuth.freshNonce()
      TestMerchant.assertRefused(
        yield* OAuth.send(PAYOUT, { nonce, key: OAuthKey.hmac("guessed") }),
        "oauthSignatureInvalid"
      )
      TestMerchant.assertRefused(yield* OAuth.send(PAYOUT, { nonce, aheadSeconds: -900 }), "timestampSkewed")
      TestMerchant.assertAccepted(yield* OAuth.send(PAYOUT, { nonce }))
      const again = yield* OAuth.send(PAYOUT, { nonce })
      TestMerchant.assertRefused(again, "nonceUsed")
      challenged(again)
      TestMerchant.assertRefused(yield* OAuth.send(PAYOUT_V4, { nonce }), "nonceUsed")
      const { controlKey, endpointId, login } = Merchants.other
      const theirs = { nonce, login, endpointId, key: OAuthKey.hmac(controlKey) }
      TestMerchant.assertAccepted(yield* OAuth.send(PAYOUT, theirs))
    })
  )

  it.effect("is accepted once of ten at the same time with one nonce", () =>
    Effect.gen(function* () {
      const nonce = OAuth.freshNonce()
      const replies = yield* Effect.all(
        Array.from({ length: 10 }, () => OAuth.send(PAYOUT, { nonce })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(replies.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 401)])
    })
  )
})

it.live("a nonce stays spent after a restart of the gateway", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const nonce = OAuth.freshNonce()
    const sent = OAuth.send(PAYOUT, { nonce })
    TestMerchant.assertAccepted(yield* TestGateway.running(folder)(sent))
    TestMerchant.assertRefused(yield* TestGateway.running(folder)(sent), "nonceUsed")
  })
)
