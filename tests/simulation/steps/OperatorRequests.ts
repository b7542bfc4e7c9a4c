/** Requests of operators and approvers to the gateway. */

import type { Chance } from "@pay/crashtest/Chance"
import type { PageRequest } from "@pay/gateway/Gateway"
import { Effect, Option, Schema } from "effect"
import * as Operators from "../Operators.ts"
import { baseUrl } from "../SimulatedSystem.ts"
import type { SimulationRun } from "../SimulationRun.ts"

/** 404 and 409: the subject does not exist, or its state does not allow the action. */
const expected: ReadonlySet<number> = new Set([200, 201, 202, 404, 409])

export interface Reply {
  /** 0: no answer arrived. */
  readonly status: number
  readonly body: unknown
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface OperatorRequest {
  /** Undefined: an approver, who signs the request instead. */
  readonly by: Operators.Name | undefined
  readonly method?: "GET" | "POST"
  readonly target: string
  readonly sent?: object
  /** Further statuses that are expected. */
  readonly also?: ReadonlyArray<number>
}

const requestOf = ({ by, method = "POST", sent = {}, target }: OperatorRequest): PageRequest => {
  const [path = "", query = ""] = target.split("?")
  const isForm = sent instanceof URLSearchParams
  return {
    ...{ method, path, query, remoteAddress: "127.0.0.1", publicBaseUrl: baseUrl },
    headers: {
      host: "127.0.0.1",
      "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
      ...(by === undefined ? {} : { authorization: Operators.authorization(by) })
    },
    body: method === "GET" ? "" : isForm ? sent.toString() : JSON.stringify(sent)
  }
}

/** Returns the words of the path without identifiers: `operator orders resolve`. */
const actionOf = (path: string): string =>
  path
    .split("/")
    .filter((part) => /^[a-z]+$/.test(part))
    .join(" ")

const perform = ({ count, restores, system }: SimulationRun, ask: OperatorRequest): Effect.Effect<Reply> => {
  const request = requestOf(ask)
  return Effect.map(system.gateway.page(request), (answer) => {
    if (answer === undefined) throw new Error(`${ask.target} is not a page of the gateway`)
    const { body, status } = typeof answer === "string" ? { body: "", status: 0 } : answer
    count(`${actionOf(request.path)} ${status}`)
    system.trace.note(`${ask.by ?? "an approver"}: ${request.method} ${request.path} ${status}`)
    // A restored copy moves no order until the bookings of bank and rail are listed.
    const isClosed = status === 503 && restores.last() !== undefined
    if (status !== 0 && !isClosed && !expected.has(status) && ask.also?.includes(status) !== true)
      throw new Error(`${request.method} ${ask.target} ${request.body}: ${status} ${body}`)
    return { status, body: parse(body) }
  })
}

/** Sends all requests at the same time. */
export const sendAll = (
  { ...simulation }: SimulationRun,
  all: ReadonlyArray<OperatorRequest>
): Promise<ReadonlyArray<Reply>> =>
  simulation.system.run(Effect.forEach(all, (each) => perform(simulation, each), { concurrency: "unbounded" }))

export const ask = (simulation: SimulationRun, request: OperatorRequest): Promise<Reply> =>
  simulation.system.run(perform(simulation, request))

/** Sends a request of one operator, often together with the same request of the other, or twice. */
export const sendBoth = (simulation: SimulationRun, chance: Chance, ask: Omit<OperatorRequest, "by">) => {
  const [first, second] = Operators.names
  const others = chance.percent(40) ? [second] : chance.percent(30) ? [first] : []
  return sendAll(
    simulation,
    [first, ...others].map((by) => ({ ...ask, by }))
  )
}

/** Returns a part of the answer; undefined if the answer does not match the schema. */
export const pick = <S extends Schema.Codec<unknown, unknown>, A>(
  schema: S,
  { body }: Reply,
  from: (read: S["Type"]) => A | undefined
): A | undefined =>
  Option.match(Schema.decodeUnknownOption(schema)(body), { onNone: () => undefined, onSome: (read) => from(read) })
