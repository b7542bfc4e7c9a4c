/** Runs a request about an order at a scripted gateway without idempotency keys. */
import * as PayApi from "@pay/schema/PayApi"
import type { OrderStatus } from "../src/order/OrderStatus.ts"
import type { ActionPlan } from "../src/requests/ActionPlan.ts"
import * as ByAmounts from "../src/requests/ByAmounts.ts"
import * as Script from "./Script.ts"

export type Name = "CAPTURE" | "RETURN" | "VOID"
export type Amounts = Pick<
  OrderStatus,
  "amount" | "authorizedAmount" | "capturedAmount" | "currency" | "returnedAmount" | "transactionType"
>

export const paths: Readonly<Record<Name, string>> = { CAPTURE: "capture", RETURN: "return", VOID: "void" }
const names = {
  amount: "amount",
  authorizedAmount: "authorized-amount",
  capturedAmount: "captured-amount",
  currency: "currency",
  returnedAmount: "returned-amount",
  transactionType: "transaction-type"
} as const

export const approved = (amounts: Amounts): Script.Answer =>
  Script.orderStatus("approved", {
    currency: undefined,
    ...Object.fromEntries(Object.entries(names).map(([name, field]) => [field, Reflect.get(amounts, name)]))
  })

const statusOf = (amounts: Amounts): OrderStatus => ({
  clientOrderId: "o-1",
  orderId: "7",
  status: "approved",
  ...amounts
})

export const act = (
  name: Name,
  amount: string | undefined,
  before: Amounts | undefined,
  changes: Partial<ActionPlan> = {},
  recorded?: Amounts
) => {
  const currency = amount === undefined ? {} : { amount, currency: before?.currency ?? "USD" }
  return ByAmounts.carryOut(
    {
      operation: PayApi.operations[name],
      request: { client_orderid: "o-1", orderid: "7", ...currency },
      clientOrderId: "o-1",
      orderId: "7",
      endpointId: undefined,
      step: "act",
      trail: [],
      ...(recorded === undefined ? {} : { before: statusOf(recorded) })
    },
    {
      isKeyed: false,
      answersByRequest: false,
      showsFollowUps: true,
      isOpen: false,
      ...(before === undefined ? {} : { order: statusOf(before) }),
      ...changes
    }
  )
}

/** Sends the request once and loses the answer; a repeat would be refused. */
export const outcome = (name: Name, amount: string | undefined, before: Amounts, after: Amounts) => {
  const flow = act(name, amount, before)
  return Script.run({ [paths[name]]: ["lost", Script.refusal(1)], status: [approved(after)] }, flow, {}, Script.keyless)
}

export const authorizedOrder = {
  currency: "USD",
  transactionType: "preauth",
  authorizedAmount: "10.00",
  capturedAmount: "0.00",
  returnedAmount: "0.00"
}
export const captured = { ...authorizedOrder, transactionType: "capture", capturedAmount: "10.00" }
