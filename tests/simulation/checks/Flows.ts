/** The results of flows agree with the final statuses of their orders at the gateway. */
import * as Status from "@pay/schema/Status"
import { BankBooking, isOpen } from "../../../gateway/gateway/src/restore/BankBooking.ts"
import * as Intents from "../Intents.ts"
import type { MerchantAction } from "../merchant/MerchantAction.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check } from "./Check.ts"

/**
 * Returns whether the status of the order contradicts the result of the action's flow. `status`: undefined if the gateway does not
 * know the order; `isRefusedLate`: the rail refused the payout after it had confirmed it.
 */
const disagrees = (
  { creates, intent }: MerchantAction,
  status: string | undefined,
  isRefusedLate: boolean
): boolean => {
  if (status !== undefined && !Status.isFinal(status)) return true
  if (intent.status === "succeeded") return status !== "approved" && !(isRefusedLate && status === "declined")
  return intent.status === "failed" && creates !== undefined && status === "approved"
}

/**
 * Returns whether the order at another gateway contradicts the result of its flow. An unknown outcome contradicts nothing. A
 * payout that was checked and not paid keeps its status.
 */
const contradictsFlow = ({ creates, intent }: MerchantAction, status: string | undefined): boolean =>
  intent.status === "succeeded"
    ? status !== "approved"
    : intent.status === "failed" && creates !== undefined && status === "approved"

/**
 * Whether a restored copy lacks the order, and operators see each of its bookings. An order without a booking moved no money.
 */
export const isShown = async ({ restores, system }: SimulationRun, intent: Intents.Intent): Promise<boolean> => {
  if (restores.last() === undefined) return false
  const open = system.committed.rows(BankBooking).filter(isOpen)
  for (const orderId of system.orderIndex.orderIds(Intents.nameOf(intent))) {
    const booked = [
      ...(await system.run(system.bank.books.ofOrder(orderId))),
      ...(await system.run(system.rail.books.ofOrder(orderId)))
    ].filter(({ answer, request }) => answer._tag === "Approved" && request.amountMinor > 0 && request.kind !== "check")
    if (booked.some(({ request }) => open.every(({ reference }) => reference !== request.reference))) return false
  }
  return true
}

export const agreement: Check = {
  name: "flow results",
  what: "At the end every order has a final status. It is approved if its flow succeeded, and it is not if the flow that creates it failed.",
  begin: (simulation) => ({
    atEnd: async () => {
      const { merchantOf, actions, system } = simulation
      const problems: Array<string> = []
      for (const action of actions.values()) {
        const { clientOrderId, kind, login, name, status: result } = action.intent
        // The answer to a request that moves no money is its final result.
        if (kind === "nothing") continue
        const { remote, statusOf } = merchantOf(login)
        const status = await system.run(statusOf(clientOrderId))
        const booked = await system.run(remote.approvedBookings(clientOrderId))
        const isRefusedLate = booked.some(({ isRefusedLate }) => isRefusedLate === true)
        // The order of a restored copy has the bank's last answer, and its merchant a callback about it.
        if (simulation.restores.last() !== undefined && booked.some(({ isContradicted }) => isContradicted === true))
          continue
        if (remote.isOurs && status === undefined && (await isShown(simulation, action.intent))) continue
        if (remote.isOurs ? disagrees(action, status, isRefusedLate) : contradictsFlow(action, status))
          problems.push(`${action.flow} ${name} has the result ${result}, and its order is ${status}`)
      }
      return problems
    }
  })
}

export const written: Check = {
  name: "durable flows end",
  what: "At the end no durable flow is open.",
  begin: ({ system }) => ({
    atEnd: async () => {
      const problems: Array<string> = []
      for (const { open } of system.merchants) problems.push(...(await system.run(open)))
      return problems
    }
  })
}

/** No disk of a merchant loses a durable flow. */
export const remembered: Check = {
  name: "durable flows survive",
  what: "A durable flow that its merchant saw as started or ended has the same status after the process is killed or its machine loses power.",
  begin: ({ system: { merchants } }) => {
    const counts = new Map<string, number>()
    return {
      afterStep: async () =>
        merchants.flatMap(({ account: { login }, disk: { lostFlows } }) => {
          const fresh = lostFlows.slice(counts.get(login))
          counts.set(login, lostFlows.length)
          return fresh.map((what) => `${login}'s flow ${what}`)
        })
    }
  }
}
