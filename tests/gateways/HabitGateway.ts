/** A stub gateway with habits of its own. It keeps each request, and books a payment for each order with an amount and a card. */
import type { IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import * as Pairs from "@pay/schema/Pairs"
import * as PayApi from "@pay/schema/PayApi"
import * as Control from "@pay/signing/Control"
import { Effect } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"

export const merchant = { login: "shop-7", controlKey: "5F0C9C1E-8A88-4DC0-B1B0-8D1690B26E11", endpoint: "1001" }

type Fields = Readonly<Record<string, string | number>>

interface Refusal {
  readonly http: number
  readonly code: string
  readonly message: string
}

/** The habits of a gateway. */
export interface Habits {
  readonly prefix?: string
  readonly answers: "json" | "pairs"
  readonly contentType: string
  readonly unsigned: Refusal
  readonly incomplete: Refusal
  readonly unknown: Refusal
  /** The refusal of every status, if the account may not ask for it. */
  readonly noStatus?: Refusal
  /** Whether refusals have a `type` and a `serial-number`. */
  readonly isTyped: boolean
  readonly hasNumbers?: boolean
  /** The names of the operations that it has. */
  readonly serves: ReadonlyArray<string>
  readonly recipes?: Readonly<Record<string, Control.Recipe>>
  readonly announces?: string
  /** Further fields of a status, or others of them. */
  readonly reports?: Fields
  /** Whether it takes every request for right: signatures, fields and orders are not checked. */
  readonly believesAll?: boolean
  /** Whether the first sale is lost on its way: it makes no order, and has no answer. */
  readonly losesFirstSale?: boolean
}

/** One request that arrived. */
export interface Arrival {
  readonly operation: string | undefined
  readonly method: string
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

interface Order {
  readonly id: string
  readonly fields: Arrival["fields"]
}

const operationAt = (path: string, { serves }: Habits): Operation | undefined =>
  PayApi.all.find((each) => serves.includes(each.name) && path.replace(/(\/group)?\/\d+$/, "") === each.path)

const isSigned = (operation: Operation, arrival: Arrival, { recipes = {} }: Habits): boolean => {
  if (operation.signing._tag !== "Control") return false
  const endpointId = /\d+$/.exec(arrival.path)?.[0] ?? ""
  const { fields } = Canonical.fields(operation, Object.entries(arrival.fields))
  const values = Canonical.controlValues(operation, fields, { endpointId, mode: "minor" })
  const expected = Control.sign(recipes[operation.name] ?? operation.signing.recipe, values, merchant.controlKey)
  const isMerchant = endpointId === merchant.endpoint && [undefined, merchant.login].includes(arrival.fields.login)
  return isMerchant && Control.matches(arrival.fields.control ?? "", expected)
}

const arrivalOf = async (request: IncomingMessage, habits: Habits): Promise<Arrival> => {
  const path = (request.url ?? "").slice(habits.prefix?.length ?? 0)
  const fields = Object.fromEntries(new URLSearchParams(await text(request)))
  return { operation: operationAt(path, habits)?.name, method: request.method ?? "", path, fields }
}

/** The orders of one gateway, and what it decides about a request. */
const makeOrders = (habits: Habits, booked: Array<string>) => {
  const orders: Array<Order> = []
  const find = ({ client_orderid, orderid }: Arrival["fields"]) =>
    orders.find(({ fields, id }) => fields.client_orderid === client_orderid && (orderid ?? id) === id)
  const answerOf = ({ fields, id }: Order, type: string, extra: Fields): Fields => ({
    type,
    "serial-number": `00000000-0000-0000-0000-${String(Date.now() + booked.length).padStart(12, "0")}`,
    "merchant-order-id": fields.client_orderid ?? "",
    "paynet-order-id": habits.hasNumbers === true ? Number(id) : id,
    ...extra
  })
  const create = ({ fields }: Arrival): Fields => {
    const order = { id: String(7000 + orders.length), fields }
    orders.push(order)
    if (fields.amount !== undefined && fields.credit_card_number !== undefined) booked.push(`sale ${fields.amount}`)
    return answerOf(order, "async-response", {})
  }
  return (operation: Operation, arrival: Arrival): Fields | Refusal => {
    const { fields } = arrival
    const isRight = habits.believesAll === true || isSigned(operation, arrival, habits)
    if (!isRight || (arrival.method !== "POST" && habits.believesAll !== true)) return habits.unsigned
    if (operation.acts === "creates") {
      const isComplete = fields.amount !== undefined && fields.credit_card_number !== undefined
      return isComplete || habits.believesAll === true ? create(arrival) : habits.incomplete
    }
    if (fields.client_orderid === undefined && habits.believesAll !== true) return habits.incomplete
    if (operation.acts === "reads" && habits.noStatus !== undefined) return habits.noStatus
    const order = find(fields) ?? (habits.believesAll === true ? orders[0] : undefined)
    if (order === undefined) return habits.unknown
    if (operation.acts === "onOrder") booked.push(operation.command)
    const { amount = "", currency = "" } = order.fields
    return operation.acts === "reads"
      ? answerOf(order, "status-response", {
          status: "approved",
          "transaction-type": "sale",
          amount,
          currency,
          ...habits.reports
        })
      : answerOf(order, "async-response", {})
  }
}

const bodyOf = (answer: Fields | Refusal, { answers, isTyped }: Habits): string => {
  const fields: Fields =
    "http" in answer
      ? {
          ...(isTyped && { type: "validation-error", "serial-number": "00000000-0000-0000-0000-000000000001" }),
          "error-code": String(answer.code),
          "error-message": String(answer.message)
        }
      : answer
  return answers === "pairs"
    ? Pairs.write(Object.entries(fields).map(([name, value]) => [name, String(value)]))
    : JSON.stringify(fields)
}

/** Starts the gateway. */
export const start = Effect.fnUntraced(function* (habits: Habits) {
  const arrivals: Array<Arrival> = []
  const booked: Array<string> = []
  const decide = makeOrders(habits, booked)
  let loses = habits.losesFirstSale
  const port = yield* serve((request, response) => {
    void arrivalOf(request, habits).then((arrival) => {
      arrivals.push(arrival)
      const operation = request.url?.startsWith(`${habits.prefix ?? ""}/api/`)
        ? operationAt(arrival.path, habits)
        : undefined
      if (operation === undefined) {
        response.writeHead(404, { "content-type": "text/html" }).end("<html>Not here</html>")
        return
      }
      if (loses === true && operation.name === "SALE" && arrival.fields.amount !== undefined) {
        loses = false
        request.socket.destroy()
        return
      }
      const answer = decide(operation, arrival)
      const status = "http" in answer ? Number(answer.http) : 200
      const announced = habits.announces === undefined ? {} : { "pay-gateway-profile": habits.announces }
      response.writeHead(status, { "content-type": habits.contentType, ...announced }).end(bodyOf(answer, habits))
    })
  })
  return { baseUrl: `http://127.0.0.1:${port}`, arrivals, booked }
})

const card = ["SALE", "PREAUTH", "CAPTURE", "VOID", "RETURN", "STATUS"]

/** The older dialect below its own path: every refusal has HTTP status 200 and the same code, and only the message tells them apart. */
export const older: Habits = {
  prefix: "/paynet",
  answers: "pairs",
  contentType: "text/html;charset=utf-8",
  unsigned: { http: 200, code: "1", message: "Invalid control code" },
  incomplete: { http: 200, code: "1", message: "Required fields are missing" },
  unknown: { http: 200, code: "1", message: "Order not found" },
  isTyped: true,
  serves: card
}

/** JSON with the statuses of HTTP, without types and serial numbers, with numbers, and another recipe of void. */
export const plainJson: Habits = {
  answers: "json",
  contentType: "application/json",
  unsigned: { http: 401, code: "7", message: "Signature mismatch" },
  incomplete: { http: 400, code: "12", message: "Bad request" },
  unknown: { http: 404, code: "19", message: "No such order" },
  isTyped: false,
  hasNumbers: true,
  reports: { "paynet-processing-date": "31.01.2030 17:14" },
  serves: [...card, "SALEFORM"],
  recipes: { VOID: ["login", "orderid"] }
}

/** The specification's form, with an announcement. */
export const announcing: Habits = {
  answers: "json",
  contentType: "application/vnd.pay+json",
  unsigned: { http: 400, code: "40", message: "Login, endpoint or control is wrong" },
  incomplete: { http: 400, code: "1", message: "Parameter amount is required" },
  unknown: { http: 400, code: "54", message: "Unknown order" },
  isTyped: true,
  serves: PayApi.all.filter(({ signing }) => signing._tag === "Control").map(({ name }) => name),
  announces: "typed-errors, text-identifiers"
}
