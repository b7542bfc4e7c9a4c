/** The gateway's last page shows the right outcome, and no card is charged without the required authentication. */

import { Effect } from "effect"
import * as ThreeDSRecord from "../../../gateway/sandbox/src/ThreeDSRecord.ts"
import * as Intents from "../Intents.ts"
import { isThreeDS } from "../merchant/actions/Pages.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"

/** Returns how often the issuer authenticated, by order. */
const authenticated = ({ system }: SimulationRun) =>
  Effect.map(system.threeds.transactions, (transactions) => {
    const counts = new Map<string, number>()
    for (const transaction of transactions) {
      const status = transaction.decided?.transStatus
      // Endpoints of the sandbox decline if the issuer cannot authenticate.
      if (status !== "Y" && status !== "A") continue
      const orderId = ThreeDSRecord.orderIdOf(transaction)
      counts.set(orderId, (counts.get(orderId) ?? 0) + 1)
    }
    return counts
  })

const unauthenticated = async (simulation: SimulationRun, names: Iterable<string>): Promise<Problems> => {
  const { intentsOf, actionOf, system } = simulation
  const authentications = await system.run(authenticated(simulation))
  const problems: Array<string> = []
  for (const name of names) {
    const requests = intentsOf(name).map(actionOf)
    if (
      !requests.some((action) => isThreeDS(action?.endpoint)) ||
      requests.some((action) => action?.isMerchantInitiated)
    )
      continue
    for (const orderId of system.orderIndex.orderIds(name)) {
      const booked = await system.run(system.bank.books.ofOrder(orderId))
      const sent = booked.filter(({ request }) => request.kind === "authorize").length
      const authenticatedCount = authentications.get(orderId) ?? 0
      if (sent > authenticatedCount)
        problems.push(`${name}: ${sent} × authorize, and the issuer authenticated ${authenticatedCount} times`)
    }
  }
  return problems
}

export const authentication: Check = {
  name: "authentication",
  what: "Each authorization of a 3-D Secure order follows an authentication by the issuer, whatever result the browser delivered.",
  begin: (simulation) => ({
    afterStep: (changedOrders) => unauthenticated(simulation, changedOrders),
    atEnd: () =>
      unauthenticated(simulation, new Set([...simulation.actions.values()].map(({ intent }) => Intents.nameOf(intent))))
  })
}

/** Whether the rail refused a payout of this name that it had confirmed. */
const isRefusedLate = async ({ system }: SimulationRun, name: string): Promise<boolean> => {
  for (const orderId of system.orderIndex.orderIds(name)) {
    const booked = await system.run(system.rail.books.ofOrder(orderId))
    if (booked.some(({ lateRefusal }) => lateRefusal !== undefined)) return true
  }
  return false
}

export const returnedStatuses: Check = {
  name: "result pages",
  what: "Bank or rail approved what the gateway's last page showed as approved, and nothing that it showed as declined. A page pays once.",
  begin: (simulation) => ({
    atEnd: async () => {
      const { intentsOf, merchantOf, system } = simulation
      const problems: Array<string> = []
      const { results = 0 } = simulation.restores.last() ?? {}
      for (const [index, { clientOrderId, login, status }] of system.customers.returnedStatuses.entries()) {
        // A restored copy may lack that the customer cancelled, and the merchant sends the payment again.
        if (status === "declined" && index < results) continue
        const name = Intents.nameOf({ clientOrderId, login })
        const [first] = intentsOf(name)
        if (first === undefined) continue
        const booked = await system.run(merchantOf(first.login).remote.approvedBookings(clientOrderId))
        const all = booked.filter(({ kind }) => kind === first.kind)
        const paid = all.filter(({ isContradicted }) => isContradicted !== true).length
        const isRight =
          status === "approved"
            ? paid <= 1 && all.length >= 1
            : status !== "declined" || paid === 0 || (await isRefusedLate(simulation, name))
        if (!isRight) problems.push(`${name}: the page showed ${status}, and there is ${paid} × ${first.kind}`)
      }
      return problems
    }
  })
}
