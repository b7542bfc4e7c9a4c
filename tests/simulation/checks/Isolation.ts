/** Merchants cannot see or change each other's orders. */
import { Job, Order } from "@pay/gateway/Entities"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import { BankBooking } from "../../../gateway/gateway/src/restore/BankBooking.ts"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import type { Change } from "../ShadowStore.ts"
import type { Check, Problems } from "./Check.ts"
import { ask, type Reply, type Sent } from "./GatewayRequest.ts"

/**
 * Reports a commit that changes rows of two merchants. Jobs are excluded, because a process claims those of all merchants, and so are the
 * bookings of a bank's list.
 */
export const ofCommit = (changes: ReadonlyArray<Change>): Problems => {
  const owners = new Set<string>()
  for (const { after, before, entity } of changes) {
    if (entity === Job || entity === BankBooking) continue
    const row = after ?? before ?? {}
    const account = typeof row.account === "string" ? row.account.split("/")[0] : undefined
    const owner = row.merchantId ?? account
    if (typeof owner === "string") owners.add(owner)
  }
  return owners.size > 1 ? [`one commit changes rows of ${[...owners].join(" and ")}`] : []
}

/** Returns a correctly signed status request of a merchant about an order. */
const statusRequest = (
  { account: { endpoints, login }, controlKeys: [controlKey = ""] }: MerchantProcess,
  clientOrderId: string,
  orderId: string
): Sent => {
  const values = { login, client_orderid: clientOrderId, orderid: orderId }
  return {
    target: `/api/v2/status/${endpoints.usd}`,
    headers: { accept: "application/vnd.pay+json", "content-type": "application/x-www-form-urlencoded" },
    body: Form.write([...Object.entries(values), ["control", Control.sign(Control.recipes.status, values, controlKey)]])
  }
}

const comparable = (reply: Reply): string => `${reply.status} ${reply.answer.replace(/"serial-number":"[^"]*"/, "")}`

/** Reports an answer about a foreign order that differs from the answer about an unknown order. */
export const answered = (orderId: string, foreign: Reply, unknown: Reply): Problems =>
  foreign.status !== 200 && comparable(foreign) === comparable(unknown)
    ? []
    : [`the foreign order ${orderId} is answered ${comparable(foreign)}, an unknown one ${comparable(unknown)}`]

const every = 50

export const isolation: Check = {
  name: "isolation",
  what: "No commit changes rows of two merchants. A status request for a foreign order is refused like one for an unknown order.",
  begin: (simulation) => {
    const { system } = simulation
    let violations: Array<string> = []
    let steps = 0
    system.committed.observe((changes) => void violations.push(...ofCommit(changes)))
    const foreign = async ({ clientOrderId, merchantId, orderId }: Order): Promise<Problems> => {
      const otherMerchant = system.merchants.find(({ account }) => account.login !== merchantId)
      if (otherMerchant === undefined) return []
      simulation.count("foreign questions")
      const foreignReply = await ask(system, statusRequest(otherMerchant, clientOrderId, orderId))
      const unknown = await ask(system, statusRequest(otherMerchant, `${clientOrderId}-none`, `${orderId}0`))
      const own = await ask(system, statusRequest(simulation.merchantOf(merchantId), clientOrderId, orderId))
      const isShown = own === undefined || own.status === 200
      if (!isShown) return [`the order ${orderId} is not shown to its own merchant: ${own.status} ${own.answer}`]
      return foreignReply === undefined || unknown === undefined ? [] : answered(orderId, foreignReply, unknown)
    }
    return {
      afterStep: async () => {
        steps += 1
        const order = steps % every === 0 ? system.committed.rows(Order).at(-1) : undefined
        const isServing = system.gateway.isUp() && !system.gateway.isPaused()
        if (order !== undefined && isServing) violations.push(...(await foreign(order)))
        const now = violations
        violations = []
        return now
      }
    }
  }
}
