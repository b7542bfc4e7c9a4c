/** Moves of orders are counted with the faults that came between them, and befell something. */
import { Order } from "@pay/gateway/entities/Order"
import { assert, it } from "vitest"
import * as TransitionRecorder from "./TransitionRecorder.ts"

it("counts each move of an order, with the faults since its last change, and the last few before; none that befell nothing", () => {
  const recorder = TransitionRecorder.make()
  const move = (before: string | undefined, after: string) => {
    const row = (state: string) => ({ kind: "sale", state })
    const was = before === undefined ? undefined : row(before)
    recorder.observer([{ entity: Order, key: "1", how: "Put", before: was, after: row(after), isSure: true }])
  }
  for (const fault of ["long ago", "network", "network", "network"]) recorder.fault(fault)
  move(undefined, "registered")
  for (const fault of ["kill", "pause", "pause", "pause", "pause"]) recorder.fault(fault)
  move("registered", "authorizing")
  for (const fault of ["cut", "cut", "cut", "idle"]) recorder.fault(fault)
  move("authorizing", "authorizing")
  move("authorizing", "settled")
  recorder.withdraw()
  assert.deepStrictEqual(recorder.transitions(), {
    "sale: nothing → registered": { count: 1, faults: { network: 1 } },
    "sale: registered → authorizing": { count: 1, faults: { kill: 1, pause: 1 } },
    "sale: authorizing → settled": { count: 1, faults: { cut: 1 } }
  })
})
