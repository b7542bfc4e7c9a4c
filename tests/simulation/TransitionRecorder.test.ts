/** Transitions of orders are counted with the faults that preceded them and had an effect. */
import { Order } from "@pay/gateway/Entities"
import { assert, it } from "vitest"
import * as TransitionRecorder from "./TransitionRecorder.ts"

it("counts each transition with the faults since the last change and the three before, if they had an effect", () => {
  const recorder = TransitionRecorder.make()
  const transition = (before: string | undefined, after: string) => {
    const row = (state: string) => ({ kind: "sale", state })
    const previous = before === undefined ? undefined : row(before)
    recorder.observer([{ entity: Order, key: "1", how: "Put", before: previous, after: row(after), isSure: true }])
  }
  for (const fault of ["long ago", "network", "network", "network"]) recorder.fault(fault)
  transition(undefined, "registered")
  for (const fault of ["kill", "pause", "pause", "pause", "pause"]) recorder.fault(fault)
  transition("registered", "authorizing")
  for (const fault of ["cut", "cut", "cut", "idle"]) recorder.fault(fault)
  transition("authorizing", "authorizing")
  transition("authorizing", "settled")
  recorder.withdraw()
  assert.deepStrictEqual(recorder.transitions(), {
    "sale: nothing → registered": { count: 1, faults: { network: 1 } },
    "sale: registered → authorizing": { count: 1, faults: { kill: 1, pause: 1 } },
    "sale: authorizing → settled": { count: 1, faults: { cut: 1 } }
  })
})
