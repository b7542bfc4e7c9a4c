/** Flows end the same at our own gateway in the older dialect: through the path, the group, pairs and callbacks of deployed modules. */
import { assert, describe, it } from "@effect/vitest"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import { PayClient } from "@pay/transport/PayClient"
import { Effect } from "effect"
import { byName, cases } from "./Cases.ts"
import { faults } from "./Faults.ts"
import * as OwnOutcome from "./OwnOutcome.ts"
import { clientOrderId, request } from "./Requests.ts"

const tried = new Set(["nothing", "answer lost", "callback forged", "merchant killed"])

// Side by side: what takes the time are pauses.
describe.concurrent.each(cases)("the flow $name in the older dialect", ({ name }) => {
  for (const fault of faults.filter((fault) => tried.has(fault.name))) {
    it.effect(`${fault.name}: approved`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* OwnOutcome.outcomeOf(byName(name, "pairs"), fault, { dialect: "pairs" }), "approved")
      })
    )
  }
})

it.effect("a flow reaches a group of endpoints at the path /group/", () =>
  Effect.gen(function* () {
    const { group } = Sandbox.olderMerchant.endpoints
    const pay = yield* PayClient
    const answer = yield* pay.sale(yield* request(PayApi.operations.SALE), { endpointId: `group/${group}` })
    assert.strictEqual(answer["merchant-order-id"], clientOrderId)
  }).pipe(Effect.provide(Sandbox.layer({ dialect: "pairs" })))
)
