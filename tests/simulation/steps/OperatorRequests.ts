/** How operators and approvers of the world ask their gateway. */
import type { PageRequest } from "@pay/gateway/Pages"
import { Effect, Option, Schema } from "effect"
import type { Chance } from "../Chance.ts"
import * as Operators from "../Operators.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import { baseUrl } from "../World.ts"

/** 404 and 409: it is gone, done already, or not possible as things stand. */
const expected: ReadonlySet<number> = new Set([200, 201, 202, 404, 409])

export interface Reply {
  /** 0: there was no answer. */
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
  /** Undefined: an approver, who brings a signature instead. */
  readonly by: Operators.Name | undefined
  readonly method?: "GET" | "POST"
  readonly target: string
  readonly sent?: object
  /** Answers that are right besides. */
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

/** `operator orders resolve`: the words of the path, without what identifies. */
const actionOf = (path: string): string =>
  path
    .split("/")
    .filter((part) => /^[a-z]+$/.test(part))
    .join(" ")

const asking = ({ count, world }: SimulationRun, ask: OperatorRequest): Effect.Effect<Reply> => {
  const request = requestOf(ask)
  return Effect.map(world.gateway.page(request), (answer) => {
    if (answer === undefined) throw new Error(`${ask.target} is nobody's page`)
    const { body, status } = typeof answer === "string" ? { body: "", status: 0 } : answer
    count(`${actionOf(request.path)} ${status}`)
    world.trace.note(`${ask.by ?? "an approver"}: ${request.method} ${request.path} ${status}`)
    if (status !== 0 && !expected.has(status) && ask.also?.includes(status) !== true)
      throw new Error(`${request.method} ${ask.target} ${request.body}: ${status} ${body}`)
    return { status, body: parse(body) }
  })
}

/** All of them at once, on the gateway's own machine. */
export const askAll = (
  { ...simulation }: SimulationRun,
  all: ReadonlyArray<OperatorRequest>
): Promise<ReadonlyArray<Reply>> =>
  simulation.world.run(Effect.forEach(all, (each) => asking(simulation, each), { concurrency: "unbounded" }))

export const ask = (simulation: SimulationRun, askFor: OperatorRequest): Promise<Reply> =>
  simulation.world.run(asking(simulation, askFor))

/** One of them asks; often the other asks the same at once, or the one asks twice. */
export const askBoth = (simulation: SimulationRun, chance: Chance, ask: Omit<OperatorRequest, "by">) => {
  const [first, second] = Operators.names
  const others = chance.percent(40) ? [second] : chance.percent(30) ? [first] : []
  return askAll(
    simulation,
    [first, ...others].map((by) => ({ ...ask, by }))
  )
}

/** What is picked from the answer; undefined: it is not of this kind. */
export const pick = <S extends Schema.Codec<unknown, unknown>, A>(
  schema: S,
  { body }: Reply,
  from: (read: S["Type"]) => A | undefined
): A | undefined =>
  Option.match(Schema.decodeUnknownOption(schema)(body), { onNone: () => undefined, onSome: (read) => from(read) })
