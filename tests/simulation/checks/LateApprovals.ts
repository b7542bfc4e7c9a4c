/** Every approval that follows a decline becomes a task for operators. */
import { OrderRequest } from "@pay/gateway/Entities"
import { isOpen } from "../../../gateway/gateway/src/orders/decide/Unexpected.ts"
import { BankTask } from "../../../gateway/gateway/src/orders/record/BankTask.ts"
import { BankBooking } from "../../../gateway/gateway/src/restore/BankBooking.ts"
import type { Booking } from "../../../gateway/sandbox/src/Booking.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"

type Contradicted = Pick<Booking, "contradictedAtMs" | "lateRefusal"> & {
  readonly request: Pick<Booking["request"], "reference">
}

/** Reports bookings that were approved after a decline, without a task in one of these states. */
const withoutTask = (
  bookings: ReadonlyArray<Contradicted>,
  isFollowed: (reference: string) => boolean,
  stateOf: (taskId: string) => BankTask["state"] | undefined,
  states: ReadonlySet<BankTask["state"] | undefined>
): Problems =>
  bookings.flatMap(({ contradictedAtMs, lateRefusal, request: { reference } }) => {
    if (contradictedAtMs === undefined || lateRefusal !== undefined || isFollowed(reference)) return []
    const state = stateOf(`${reference}.approved`)
    return states.has(state)
      ? []
      : [
          `${reference} was approved after a decline, and ${state === undefined ? "has no task" : `its task is ${state}`}`
        ]
  })

const anyState = new Set(["open", "reversing", "reversed", "closed"] as const)
const settled = new Set(["reversed", "closed"] as const)

export const contradictions: Check = {
  name: "late approvals",
  what: "An approval by bank or rail that follows their decline becomes a task for operators, unless the gateway was killed at that moment. At the end the task is reversed or closed.",
  begin: ({ system }: SimulationRun) => {
    const { bank, committed, gateway, rail, run } = system
    const problems = async (
      states: ReadonlySet<BankTask["state"] | undefined>,
      suits: (booking: Contradicted) => boolean
    ): Promise<Problems> => {
      const requests = committed.rows(OrderRequest)
      const bookings = [...(await run(bank.books.all)), ...(await run(rail.books.all))]
      const reversals = new Set<string | null>(
        committed.rows(BankTask).map(({ reversalReference }) => reversalReference)
      )
      // A restored copy lacks the order, and operators see the booking instead.
      const listed = new Set(committed.rows(BankBooking).map(({ reference }) => reference))
      const isFollowed = (reference: string) =>
        listed.has(reference) ||
        reversals.has(reference) ||
        reference.includes("-verify-") ||
        requests.some(
          (request) =>
            (request.progress === "approved" || isOpen(request)) &&
            reference.startsWith(`${request.orderId}-`) &&
            reference.endsWith(`-${request.sequence}`)
        )
      return withoutTask(bookings.filter(suits), isFollowed, (taskId) => committed.row(BankTask, taskId)?.state, states)
    }
    return {
      afterADay: () => problems(anyState, ({ contradictedAtMs = 0 }) => contradictedAtMs > (gateway.killedAtMs() ?? 0)),
      atEnd: () => problems(settled, () => true)
    }
  }
}
