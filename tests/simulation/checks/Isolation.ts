/** Merchants see and move nothing of each other. */
import { Job } from "@pay/gateway/entities/Job"
import { Order } from "@pay/gateway/entities/Order"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import type { Change } from "../ShadowStore.ts"
import type { Check, Problems } from "./Check.ts"
import { ask, type Reply, type Sent } from "./GatewayRequest.ts"

/** One decision is about one merchant; a process takes what is due of all. */
export const ofCommit = (changes: ReadonlyArray<Change>): Problems => {
  const owners = new Set<string>()
  for (const { after, before, entity } of changes) {
    if (entity === Job) continue
    const row = after ?? before ?? {}
    const account = typeof row.account === "string" ? row.account.split("/")[0] : undefined
    const owner = row.merchantId ?? account
    if (typeof owner === "string") owners.add(owner)
  }
  return owners.size > 1 ? [`one commit changes rows of ${[...owners].join(" and ")}`] : []
}

/** A question of one merchant about an order, signed as it must be. */
const question = (
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

const unlike = (textOf: Reply): string => `${textOf.status} ${textOf.answer.replace(/"serial-number":"[^"]*"/, "")}`

/** What is wrong where the answer about a foreign order differs from that about an unknown one. */
export const answered = (orderId: string, foreign: Reply, unknown: Reply): Problems =>
  foreign.status !== 200 && unlike(foreign) === unlike(unknown)
    ? []
    : [`the foreign order ${orderId} is answered ${unlike(foreign)}, an unknown one ${unlike(unknown)}`]

const every = 50

export const isolation: Check = {
  name: "isolation",
  what: "No commit changes rows of two merchants, and the status of a foreign order is refused like that of an unknown one.",
  begin: (simulation) => {
    const { world } = simulation
    let violations: Array<string> = []
    let steps = 0
    world.committed.observe((changes) => void violations.push(...ofCommit(changes)))
    const foreign = async ({ clientOrderId, merchantId, orderId }: Order): Promise<Problems> => {
      const stranger = world.merchants.find(({ account }) => account.login !== merchantId)
      if (stranger === undefined) return []
      simulation.count("foreign questions")
      const output = await ask(world, question(stranger, clientOrderId, orderId))
      const unknown = await ask(world, question(stranger, `${clientOrderId}-none`, `${orderId}0`))
      const own = await ask(world, question(simulation.merchantOf(merchantId), clientOrderId, orderId))
      const isAsked = own === undefined || own.status === 200
      if (!isAsked) return [`the order ${orderId} is not told to its own merchant: ${own.status} ${own.answer}`]
      return output === undefined || unknown === undefined ? [] : answered(orderId, output, unknown)
    }
    return {
      afterStep: async () => {
        steps += 1
        const order = steps % every === 0 ? world.committed.rows(Order).at(-1) : undefined
        const isServing = world.gateway.isUp() && !world.gateway.isPaused()
        if (order !== undefined && isServing) violations.push(...(await foreign(order)))
        const now = violations
        violations = []
        return now
      }
    }
  }
}
