import { assert, layer } from "@effect/vitest"
import { HostedSession, OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { decline } from "@pay/sandbox/Outcome"
import { RailControl } from "@pay/sandbox/RailControl"
import { declines } from "@pay/schema/Decline"
import { Effect, Redacted } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as Operating from "../harness/Operating.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const operators = ["alice", "bob"].map((name) => ({ name, token: Redacted.make(name) }))
const output = { as: "declined", evidence: "Ms Smith of the rail, by telephone" }

layer(TestGateway.layer({ operators }), { excludeTestServices: true })(
  "a hosted payout page with an unknown outcome",
  (it) => {
    it.effect("is resolved by two operators, and leaves no job behind", () =>
      Effect.gen(function* () {
        const store = yield* Store
        const rail = yield* RailControl
        const { order, url } = yield* PayoutPage.open()
        yield* PayoutPage.receive(url, PayoutPage.planned("never-decided"))
        yield* TestMerchant.pass("1 hour")
        assert.strictEqual((yield* TestMerchant.status(order)).status, "unknown")
        yield* rail.settle(`${order.orderid}-pay-1`, decline(declines.doNotHonour))
        const path = `/operator/orders/${order.orderid}`
        assert.strictEqual((yield* Operating.as("alice")("POST", `${path}/resolve`, output)).status, 202)
        assert.strictEqual(
          (yield* Operating.confirm(Operating.as("bob"), order.orderid, { as: output.as })).status,
          200
        )
        assert.strictEqual((yield* HostedPage.browse(url)).title, "The money was not sent")
        assert.isNotNull((yield* store.load(HostedSession, [order.orderid], "order"))?.endedAtMs)
        const requests = yield* store.find(OrderRequest, "order", { equals: [order.orderid], limit: 10 })
        assert.deepStrictEqual(
          requests.filter(({ finishedAtMs }) => finishedAtMs === null),
          []
        )
        yield* TestPayouts.assertClean
      })
    )
  }
)
