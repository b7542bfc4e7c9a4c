/** After faults have stopped, everything becomes final, or waits for a person who can see it. */
import { Occurrence, Order, OrderRequest } from "@pay/gateway/Entities"
import * as Settings from "@pay/gateway/Settings"
import { Schema } from "effect"
import { HostedSession } from "../../../gateway/gateway/src/hosted/decide/HostedSession.ts"
import { BankTask, isOpen } from "../../../gateway/gateway/src/orders/record/BankTask.ts"
import { Approval } from "../../../gateway/gateway/src/payouts/decide/Approval.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import { ask, pick } from "../steps/OperatorRequests.ts"
import { attempts } from "./Callbacks.ts"
import type { Check, Problems } from "./Check.ts"
import { isShown } from "./Flows.ts"

export const results: Check = {
  name: "certain results",
  what: "At the end every flow has a certain result; at the stub gateway it has ended, possibly with an unknown outcome.",
  begin: (simulation) => ({
    atEnd: async () => {
      const problems: Array<string> = []
      for (const { flow, intent } of simulation.actions.values()) {
        const { clientOrderId, login, name, status } = intent
        const { remote } = simulation.merchantOf(login)
        const isUncertain = status === "running" || (status === "unknown" && remote.isOurs)
        // A flow learns nothing about an order that a restored copy lacks, and a creation may be too late to be sent again.
        const isKnown = () =>
          simulation.system.committed
            .rows(Order)
            .some((order) => order.clientOrderId === clientOrderId && order.merchantId === login)
        if (isUncertain && (status === "running" || isKnown() || !(await isShown(simulation, intent))))
          problems.push(`${flow} ${name} has no certain result: ${status}`)
      }
      return problems
    }
  })
}

type Row = Pick<OrderRequest, "requestId" | "orderId" | "progress" | "action" | "operation" | "acceptedAtMs">

/** A recurring charge may become due at that moment. Its request may be sent again during this time. */
const { resubmitWithinMs } = Settings.defaults

/** Reports requests that are open for no reason. `names`: orders that operators see as unknown. */
export const unattended = (
  requests: ReadonlyArray<Row>,
  names: ReadonlySet<string>,
  isWaiting: (request: Row) => boolean
): Problems =>
  requests.flatMap((request) => {
    const { action, operation, orderId, progress, requestId } = request
    // The order of an attempt is shown instead of the attempt.
    if (attempts.has(operation) && names.has(orderId)) return []
    const what = `${action}, request ${requestId} of order ${orderId},`
    if (progress === "unknown" && !names.has(orderId)) return [`${what} is unknown, and no operator sees it`]
    if (progress === "processing" && !isWaiting(request)) return [`${what} still moves, and waits for no one`]
    return []
  })

const TaskPage = Schema.Struct({
  orders: Schema.Array(Schema.Struct({ id: Schema.String })),
  next: Schema.optionalKey(Schema.String)
})

/** Returns the orders that operators see as unknown. */
const unknownOrders = async (simulation: SimulationRun): Promise<ReadonlySet<string>> => {
  const names = new Set<string>()
  let after: string | undefined
  do {
    const sent = { status: "unknown", limit: 200, ...(after === undefined ? {} : { after }) }
    const reply = await ask(simulation, { by: "ada", target: "/operator/orders/search", sent })
    const page = pick(TaskPage, reply, (result) => result)
    for (const { id } of page?.orders ?? []) names.add(id)
    after = page?.next
  } while (after !== undefined)
  return names
}

export const waiting: Check = {
  name: "open requests",
  what: "A day after faults have stopped, every open request has just started, waits for an approver or is due later. Operators see every unknown outcome.",
  begin: (simulation) => {
    const { committed, gateway } = simulation.system
    const isWaiting = ({ acceptedAtMs, orderId }: Row): boolean =>
      acceptedAtMs + resubmitWithinMs > gateway.businessMs() ||
      committed.row(Approval, orderId)?.state === "waiting" ||
      // Operators see what bank or rail cannot say of an order of a restored copy.
      committed.rows(BankTask).some((task) => task.orderId === orderId && task.answer === "unknown" && isOpen(task)) ||
      committed
        .rows(HostedSession)
        .some((session) => session.orderId === orderId && session.expiresAtMs > gateway.businessMs()) ||
      committed
        .rows(Occurrence)
        .some((occurrence) => occurrence.orderId === orderId && occurrence.progress === "retrying")
    return {
      afterADay: async () => unattended(committed.rows(OrderRequest), await unknownOrders(simulation), isWaiting)
    }
  }
}
