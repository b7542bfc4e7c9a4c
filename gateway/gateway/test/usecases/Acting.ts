/** Runs a merchant's follow-up on a store in memory. */
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import * as Rows from "../../src/kernel/Rows.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as Acts from "../../src/orders/decide/Acts.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as ActOnOrder from "../../src/orders/requests/ActOnOrder.ts"
import * as CreatePayout from "../../src/payouts/CreatePayout.ts"
import { preauth, request, sale } from "../domain/Sample.ts"
import type * as Calls from "./Calls.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

export type Name = Acts.Name

const acts = {
  CAPTURE: ActOnOrder.make(Acts.capture),
  VOID: ActOnOrder.make(Acts.voidHold),
  RETURN: ActOnOrder.make(Acts.refund),
  PAYOUT_V4_PAY: CreatePayout.payChecked
} as const satisfies Record<Name, unknown>

export const names = { client_orderid: "INV-1", orderid: "1" }
export const part = {
  ...names,
  amount: "40.00",
  currency: "USD",
  server_callback_url: "https://shop.example/a",
  notify_url: ""
}
export const whole = { ...part, amount: "", currency: "" }
export const hold = preauth()
export const check: OrderRequest = {
  ...request({ sequence: 0, progress: "approved" }),
  operation: "PAYOUT_V4_CHECK",
  action: "check"
}
export const checked = sale({ kind: "payout", state: "checked", authorizedMinor: 0, capturedMinor: 0 })

export interface Setup extends ScriptedServices.Script {
  readonly order?: Order
  readonly rows?: ReadonlyArray<Decision.Write>
  /** Earlier requests, in order. */
  readonly before?: ReadonlyArray<Calls.Sent>
  /** Only looks for a repetition. */
  readonly isReplay?: boolean
}

export const act = (name: Name, call: Calls.Sent, setup: Setup = {}) => {
  const recording = ScriptedServices.newRecording()
  return Effect.gen(function* () {
    const store = yield* Store
    yield* ScriptedServices.seed([Decision.append(Order, setup.order ?? hold), ...(setup.rows ?? [])], recording)
    const { perform, replay } = yield* acts[name]
    // The gateway performs only a request that repeats none.
    const serve = Effect.fnUntraced(function* (sent: Calls.Sent) {
      const call = { ...sent, rows: Rows.loadedOnce(store) }
      const again = yield* replay(call)
      return setup.isReplay === true || again !== undefined ? again : yield* perform(call, [])
    })
    for (const earlier of setup.before ?? []) yield* perform({ ...earlier, rows: Rows.loadedOnce(store) }, [])
    recording.decisions.length = 0
    recording.started.length = 0
    const text = yield* ScriptedServices.answerOf(serve(call), "serial-number")
    const [decision = { guards: [], writes: [] }] = recording.decisions
    return {
      text,
      decision,
      recording,
      requests: yield* store.find(OrderRequest, "order", { equals: ["1"], limit: 10 })
    }
  }).pipe(Effect.provide(ScriptedServices.layer(setup, recording)))
}
