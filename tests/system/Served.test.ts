import { layer } from "@effect/vitest"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as OAuth from "../harness/OAuth.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { login } = TestGateway

const freshNames = ({ fields }: (typeof PayApi.all)[number]): TestMerchant.Fields =>
  Object.fromEntries(
    ["client_orderid", "client-order-id"].filter((name) => name in fields).map((name) => [name, TestMerchant.freshId()])
  )

const storedCards = ["cardrefid", "sending-card-ref-id", "destination-card-ref-id"]

/** The error of the sample request where it names an unknown card, recurring payment or order; undefined where it is accepted. */
const missing = (operation: (typeof PayApi.all)[number]): ErrorCode.Name | undefined => {
  const sample = Sample.request(operation)
  if (storedCards.some((name) => name in sample)) return "cardNotFound"
  if ("recurring-payment-id" in sample) return "subscriptionNotFound"
  return operation.acts === "creates" ? undefined : "orderNotFound"
}

/** The operation with plausible fields, signed as it wants to be. */
const sendSample = (operation: (typeof PayApi.all)[number]) => {
  if (operation.signing._tag === "OAuth") return OAuth.send(operation, { fields: freshNames(operation) })
  const fresh: TestMerchant.Fields = {
    login,
    client_orderid: TestMerchant.freshId(),
    "client-order-id": TestMerchant.freshId()
  }
  const fields = Object.entries(Sample.request(operation)).map(([name, value]) => [name, fresh[name] ?? value])
  return TestGateway.post(operation, Object.fromEntries(fields))
}

layer(TestGateway.layer(), { excludeTestServices: true })("each operation of the contract", (it) => {
  for (const operation of PayApi.all) {
    it.effect(`${operation.name} is served, only with the right signature`, () =>
      Effect.gen(function* () {
        const reply = yield* sendSample(operation)
        const refusal = missing(operation)
        if (refusal === undefined) TestMerchant.assertAccepted(reply)
        else TestMerchant.assertRefused(reply, refusal)
        const unsigned = yield* TestGateway.raw({ path: `${operation.path}/${TestGateway.endpoints.usd}`, body: "" })
        TestMerchant.assertRefused(
          unsigned,
          operation.signing._tag === "OAuth" ? "authorizationRequired" : "parameterRequired"
        )
      })
    )
  }
})
