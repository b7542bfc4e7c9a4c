/** A restored copy of the gateway's store loses no money, sends nothing twice, and contradicts nothing that a merchant was told. */
import { Order } from "@pay/gateway/Entities"
import { BankTask } from "../../../gateway/gateway/src/orders/record/BankTask.ts"
import { BankBooking } from "../../../gateway/gateway/src/restore/BankBooking.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"

/** A check of a recipient moves no money, and may be made again. */
const isCheck = (reference: string): boolean => reference.includes("-check-")

/** Reports requests after a restore under a reference that bank or rail had booked for a request from before it. */
const sentAgain = async ({ restores, system }: SimulationRun): Promise<Problems> => {
  const { sends = 0 } = restores.last() ?? {}
  const before = new Set(system.sends.slice(0, sends).map(({ reference }) => reference))
  const again = system.sends.slice(sends).filter(({ reference }) => before.has(reference) && !isCheck(reference))
  if (again.length === 0) return []
  const bookings = [...(await system.run(system.bank.books.all)), ...(await system.run(system.rail.books.all))]
  const bookedAtMs = new Map(bookings.map((booking) => [booking.request.reference, booking.bookedAtMs]))
  return again.flatMap(({ atMs, reference }) =>
    (bookedAtMs.get(reference) ?? atMs) < atMs ? [`${reference} was sent before the restore, and is sent again`] : []
  )
}

const approvedCreations: ReadonlySet<string | null> = new Set(["sale", "preauth", "payout", "transfer"])

/** Reports orders that a merchant was told are approved, and that are otherwise here without a task or booking that says why. */
const contradicted = ({ system: { callbacks, committed } }: SimulationRun): Problems => {
  const booked = new Set(committed.rows(BankBooking).map(({ orderId }) => orderId))
  const tasks = new Set(committed.rows(BankTask).map(({ orderId }) => orderId))
  const problems = new Map<string, string>()
  for (const url of callbacks) {
    const fields = new URLSearchParams(url.slice(url.indexOf("?") + 1))
    const orderId = fields.get("orderid") ?? ""
    if (fields.get("status") !== "approved" || !approvedCreations.has(fields.get("type"))) continue
    if (url.includes("third-merchant") || Number(fields.get("amount")) === 0) continue
    const order = committed.row(Order, orderId)
    if (booked.has(orderId) || tasks.has(orderId) || (order !== undefined && !refused.has(order.state))) continue
    problems.set(
      orderId,
      `order ${orderId} was reported as approved, and is ${order?.state ?? "unknown without a booking"}`
    )
  }
  return [...problems.values()]
}

/** States of an order that moved no money. */
const refused: ReadonlySet<string> = new Set(["declined", "filtered", "failed"])

export const restoredCopies: Check = {
  name: "restored copies",
  what: "After a restore nothing is sent again that bank or rail has booked. What a merchant was told is approved stays so, or a booking or a task for operators says otherwise.",
  begin: (simulation) => ({
    afterStep: async () => (simulation.restores.last() === undefined ? [] : sentAgain(simulation)),
    atEnd: async () => (simulation.restores.last() === undefined ? [] : contradicted(simulation))
  })
}
