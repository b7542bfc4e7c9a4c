/** A request about an order at a gateway that honours no keys, by script. */
import * as PayApi from "@pay/schema/PayApi"
import * as ByAmounts from "../src/ByAmounts.ts"
import type { OrderStatus } from "../src/OrderStatus.ts"
import type { Way } from "../src/Way.ts"
import * as Script from "./Script.ts"

export type Name = "CAPTURE" | "RETURN" | "VOID"
export type Moved = Pick<
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

export const approved = (moved: Moved): Script.Say =>
  Script.stands("approved", {
    currency: undefined,
    ...Object.fromEntries(Object.entries(names).map(([name, field]) => [field, Reflect.get(moved, name)]))
  })

const standing = (moved: Moved): OrderStatus => ({ clientOrderId: "o-1", orderId: "7", status: "approved", ...moved })

export const act = (
  name: Name,
  amount: string | undefined,
  before: Moved | undefined,
  changes: Partial<Way> = {},
  given?: Moved
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
      ...(given === undefined ? {} : { before: standing(given) })
    },
    {
      isKeyed: false,
      answersByRequest: false,
      showsFollowUps: true,
      isOpen: false,
      ...(before === undefined ? {} : { order: standing(before) }),
      ...changes
    }
  )
}

/** Sent once, the answer lost; a repeat would be refused. */
export const outcome = (name: Name, amount: string | undefined, before: Moved, after: Moved) => {
  const flow = act(name, amount, before)
  return Script.play(
    { [paths[name]]: ["lost", Script.refuses(1)], status: [approved(after)] },
    flow,
    {},
    Script.keyless
  )
}

export const heldOrder = {
  currency: "USD",
  transactionType: "preauth",
  authorizedAmount: "10.00",
  capturedAmount: "0.00",
  returnedAmount: "0.00"
}
export const captured = { ...heldOrder, transactionType: "capture", capturedAmount: "10.00" }
