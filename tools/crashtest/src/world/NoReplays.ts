/**
 * A gateway that does not recognise a repeated creation: a second one under the same `client_orderid` creates a second order, unless
 * both have the same `Idempotency-Key`. Our gateway gets it under another name, signed again, and the shop reads the name that it
 * gave. The gateway announces everything that it does except replays.
 */
import type { Callback } from "@pay/gateway/CallbackSender"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import { clientOrderNames } from "@pay/schema/Operation"
import * as CallbackSignature from "@pay/signing/Callback"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import type { Answer } from "./AnswerFacts.ts"
import * as AnswerFacts from "./AnswerFacts.ts"
import type { MerchantKeys } from "./MerchantKeys.ts"
import * as ProxyHeaders from "./ProxyHeaders.ts"
import type { Received, RequestFacts } from "./RequestFacts.ts"
import * as SentCallback from "./SentCallback.ts"
import type { Watched } from "./Watched.ts"

/** What the gateway has at the end of the name of a second order. */
const suffix = /-second-\d+/g

/** Returns the name that the shop gave an order, for the name that the gateway has. */
export const inward = (text: string): string => text.replaceAll(suffix, "")

/** Names under which an order was created, each with its key, and the numbers of its second orders with their names. */
interface Created {
  readonly names: Map<string, string | undefined>
  readonly numbers: Map<string, string>
}

export interface Options {
  readonly keys: MerchantKeys
  /** The scheme, host and port of the gateway, which OAuth signatures cover. */
  readonly origin: string
  readonly nowSeconds: () => number
}

/** A request as the gateway gets it. */
export interface Outgoing {
  readonly received: Received
  /** Remembers what the gateway answered. */
  readonly answered: (answer: Answer) => void
}

/** What the gateway announces. */
const announced = GatewayProfile.format({ ...GatewayProfile.ours, replaysClientOrderId: false })

/** Returns an answer as the shop gets it. */
export const ofShop = (answer: Answer): Answer => {
  const rawHeaders = ProxyHeaders.omit(answer.rawHeaders, [GatewayProfile.header])
  const isAnnounced = rawHeaders.length < answer.rawHeaders.length
  return {
    ...answer,
    rawHeaders: isAnnounced ? [...rawHeaders, GatewayProfile.header, announced] : rawHeaders,
    body: Buffer.from(inward(answer.body.toString()))
  }
}

const forgotten = () => undefined

const numbersOf = (answer: Answer) => AnswerFacts.numbersOf(AnswerFacts.fieldsOf(answer))

const keyOf = ({ headers }: Received): string | undefined => {
  const key = headers["idempotency-key"]
  return typeof key === "string" ? key : undefined
}

/** The first creation under a name, or one that has its key. A name that was refused is free again. */
const first = ({ names }: Created, received: Received, name: string, key: string | undefined): Outgoing => {
  const isNew = !names.has(name)
  names.set(name, key)
  return {
    received,
    answered: (answer) => {
      if (isNew && numbersOf(answer).length === 0) names.delete(name)
    }
  }
}

export class NoReplays {
  readonly #options: Options
  readonly #created = new WeakMap<Watched, Created>()
  #count = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns the request of an order as the gateway gets it. */
  outgoing(watched: Watched, facts: RequestFacts, received: Received): Outgoing {
    const created = this.#created.get(watched) ?? { names: new Map(), numbers: new Map() }
    this.#created.set(watched, created)
    const { clientOrderId: name = "", numbers = [], operation } = facts
    if (operation.acts !== "creates") {
      const second = numbers.flatMap((number) => created.numbers.get(number) ?? [])[0]
      return { received: second === undefined ? received : this.#renamed(received, facts, second), answered: forgotten }
    }
    const key = keyOf(received)
    const isSecond = created.names.has(name) && (key === undefined || created.names.get(name) !== key)
    return isSecond ? this.#second(created, facts, received, name) : first(created, received, name, key)
  }

  #second({ numbers }: Created, facts: RequestFacts, received: Received, name: string): Outgoing {
    this.#count += 1
    const used = `${name}-second-${this.#count}`
    return {
      received: this.#renamed(received, facts, used),
      answered: (answer) => {
        for (const number of numbersOf(answer)) numbers.set(number, used)
      }
    }
  }

  #renamed(received: Received, facts: RequestFacts, name: string): Received {
    const { keys, nowSeconds, origin } = this.#options
    const { endpointId, operation } = facts
    this.#count += 1
    const signed = keys.sign({
      operation,
      endpointId,
      url: `${origin}${received.target}`,
      parameters: facts.parameters.map(([field, value]) =>
        clientOrderNames.some((one) => one === operation.spellings.get(field)) ? [field, name] : [field, value]
      ),
      timestampSeconds: nowSeconds(),
      nonce: `second-${this.#count}-${nowSeconds()}`
    })
    const headers = ProxyHeaders.omit(received.rawHeaders, ["authorization"])
    const { authorization } = signed
    return {
      ...received,
      rawHeaders: authorization === undefined ? headers : [...headers, "authorization", authorization],
      body: Buffer.from(signed.body)
    }
  }

  /** Returns a callback about a second order as the shop gets it: under the shop's name, signed again. */
  callback(sent: Callback): Callback {
    const { controlKey } = this.#options.keys
    const parameters = SentCallback.parametersOf(sent)
    const value = (name: string) => parameters.findLast(([spelling]) => spelling === name)?.[1] ?? ""
    if (inward(value("client_orderid")) === value("client_orderid")) return sent
    const changed = parameters.map(([name, text]) => [name, inward(text)] as const)
    const values = {
      status: value("status"),
      orderid: value("orderid"),
      client_orderid: inward(value("client_orderid"))
    }
    const control = CallbackSignature.sign(values, controlKey)
    const callback = SentCallback.withParameters(
      sent,
      changed.map(([name, text]) => [name, name === "control" ? control : text] as const)
    )
    const content = callback.body ?? CallbackSignature.signedForms(callback.url.slice(callback.url.indexOf("?") + 1))
    const message = {
      id: sent.headers["webhook-id"] ?? "",
      timestampSeconds: Number(sent.headers["webhook-timestamp"] ?? this.#options.nowSeconds()),
      content
    }
    return {
      ...callback,
      headers: { ...sent.headers, ...StandardWebhooks.sign(message, [StandardWebhooks.secret(controlKey)]) }
    }
  }
}
