/**
 * Checks that a repeated request has no further effect and gets the first answer again. Only the serial number and the current
 * status may differ.
 */
import { createHash, createPrivateKey } from "node:crypto"
import { Lifecycle, Order, OrderRequest } from "@pay/gateway/Entities"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import type { Exchange } from "../OwnGateway.ts"
import { baseUrl } from "../SimulatedSystem.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"
import { report } from "./Durability.ts"
import { ask, type Reply, type Sent } from "./GatewayRequest.ts"

const creations = new Set(
  Object.values(PayApi.operations).flatMap(({ acts, path }) => (acts === "creates" ? [path] : []))
)
const followUps = /\/(capture|return|void)$/
const every = 25

const hasKey = ({ headers }: Sent): boolean => Object.keys(headers).some((name) => /^idempotency-key$/i.test(name))

/** Whether the gateway can recognize a repeat: of a creation by its `client_orderid`, of a follow-up by its key. */
export const isRepeatable = (exchange: Exchange): boolean =>
  exchange.status === 200 && (creations.has(exchange.path) || (followUps.test(exchange.path) && hasKey(exchange)))

/** Returns the request to send it once more. It gets a new OAuth signature, because a nonce is valid once. */
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
    let turn = 0

    const again = async (exchange: Exchange): Promise<Problems> => {
      const order = system.committed.row(Order, report(exchange.answer, "paynet-order-id") ?? "")
      // An order that is not final may get further requests or bookings for other reasons.
      if (order === undefined || !Lifecycle.isFinal(order.state) || order.inFlightCount > 0) return []
      simulation.count("repeats")
      const before = await effectsOf(simulation, order)
      const merchant = simulation.merchantOf(exchange.login)
      const nowMs = system.gateway.wallMs()
      const anew = (sent: Exchange) => {
        turn += 1
        return signedAnew(merchant, nowMs, turn, sent)
      }
      const same = await ask(system, anew(exchange))
      const other = otherContent(exchange)
      const refused = other === undefined ? undefined : await ask(system, anew(other))
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
            left === 0 ? system.exchanges.slice(0, Math.ceil(count / 2)).findLast(isRepeatable) : undefined
          if (left === 0) left = every
          if (earlier !== undefined && system.gateway.isUp() && !system.gateway.isPaused())
            violations.push(...(await again(earlier)))
        }
        return violations
      }
    }
  }
}
