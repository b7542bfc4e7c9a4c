/**
 * The requests of a first contact with a gateway. None can move money, also at a gateway that accepts what it must refuse: a request
 * only reads, acts on an order that cannot exist, or has neither an amount nor a means of payment.
 */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import type * as Control from "@pay/signing/Control"
import type { Fields, Merchant, Options } from "../Draft.ts"

/** One request of a first contact. */
export interface HarmlessRequest {
  /** What is asked, in words: the name of the answer in the file and in the report. */
  readonly name: string
  readonly operation: Operation
  readonly fields: Fields
  readonly options: Options
}

/** A `paynet-order-id` that no gateway gives, the largest number of 64 bits. */
const unknownOrder = "9223372036854775807"

/** A number of an endpoint that no gateway gives. */
const unknownEndpoint = "9223372036854775806"

/** The beginning of the `client_orderid` of every request. The rest is chosen at random, so that no order has it. */
export const prefix = "harmless-"

const otherKey = "another key"

const { CAPTURE, RETURN, SALE, STATUS, VOID } = PayApi.operations

/** The operation that reads the status of an order. */
export const statusOperation: Operation = STATUS

/** The amount of requests on the order that cannot exist, because their signature covers it. */
const amount = "1.00"

/**
 * Returns the fields of a request: only those that name the merchant and an order that does not exist. Without amount, card, stored
 * card and account there is nothing to pay with.
 */
const fieldsOf = ({ fields }: Operation, { login }: Merchant, id: string): Fields => {
  const values: Fields = {
    login,
    client_orderid: id,
    "client-order-id": id,
    orderid: unknownOrder
  }
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in fields))
}

const replaced = (name: string, text: string | undefined): Options => ({
  change: (parameters) =>
    parameters.flatMap(([each, value]) =>
      each === name ? (text === undefined ? [] : [[each, text]]) : [[each, value]]
    )
})

/** The requests for the status of orders that do not exist. Each `id` belongs to no order. */
export const statuses = (merchant: Merchant, freshId: () => string): ReadonlyArray<HarmlessRequest> => {
  const status = (name: string, options: Options = {}, changes: Fields = {}): HarmlessRequest => ({
    name: `status ${name}`,
    operation: STATUS,
    fields: Object.fromEntries(
      Object.entries({ login: merchant.login, client_orderid: freshId(), ...changes }).filter(([, text]) => text !== "")
    ),
    options
  })
  return [
    status("of an unknown order"),
    status("of another unknown order"),
    status("of an unknown order with its number", {}, { orderid: unknownOrder }),
    status("with a control of another key", { key: otherKey }),
    status("without control", replaced("control", undefined)),
    status("with a control of zeros", replaced("control", "0".repeat(40))),
    status("of an unknown login", {}, { login: `not-${merchant.login}` }),
    status("at an unknown endpoint", { endpointId: unknownEndpoint }),
    status("without client_orderid", {}, { client_orderid: "" }),
    status("without the header Accept", { headers: { accept: "" } }),
    status("with a body of JSON", { headers: { "content-type": "application/json" } }),
    status("by GET", { method: "GET", body: () => "" })
  ]
}

/** Returns the request of an operation with its ids only, which is refused after its signature was verified. */
export const signed = (operation: Operation, merchant: Merchant, id: string, currency: string): HarmlessRequest => {
  const fields = fieldsOf(operation, merchant, id)
  const what =
    operation === SALE
      ? "without amount and card"
      : fields.orderid === undefined
        ? "with its ids alone"
        : "of an unknown order"
  const isPart = operation === CAPTURE || operation === RETURN
  return {
    name: `${operation.command} ${what}`,
    operation,
    fields: isPart ? { ...fields, amount, currency } : fields,
    options: {}
  }
}

/** Returns the same request with a signature of another key. `privateKey`: an RSA key that is not the merchant's. */
export const wronglySigned = (request: HarmlessRequest, privateKey: string): HarmlessRequest => ({
  ...request,
  name: `${request.operation.command} with a signature of another key`,
  options: { key: otherKey, privateKey }
})

/** The operations whose signature is also sent wrong: one of each kind, because a provider may count wrong signatures. */
export const wronglySignedOperations: ReadonlyArray<Operation> = [
  SALE,
  CAPTURE,
  RETURN,
  VOID,
  PayApi.operations.PAYOUT,
  PayApi.operations.STATUS_V4
]

/** The operations on an order, whose recipe may differ at another gateway. */
export const withOtherRecipes: ReadonlyArray<Operation> = [CAPTURE, RETURN, VOID]

const ids: ReadonlyArray<Control.Recipe> = [
  ["login", "client_orderid", "orderid"],
  ["login", "orderid"],
  ["client_orderid", "orderid"],
  ["endpointId", "client_orderid", "orderid"],
  ["endpointId", "orderid"],
  ["orderid"]
]

/** The recipes to try if that of the contract is refused. */
export const recipes = (operation: Operation): ReadonlyArray<Control.Recipe> =>
  operation === VOID ? ids : ids.flatMap((recipe) => [recipe, [...recipe, "amount"], [...recipe, "amount", "currency"]])
