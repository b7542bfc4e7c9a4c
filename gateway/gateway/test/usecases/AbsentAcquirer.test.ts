/** When the task about an acquirer without an adapter is opened. */
import { assert, it } from "@effect/vitest"
import * as Decision from "../../src/kernel/Decision.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import * as AbsentAcquirer from "../../src/orders/outcomes/AbsentAcquirer.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { request, sale } from "../domain/Sample.ts"

const statement = { source: "bank", reference: "1-capture-1", verdict: "unknown", amountMinor: 1 } as const
const task = Unexpected.taskOf(sale(), statement, false, 1)

it.each([
  ["is opened while the request stays open", null, true],
  ["is not opened when the request ends", 1, false]
] as const)("the task about an absent acquirer %s", (_, finishedAtMs, isOpened) => {
  const open = request()
  const decision = { guards: [], writes: [Decision.put(OrderRequest, { ...open, finishedAtMs })] }
  const next = AbsentAcquirer.withTask({ decision, resend: false }, open, task)
  assert.deepStrictEqual([next.task, next.decision.writes.length], isOpened ? [task, 2] : [undefined, 1])
})
