/** What a client has learned about its orders, so that a call whose time is over can report it. */
import * as Evidence from "@pay/flows/Evidence"
import * as OrderStatus from "@pay/flows/OrderStatus"
import { Recent } from "@pay/flows/Recent"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { PayError } from "@pay/transport/PayError"
import { Clock, Effect, Predicate, Schema } from "effect"

/** What the answers to the requests about one order have shown. */
export interface Observation {
  readonly orderId?: string
  /** The order as `status` described it last. */
  readonly order?: OrderStatus.OrderStatus
  readonly evidence: ReadonlyArray<Evidence.Evidence>
}

/** A client, and what it has learned about the order with a `clientOrderId`. */
export interface Observed {
  readonly client: PayClient.Shape
  readonly of: (clientOrderId: string) => Observation
}

/** Largest number of orders that are remembered. Beyond it the oldest are dropped. */
const most = 1_000

const textOf = (values: unknown, name: string): string | undefined =>
  Predicate.hasProperty(values, name) && typeof values[name] === "string" ? values[name] : undefined

const clientOrderIdOf = (request: object): string | undefined =>
  textOf(request, "client_orderid") ?? textOf(request, "client-order-id") ?? textOf(request, "client-orderid")

const readStatus = Schema.decodeUnknownOption(PayApi.operations.STATUS.response)
const isPayError = Schema.is(PayError)

const none: Observation = { evidence: [] }

const statusOf = (operation: Operation, answer: unknown): OrderStatus.OrderStatus | undefined => {
  const status = operation.name === "STATUS" ? readStatus(answer) : undefined
  return status?._tag === "Some" ? OrderStatus.of(status.value) : undefined
}

/** Returns the client with a memory of the answers to its calls. */
export const around = (client: PayClient.Shape): Observed => {
  const observations = new Recent<Observation>(most)
  const of = (clientOrderId: string): Observation => observations.get(clientOrderId) ?? none

  const note = (clientOrderId: string, entry: Evidence.Evidence, order?: OrderStatus.OrderStatus) => {
    const { evidence, ...earlier } = of(clientOrderId)
    const trail = [...evidence]
    Evidence.note(trail, entry)
    const orderId = entry.orderId === undefined ? {} : { orderId: entry.orderId }
    observations.set(clientOrderId, {
      ...earlier,
      ...orderId,
      ...(order === undefined ? {} : { order }),
      evidence: trail
    })
  }

  const answered = (operation: Operation, answer: unknown, requestedAtMs: number): Evidence.Evidence => {
    const orderId = textOf(answer, "paynet-order-id")
    const serialNumber = textOf(answer, "serial-number")
    return {
      ...{ requestedAtMs, operation: operation.name, answer: "Answered" },
      ...(orderId === undefined ? {} : { orderId }),
      ...(serialNumber === undefined ? {} : { serialNumber })
    }
  }

  const wrap = <A, E>(call: Effect.Effect<A, E>, operation: Operation, request: object): Effect.Effect<A, E> => {
    const clientOrderId = clientOrderIdOf(request)
    if (clientOrderId === undefined) return call
    return Effect.flatMap(Clock.currentTimeMillis, (requestedAtMs) =>
      call.pipe(
        Effect.tap((answer) =>
          Effect.sync(() => {
            const order = statusOf(operation, answer)
            const entry =
              order === undefined
                ? answered(operation, answer, requestedAtMs)
                : Evidence.ofOrder(order, requestedAtMs, textOf(request, "by-request-sn"))
            note(clientOrderId, entry, order)
          })
        ),
        Effect.tapError((error) =>
          Effect.sync(() =>
            isPayError(error) ? note(clientOrderId, Evidence.ofError(error, requestedAtMs)) : undefined
          )
        ),
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            const entry = {
              requestedAtMs,
              operation: operation.name,
              answer: "none before the time of the call was over"
            }
            note(clientOrderId, entry)
          })
        )
      )
    )
  }
  return { client: PayClient.around(client, wrap), of }
}
