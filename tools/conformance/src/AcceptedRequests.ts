/** Requests that each operation accepts, with the objects that must exist before. They follow from the fields of the operation. */
import * as Operation from "@pay/schema/Operation"
import type * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import type { Fields } from "./Draft.ts"
import type { Reply } from "./Exchange.ts"
import * as Expect from "./Expect.ts"
import { call, type Gateway } from "./Gateway.ts"
import * as Orders from "./Orders.ts"
import * as Samples from "./Samples.ts"
import * as ThreeDSOrders from "./ThreeDSOrders.ts"
import type { Lacking, Violation } from "./Violation.ts"

/** Fields of a request that name existing objects, and the endpoint of these objects. */
interface Preparation {
  readonly fields: Fields
  readonly endpointId?: string | undefined
}

type Making = Effect.Effect<Preparation, Violation | Lacking, Gateway>

const named = (operation: Operation.Operation, { clientOrderId, endpointId, orderId }: Orders.Order): Preparation => {
  const name = Operation.clientOrderNames.find((each) => each in operation.fields) ?? "client_orderid"
  return { fields: { [name]: clientOrderId, orderid: orderId }, endpointId }
}

/** The member of a status answer or of the browser's form that has the value of a field, by the field's name. */
const fromStatus: Readonly<Record<string, string>> = {
  threeDSServerTransID: "threeds-server-trans-id",
  cRes: "cres",
  paRes: "PaRes",
  md: "MD"
}

const afterBrowser =
  (operation: Operation.Operation) =>
  (making: typeof ThreeDSOrders.atMethod): Making =>
    Effect.map(making, ({ order, values }) => {
      const { endpointId, fields } = named(operation, order)
      const own = Object.keys(operation.fields).flatMap((name) => {
        const value = values[fromStatus[name] ?? ""]
        return value === undefined ? [] : [[name, value] as const]
      })
      return { fields: { ...fields, ...Object.fromEntries(own) }, endpointId }
    })

/** Makes orders in every state that an operation may require, the most usual first. */
const orders = (operation: Operation.Operation): ReadonlyArray<Making> => {
  const { cRes, paRes, threeDSServerTransID } = operation.fields
  const browser = afterBrowser(operation)
  if (threeDSServerTransID !== undefined) return [browser(ThreeDSOrders.atMethod)]
  if (cRes !== undefined) return [browser(ThreeDSOrders.challenged)]
  if (paRes !== undefined) return [browser(ThreeDSOrders.passwordEntered)]
  const settled = (name: PayApi.Name) => Effect.map(Orders.settled(name), (order) => named(operation, order))
  const checked = Effect.map(ThreeDSOrders.checkedPayout, (order) => named(operation, order))
  return [settled("PREAUTH"), settled("SALE"), checked]
}

const nothing: Making = Effect.succeed({ fields: {} })

/** Returns all preparations for an accepted request. They follow from the operation's fields, also for a new operation. */
const preparations = (operation: Operation.Operation, sample: Fields): ReadonlyArray<Making> => {
  const reference = Object.keys(sample).find((name) => /cardrefid|card-ref-id/.test(name))
  if (reference !== undefined) return [Effect.map(Orders.storedCard, (id) => ({ fields: { [reference]: id } }))]
  if (sample["recurring-payment-id"] !== undefined)
    return [Effect.map(Orders.subscribed(), ({ id }) => ({ fields: { "recurring-payment-id": id } }))]
  return operation.acts === "onOrder" || operation.acts === "reads" ? orders(operation) : [nothing]
}

/** The last request that {@link send} sent, and its answer. */
interface LastRequest extends Preparation {
  /** All fields of the request that was accepted, or of the last one that was refused. */
  readonly request: Fields
  readonly reply: Reply
}

/** Sends the operation after each preparation until a request is accepted. `shape` changes the fields before they are signed. */
export const send = Effect.fnUntraced(function* (
  operation: Operation.Operation,
  shape: (fields: Fields) => Fields = (fields) => fields,
  sendOne: (fields: Fields, endpointId: string | undefined) => Effect.Effect<Reply, Violation, Gateway> = (
    fields,
    endpointId
  ) => call(operation, fields, endpointId === undefined ? {} : { endpointId })
) {
  const sample = yield* Samples.request(operation)
  let last: LastRequest | undefined
  for (const making of preparations(operation, sample)) {
    const prepared = yield* making
    const request = shape(yield* Samples.request(operation, prepared.fields))
    last = { ...prepared, request, reply: yield* sendOne(request, prepared.endpointId) }
    if (last.reply.status === 200) return last
  }
  return last ?? (yield* Expect.violated(`no accepted request of ${operation.command} is known`))
})
