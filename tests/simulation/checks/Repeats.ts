/** Sends a merchant's request once more, as the merchant would. */
import { createHash, createPrivateKey } from "node:crypto"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import type { Exchange } from "../OwnGateway.ts"
import { baseUrl } from "../SimulatedSystem.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import { report } from "./Durability.ts"
import { ask, type Reply, type Sent } from "./GatewayRequest.ts"

const creations = new Set(
  Object.values(PayApi.operations).flatMap(({ acts, path }) => (acts === "creates" ? [path] : []))
)

/** Whether the request created an order. */
export const isCreation = ({ path, status }: Exchange): boolean => status === 200 && creations.has(path)

/** The number of the order in the answer; empty if there is none. */
export const orderIdOf = ({ answer }: Exchange): string => report(answer, "paynet-order-id") ?? ""

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

/** Returns undefined if the gateway does not answer. */
export const send = (simulation: SimulationRun, exchange: Exchange): Promise<Reply | undefined> => {
  simulation.count("repeats")
  const { repeats = 0 } = simulation.counts
  const merchant = simulation.merchantOf(exchange.login)
  return ask(simulation.system, signedAnew(merchant, simulation.system.gateway.wallMs(), repeats, exchange))
}
