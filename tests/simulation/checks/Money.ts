/** Money moved as flows reported, once, and the gateway's books agree with those of bank and rail. */
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { Context, Effect } from "effect"
import { BankBooking, isOpen } from "../../../gateway/gateway/src/restore/BankBooking.ts"
import * as Intents from "../Intents.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"

const violationsOf = async (
  { intentsOf, merchantOf, restores, system }: SimulationRun,
  names: Iterable<string>
): Promise<Problems> => {
  const problems: Array<string> = []
  for (const name of names) {
    const intents = intentsOf(name)
    const [first] = intents
    if (first === undefined) continue
    const booked = await system.run(merchantOf(first.login).remote.approvedBookings(first.clientOrderId))
    problems.push(...Intents.problems(name, intents, booked, restores.lackingOf(system.orderIndex.orderIds(name))))
  }
  return problems
}

const reconciliation = async ({ system }: SimulationRun): Promise<Problems> => {
  const store = system.store()
  if (store === undefined) return []
  const { findings } = await system.run(
    Reconciliation.check.pipe(Effect.provideContext(Context.add(system.outside, Store, store)))
  )
  /** Operators see a booking whose order or request a restored copy lacks until its merchant sends the request again. */
  const shown = new Set(
    system.committed
      .rows(BankBooking)
      .flatMap((row) => (isOpen(row) ? [`booking ${row.reference} at the ${row.source}`] : []))
  )
  /** Bank and rail said two things about a contradicted request, and both are stored as evidence. */
  const bookings = [...(await system.run(system.bank.books.all)), ...(await system.run(system.rail.books.all))]
  const contradicted = bookings.flatMap(({ contradictedAtMs, request }) =>
    contradictedAtMs === undefined ? [] : [`what the bank said of ${request.reference}`]
  )
  return findings
    .filter(({ where }) => !shown.has(where) && !contradicted.some((text) => where.endsWith(text)))
    .map(({ expected, actual, where }) => `${where}: expected ${expected}, found ${actual}`)
}

export const exactlyOnce: Check = {
  name: "exactly once",
  what: "Bank and rail did exactly once what a flow reported as succeeded, never what it reported as failed, and at most once what it reported as unknown.",
  begin: (simulation) => ({
    afterStep: (changedOrders) => violationsOf(simulation, changedOrders),
    atEnd: () =>
      violationsOf(simulation, new Set([...simulation.actions.values()].map(({ intent }) => Intents.nameOf(intent))))
  })
}

export const approvals: Check = {
  name: "approvals",
  what: "The rail paid no payout that its approver rejected.",
  begin: ({ rejected, system: { rail, run } }) => ({
    atEnd: async () => {
      const paid = (await run(rail.books.all)).filter(
        ({ answer, request }) => request.kind === "pay" && answer._tag === "Approved"
      )
      return paid.flatMap(({ request: { orderId } }) =>
        rejected.has(orderId) ? [`payout ${orderId} was paid, although its approver rejected it`] : []
      )
    }
  })
}

export const books: Check = {
  name: "books",
  what: "The gateway's books sum to zero, and reconciliation with those of bank and rail finds no discrepancy in either direction.",
  begin: (simulation) => ({
    atEnd: async () => [
      ...(await reconciliation(simulation)),
      ...(await simulation.system.run(simulation.system.bank.violations)),
      ...(await simulation.system.run(simulation.system.rail.violations))
    ]
  })
}
