/**
 * A gateway that does not recognise a repeated creation: a second one under the same `client_orderid` creates a second order. Our
 * gateway gets it under another name, signed again, and the shop reads the name that it gave. What the gateway does beyond the
 * specification is not announced, and `Idempotency-Key` has no effect: two equal captures or returns of a part are two.
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

/** Names under which an order was created, and the numbers of its second orders with their names. */
interface Created {
  readonly names: Set<string>
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

/** Returns an answer as the shop gets it. */
export const ofShop = (answer: Answer): Answer => ({
  ...answer,
  rawHeaders: ProxyHeaders.omit(answer.rawHeaders, [GatewayProfile.header]),
  body: Buffer.from(inward(answer.body.toString()))
})

const forgotten = () => undefined

export class NoReplays {
  readonly #options: Options
  readonly #created = new WeakMap<Watched, Created>()
  #count = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns the request of an order as the gateway gets it. */
  outgoing(watched: Watched, facts: RequestFacts, request: Received): Outgoing {
    const created = this.#created.get(watched) ?? { names: new Set(), numbers: new Map() }
    this.#created.set(watched, created)
    const { clientOrderId: name = "", numbers = [], operation } = facts
    const received = { ...request, rawHeaders: this.#withOwnKey(request.rawHeaders, operation.acts) }
    if (operation.acts !== "creates") {
      const second = numbers.flatMap((number) => created.numbers.get(number) ?? [])[0]
      return { received: second === undefined ? received : this.#renamed(received, facts, second), answered: forgotten }
    }
    const isSecond = created.names.has(name)
    if (isSecond) this.#count += 1
    const used = isSecond ? `${name}-second-${this.#count}` : name
    created.names.add(name)
    return {
      received: isSecond ? this.#renamed(received, facts, used) : received,
      answered: (answer) => {
        const fields = AnswerFacts.fieldsOf(answer)
        const [number] = AnswerFacts.numbersOf(fields)
        if (number === undefined && !isSecond) created.names.delete(name)
        if (number !== undefined && isSecond) created.numbers.set(number, used)
      }
    }
  }

  /** Replaces the key of a repetition by a new one, so that two equal returns of a part are two returns. */
  #withOwnKey(rawHeaders: Received["rawHeaders"], acts: RequestFacts["operation"]["acts"]): ReadonlyArray<string> {
    const headers = ProxyHeaders.omit(rawHeaders, ["idempotency-key"])
    if (acts !== "onOrder") return headers
    this.#count += 1
    return [...headers, "idempotency-key", `second-${this.#count}`]
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
