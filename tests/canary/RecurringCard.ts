/** The marked card as a recurring payment's: charged at once and on its day, changed, charged out of turn, refused. */
import { assert } from "@effect/vitest"
import { approve } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as OAuth from "../harness/OAuth.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Marks from "./Marks.ts"
import * as Witness from "./Witness.ts"

const { CREATE_RP_V4, PROCESS_RP_V4, UPDATE_RP_V4 } = PayApi.operations

const card = { credit_card_number: Marks.pan, expire_month: "12", expire_year: "2045" }

const send = Effect.fnUntraced(function* (operation: Operation, fields: TestMerchant.Fields, expected = 200) {
  const reply = yield* Witness.kept(OAuth.send(operation, { fields }))
  assert.strictEqual(reply.status, expected, JSON.stringify(reply.body))
  yield* TestMerchant.settled
  return reply
})

export const recurring = Effect.gen(function* () {
  const { url } = yield* Witness.Witness
  const { next } = yield* SandboxControl
  yield* next("authorize", { verdict: approve })
  const begin = { ...card, cvv2: Marks.cvv, server_callback_url: url, period: "weekly" }
  const made = yield* send(CREATE_RP_V4, { ...begin, client_orderid: "canary-recurring" })
  const of = { "recurring-payment-id": TestMerchant.text(made, "recurring-payment-id") }
  yield* TestMerchant.pass("8 days")
  yield* send(PROCESS_RP_V4, { ...of, client_orderid: "canary-process", cvv2: "" })
  yield* send(UPDATE_RP_V4, { ...of, ...card, expire_year: "2046" })
  yield* send(UPDATE_RP_V4, { ...of, ...card, credit_card_number: Marks.mistypedPan }, 400)
  yield* send(CREATE_RP_V4, { ...begin, expire_year: "2020", client_orderid: "canary-expired" }, 400)
  yield* send(CREATE_RP_V4, { ...begin, "start-date": Marks.pan, client_orderid: "canary-wrong" }, 400)
  yield* send(UPDATE_RP_V4, { ...of, change: "cancel" })
  return TestMerchant.nameOf(made)
})
