/** Once faults have stopped, everything comes to an end, or waits for a person and is shown to that person. */
import { Occurrence } from "@pay/gateway/entities/Occurrence"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import * as Settings from "@pay/gateway/Settings"
import { Schema } from "effect"
import { HostedSession } from "../../../packages/gateway/src/hosted/HostedSession.ts"
import { Approval } from "../../../packages/gateway/src/payouts/Approval.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import { ask, pick } from "../steps/OperatorRequests.ts"
import { attempts } from "./Callbacks.ts"
import type { Check, Problems } from "./Check.ts"

export const ends: Check = {
  name: "certain ends",
  what: "In the end no flow is left without a certain end; at a gateway that tells only what the specification says, without an end.",
  begin: ({ merchantOf, actions }) => ({
    atEnd: async () =>
      [...actions.values()]
        .filter(
          ({ intent: { login, status } }) =>
            status === "running" || (status === "unknown" && merchantOf(login).remote.isOurs)
        )
        .map(({ flow, intent }) => `${flow} ${intent.name} has no certain end: ${intent.status}`)
  })
}

type Row = Pick<OrderRequest, "requestId" | "orderId" | "progress" | "action" | "operation" | "acceptedAtMs">

/** A charge of a recurring payment may fall due just then: for so long a request may be sent again. */
const { resubmitWithinMs } = Settings.defaults

/** What still moves, though nothing is waited for. `shown`: orders that operators are shown as unknown. */
export const unattended = (
  requests: ReadonlyArray<Row>,
  names: ReadonlySet<string>,
  isWaiting: (request: Row) => boolean
): Problems =>
  requests.flatMap((request) => {
    const { action, operation, orderId, progress, requestId } = request
    // An attempt is as far as its order.
    if (attempts.has(operation) && names.has(orderId)) return []
    const what = `${action}, request ${requestId} of order ${orderId},`
    if (progress === "unknown" && !names.has(orderId)) return [`${what} is unknown, and no operator sees it`]
    if (progress === "moving" && !isWaiting(request)) return [`${what} still moves, and waits for nobody`]
    return []
  })

const TaskPage = Schema.Struct({
  orders: Schema.Array(Schema.Struct({ id: Schema.String })),
  next: Schema.optionalKey(Schema.String)
})

/** What operators are shown as unknown, page by page. */
const unknowns = async (simulation: SimulationRun): Promise<ReadonlySet<string>> => {
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
  name: "nothing waits for nobody",
  what: "A day after faults have stopped, what still moves has just begun, or waits for an approver or for what falls due later; an outcome that no one could find out is unknown, and operators see it.",
  begin: (simulation) => {
    const { committed, gateway } = simulation.world
    const isWaiting = ({ acceptedAtMs, orderId }: Row): boolean =>
      acceptedAtMs + resubmitWithinMs > gateway.businessMs() ||
      committed.row(Approval, orderId)?.state === "waiting" ||
      committed
        .rows(HostedSession)
        .some((session) => session.orderId === orderId && session.expiresAtMs > gateway.businessMs()) ||
      committed
        .rows(Occurrence)
        .some((occurrence) => occurrence.orderId === orderId && occurrence.progress === "retrying")
    return {
      afterADay: async () => unattended(committed.rows(OrderRequest), await unknowns(simulation), isWaiting)
    }
  }
}
