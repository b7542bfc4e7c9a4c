/**
 * Checks that a repeated request has no further effect and gets the first answer again. Only the serial number and the current
 * status may differ.
 */
import { Lifecycle, Order, OrderRequest } from "@pay/gateway/Entities"
import type { Exchange } from "../OwnGateway.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"
import type { Reply, Sent } from "./GatewayRequest.ts"
import * as Repeats from "./Repeats.ts"

const followUps = /\/(capture|return|void)$/
const every = 25

const hasKey = ({ headers }: Sent): boolean => Object.keys(headers).some((name) => /^idempotency-key$/i.test(name))

/** Whether the gateway can recognize a repeat: of a creation by its `client_orderid`, of a follow-up by its key. */
export const isRepeatable = (exchange: Exchange): boolean =>
  Repeats.isCreation(exchange) || (exchange.status === 200 && followUps.test(exchange.path) && hasKey(exchange))

/** Fields that may differ in the answer to a repeat. */
const varying = /"(?:serial-number|status|next-charge-date)":"[^"]*",?/g

const withoutVarying = (answer: string): string => answer.replace(varying, "").replace(",}", "}")

/** Whether the request was refused because its key is no longer valid. */
const isKeyRejected = ({ answer, status }: Reply): boolean => status === 400 && answer.includes('"error-code":"40"')

/** Reports a wrong answer to a repeat. */
export const repeated = ({ answer, path }: Exchange, again: Reply): Problems => {
  const isSame = again.status === 200 && withoutVarying(again.answer) === withoutVarying(answer)
  return isSame ? [] : [`${path} again was answered ${again.status} ${again.answer}, at first ${answer}`]
}

/** Reports a repeat with other content that is not refused. */
export const differed = ({ path }: Exchange, { answer, status }: Reply): Problems =>
  status === 400 ? [] : [`${path} again with other content was answered ${status} ${answer}`]

/** Returns the request with other content under its old signature, which does not cover the comment or description. */
const otherContent = (exchange: Exchange): Exchange | undefined => {
  const body = exchange.body.replace(/(order_desc|comment)=/, "$1=other%20")
  return body === exchange.body ? undefined : { ...exchange, body }
}

/** Returns the number of requests and bookings of an order, which a repeat must not change. */
const effectsOf = async (
  { merchantOf, system }: SimulationRun,
  { clientOrderId, merchantId, orderId }: Order
): Promise<string> => {
  const requests = system.committed.rows(OrderRequest).filter((request) => request.orderId === orderId)
  const booked = await system.run(merchantOf(merchantId).remote.approvedBookings(clientOrderId))
  return `${requests.length} requests, ${booked.length} bookings`
}

export const idempotency: Check = {
  name: "idempotency",
  what: "A repeat of an accepted request changes nothing and gets the same answer, except for serial number and current status. A repeat with other content is refused.",
  begin: (simulation) => {
    const { system } = simulation
    let count = 0
    let left = every

    const again = async (exchange: Exchange): Promise<Problems> => {
      const order = system.committed.row(Order, Repeats.orderIdOf(exchange))
      // An order that is not final may get further requests or bookings for other reasons.
      if (order === undefined || !Lifecycle.isFinal(order.state) || order.inFlightCount > 0) return []
      const before = await effectsOf(simulation, order)
      const merchant = simulation.merchantOf(exchange.login)
      const same = await Repeats.send(simulation, exchange)
      const other = otherContent(exchange)
      const refused = other === undefined ? undefined : await Repeats.send(simulation, other)
      const after = await effectsOf(simulation, order)
      const isRekeyed = merchant.controlKeys.length > 1
      return [
        ...(same === undefined || (isRekeyed && isKeyRejected(same)) ? [] : repeated(exchange, same)),
        ...(refused === undefined ? [] : differed(exchange, refused)),
        ...(before === after ? [] : [`${exchange.path} again made ${after} of ${before}`])
      ]
    }
    return {
      afterStep: async () => {
        const violations: Array<string> = []
        while (count < system.exchanges.length) {
          const exchange = system.exchanges[count]
          count += 1
          if (exchange === undefined || !isRepeatable(exchange)) continue
          left -= 1
          const earlier =
            left === 0
              ? system.exchanges
                  .slice(simulation.restores.last()?.exchanges ?? 0, Math.ceil(count / 2))
                  .findLast(isRepeatable)
              : undefined
          if (left === 0) left = every
          if (earlier !== undefined && system.gateway.isUp() && !system.gateway.isPaused())
            violations.push(...(await again(earlier)))
        }
        return violations
      }
    }
  }
}
