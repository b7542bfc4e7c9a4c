/**
 * Checks that a repeated request has no further effect and gets the first answer again. Only the serial number and the current
 * status may differ.
 */
import { createHash, createPrivateKey } from "node:crypto"
import { Order } from "@pay/gateway/entities/Order"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import * as Lifecycle from "@pay/gateway/Lifecycle"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import type { Exchange } from "../OwnGateway.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import { baseUrl } from "../World.ts"
import type { Check, Problems } from "./Check.ts"
import { report } from "./Durability.ts"
import { ask, type Reply, type Sent } from "./GatewayRequest.ts"

const creations = new Set(
  Object.values(PayApi.operations).flatMap(({ acts, path }) => (acts === "creates" ? [path] : []))
)
const followUps = /\/(capture|return|void)$/
const every = 25

const hasKey = ({ headers }: Sent): boolean => Object.keys(headers).some((name) => /^idempotency-key$/i.test(name))

/** Whether its repeat is known as one: a creation by its name, a follow-up by its key. */
export const isRepeatable = (exchange: Exchange): boolean =>
  exchange.status === 200 && (creations.has(exchange.path) || (followUps.test(exchange.path) && hasKey(exchange)))

/** Returns a request for sending it once more. An OAuth signature is made anew, because its nonce counts only once. */
const signedAnew = ({ account, keys }: MerchantProcess, nowMs: number, turn: number, exchange: Exchange): Sent => {
  const { body, headers, target } = exchange
  const { authorization = "" } = headers
  if (authorization === "") return exchange
  const { controlKey, privateKeyPem } = keys()
  const key = authorization.includes("HMAC-SHA1")
    ? OAuth.hmac(controlKey)
    : OAuth.rsaPrivate(createPrivateKey(privateKeyPem))
  const parsed = Form.parse(body)
  const signed = OAuth.sign(
    {
      ...{ method: "POST", url: `${baseUrl}${target}`, consumerKey: account.login },
      parameters: parsed.ok ? parsed.parameters : [],
      timestampSeconds: Math.floor(nowMs / 1000),
      nonce: createHash("sha256").update(`${authorization} ${turn}`).digest("hex").slice(0, 32)
    },
    key
  )
  return { body, target, headers: { ...headers, authorization: signed.ok ? signed.authorization : "" } }
}

/** What names the answer itself, and how things stand now. */
const present = /"(?:serial-number|status|next-charge-date)":"[^"]*",?/g

const lasting = (answer: string): string => answer.replace(present, "").replace(",}", "}")

/** Signed with a key that counts no more. */
const isKeyRejected = ({ answer, status }: Reply): boolean => status === 400 && answer.includes('"error-code":"40"')

/** What is wrong with the answer to a repeat. */
export const repeated = ({ answer, path }: Exchange, again: Reply): Problems => {
  const isSame = again.status === 200 && lasting(again.answer) === lasting(answer)
  return isSame ? [] : [`${path} again was answered ${again.status} ${again.answer}, at first ${answer}`]
}

/** What is wrong with the answer to other content under the same name. */
export const differed = ({ path }: Exchange, { answer, status }: Reply): Problems =>
  status === 400 ? [] : [`${path} again with other content was answered ${status} ${answer}`]

/** Returns the request with other content under its old signature, which does not cover the comment or description. */
const otherContent = (exchange: Exchange): Exchange | undefined => {
  const body = exchange.body.replace(/(order_desc|comment)=/, "$1=other%20")
  return body === exchange.body ? undefined : { ...exchange, body }
}

/** All that a repeat must not change, in words that can be compared. */
const traces = async (
  { merchantOf, world }: SimulationRun,
  { clientOrderId, merchantId, orderId }: Order
): Promise<string> => {
  const requests = world.committed.rows(OrderRequest).filter((request) => request.orderId === orderId)
  const booked = await world.run(merchantOf(merchantId).remote.booked(clientOrderId))
  return `${requests.length} requests, ${booked.length} bookings`
}

export const replays: Check = {
  name: "replays",
  what: "A request that was accepted gets the same answer again but for its serial number and how things stand now, and changes nothing; with other content it is refused.",
  begin: (simulation) => {
    const { world } = simulation
    let count = 0
    let left = every
    let turn = 0

    const again = async (exchange: Exchange): Promise<Problems> => {
      const order = world.committed.row(Order, report(exchange.answer, "paynet-order-id") ?? "")
      // What still moves may get further requests or bookings for other reasons.
      if (order === undefined || !Lifecycle.isFinal(order.state) || order.movingCount > 0) return []
      simulation.count("replays")
      const before = await traces(simulation, order)
      const merchant = simulation.merchantOf(exchange.login)
      const nowMs = world.gateway.machine.clock.currentTimeMillisUnsafe()
      const anew = (sent: Exchange) => {
        turn += 1
        return signedAnew(merchant, nowMs, turn, sent)
      }
      const same = await ask(world, anew(exchange))
      const other = otherContent(exchange)
      const refused = other === undefined ? undefined : await ask(world, anew(other))
      const after = await traces(simulation, order)
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
        while (count < world.exchanges.length) {
          const exchange = world.exchanges[count]
          count += 1
          if (exchange === undefined || !isRepeatable(exchange)) continue
          left -= 1
          const earlier = left === 0 ? world.exchanges.slice(0, Math.ceil(count / 2)).findLast(isRepeatable) : undefined
          if (left === 0) left = every
          if (earlier !== undefined && world.gateway.isUp() && !world.gateway.isPaused())
            violations.push(...(await again(earlier)))
        }
        return violations
      }
    }
  }
}
