/** Finds where and how a gateway is spoken to: its path before `/api/`, its dialect, and its path of endpoint groups. */
import type { Dialect } from "@pay/schema/Dialect"
import { Effect } from "effect"
import * as Facts from "../Facts.ts"
import * as HarmlessRequest from "./HarmlessRequest.ts"
import * as Line from "./Line.ts"
import * as Observation from "./Observation.ts"

/** The paths before `/api/` that gateways of this protocol family have. */
const prefixes = ["", "/paynet", "/checkout", "/payment"]

/** Asks for the status of an unknown order in a dialect. `isOurs`: the answer is of this protocol. `isOwn`: no other path has it. */
const greet = Effect.fnUntraced(function* (
  start: Line.Line,
  dialect: Dialect,
  onAnswer: (answer: Observation.Observed) => void
) {
  const line: Line.Line = { ...start, merchant: { ...start.merchant, dialect } }
  const [request] = HarmlessRequest.statuses(line.merchant, line.freshId)
  const answer: Observation.Observed =
    request === undefined ? { noAnswer: "not sent" } : yield* Line.observe(line, request)
  onAnswer(answer)
  if (!Observation.isOfProtocol(answer)) return { answer, line, isOurs: false, isOwn: false }
  const isAnyPath = Observation.isSame(answer, yield* Line.nowhere(line))
  return { answer, line, isOurs: answer.http !== 404 || !isAnyPath, isOwn: !isAnyPath }
})

/** What {@link find} needs besides the line. */
interface Search {
  readonly firstPrefix: string
  /** Told each answer, with the path and the dialect of its request. */
  readonly onAnswer: (place: string, answer: Observation.Observed) => void
  /** The number of requests that follow the search. */
  readonly later: number
}

/**
 * Finds the path before `/api/` and the dialect in which the gateway answers a request for a status. It speaks the older dialect if
 * it answers in it, and refuses the same request in JSON or answers it otherwise.
 */
export const find = Effect.fnUntraced(function* (start: Line.Line, { firstPrefix, later, onAnswer }: Search) {
  let first: Observation.Observed | undefined
  let likely: { readonly pathPrefix: string; readonly line: Line.Line } | undefined
  for (const pathPrefix of new Set([firstPrefix, ...prefixes])) {
    Line.begin(start, "finding the path before /api/ and the dialect", 4 + later)
    const below = { ...start, baseUrl: start.baseUrl + pathPrefix }
    const ask = (dialect: Dialect) =>
      greet(below, dialect, (answer) => onAnswer(`${pathPrefix}/api/ in ${dialect}`, answer))
    const [json, pairs] = yield* Effect.all([ask("json"), ask("pairs")], { concurrency: start.concurrency })
    first ??= json.answer
    if (!json.isOurs && !pairs.isOurs) continue
    const speaksPairs = Observation.isAnswer(pairs.answer) && pairs.answer.form === "pairs"
    const speaksJson = Observation.isAnswer(json.answer) && json.answer.form === "json" && json.isOurs
    const isEqual =
      Observation.isAnswer(json.answer) && Observation.isAnswer(pairs.answer) && json.answer.code === pairs.answer.code
    const place = { pathPrefix, line: speaksPairs && !(speaksJson && isEqual) ? pairs.line : json.line }
    if (json.isOwn || pairs.isOwn) return place
    likely ??= place
  }
  if (likely !== undefined) return likely
  const message =
    first !== undefined && "noAnswer" in first
      ? first.noAnswer
      : "no answer is of this protocol, with and without the paths /paynet, /checkout and /payment"
  return yield* new Facts.GatewayUnreachable({ code: Facts.noOperations, message })
})

/** Whether the gateway has the path of an endpoint group behind `/group/`, as the older dialect has. */
export const hasGroupPath = Effect.fnUntraced(function* (line: Line.Line) {
  const { endpoint, group } = line.merchant
  const id = group ?? endpoint
  const [request] = HarmlessRequest.statuses(line.merchant, line.freshId)
  if (request === undefined) return false
  const merchant = { ...line.merchant, group: id }
  const answer = yield* Line.observe({ ...line, merchant }, { ...request, options: { endpointId: id } })
  return Observation.isOfProtocol(answer) && !Observation.isSame(answer, yield* Line.nowhere(line))
})
