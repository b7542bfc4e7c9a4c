/** The same request again: the same answer but for its serial number, and nothing more happens. */
import { Order } from "@pay/gateway/entities/Order"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import * as Lifecycle from "@pay/gateway/Lifecycle"
import type { Life } from "../Life.ts"
import type { Exchange } from "../OwnGateway.ts"
import { ask, type Said, type Sent } from "./Ask.ts"
import type { Check, Problems } from "./Check.ts"
import { told } from "./Durable.ts"

const creations = /\/(sale|preauth|account-verification)$/
const followUps = /\/(capture|return|void)$/
const every = 25

const hasKey = ({ headers }: Sent): boolean => Object.keys(headers).some((name) => /^idempotency-key$/i.test(name))

/** Whether its repeat is known as one: a creation by its name, a follow-up by its key. */
export const isRepeatable = (exchange: Exchange): boolean =>
  exchange.status === 200 &&
  exchange.body.includes("control=") &&
  (creations.test(exchange.path) || (followUps.test(exchange.path) && hasKey(exchange)))

const serialNumber = /"serial-number":"[^"]*",?/

/** Signed with a key that counts no more. */
const isStrangers = ({ answer, status }: Said): boolean => status === 400 && answer.includes('"error-code":"40"')

/** What is wrong with the answer to a repeat. */
export const repeated = ({ answer, path }: Exchange, again: Said): Problems => {
  const isSame = again.status === 200 && again.answer.replace(serialNumber, "") === answer.replace(serialNumber, "")
  return isSame ? [] : [`${path} again was answered ${again.status} ${again.answer}, at first ${answer}`]
}

/** What is wrong with the answer to other content under the same name. */
export const differed = ({ path }: Exchange, { answer, status }: Said): Problems =>
  status === 400 ? [] : [`${path} again with other content was answered ${status} ${answer}`]

/** The same signature covers it: the comment or description is not a part of it. */
const otherContent = ({ body, headers, target }: Exchange): Sent | undefined => {
  const changed = body.replace(/(order_desc|comment)=/, "$1=other%20")
  return changed === body ? undefined : { body: changed, headers, target }
}

/** All that a repeat must not change, in words that can be compared. */
const traces = async ({ merchantOf, world }: Life, { clientOrderId, merchantId, orderId }: Order): Promise<string> => {
  const requests = world.committed.rows(OrderRequest).filter((request) => request.orderId === orderId)
  const booked = await world.run(merchantOf(merchantId).place.booked(clientOrderId))
  return `${requests.length} requests, ${booked.length} bookings`
}

export const replays: Check = {
  name: "replays",
  what: "A request that was accepted gets the same answer again, byte for byte but for its serial number, and changes nothing; with other content it is refused.",
  begin: (life) => {
    const { world } = life
    let seen = 0
    let left = every

    const again = async (exchange: Exchange): Promise<Problems> => {
      const order = world.committed.row(Order, told(exchange.answer, "paynet-order-id") ?? "")
      // What still moves may get further requests or bookings for other reasons.
      if (order === undefined || !Lifecycle.isFinal(order.state) || order.movingCount > 0) return []
      life.count("replays")
      const before = await traces(life, order)
      const same = await ask(world, exchange)
      const other = otherContent(exchange)
      const refused = other === undefined ? undefined : await ask(world, other)
      const after = await traces(life, order)
      const isRekeyed = life.merchantOf(exchange.login).controlKeys.length > 1
      return [
        ...(same === undefined || (isRekeyed && isStrangers(same)) ? [] : repeated(exchange, same)),
        ...(refused === undefined ? [] : differed(exchange, refused)),
        ...(before === after ? [] : [`${exchange.path} again made ${after} of ${before}`])
      ]
    }
    return {
      afterStep: async () => {
        const found: Array<string> = []
        while (seen < world.exchanges.length) {
          const exchange = world.exchanges[seen]
          seen += 1
          if (exchange === undefined || !isRepeatable(exchange)) continue
          left -= 1
          const earlier = left === 0 ? world.exchanges.slice(0, Math.ceil(seen / 2)).findLast(isRepeatable) : undefined
          if (left === 0) left = every
          if (earlier !== undefined && world.gateway.isUp() && !world.gateway.isPaused())
            found.push(...(await again(earlier)))
        }
        return found
      }
    }
  }
}
