/**
 * Calls operations of the operator contract for a page: the same routes as a request over the socket, so the same rights, the same second
 * person and the same audit.
 */
import { Effect, Result, Schema } from "effect"
import { approvals, operations } from "../../operators/OperatorApi.ts"
import * as OperatorOperation from "../../operators/OperatorOperation.ts"
import type { OperatorHandler, OperatorRequest, PageRequest } from "../Pages.ts"
import type { ConsoleLanguage } from "./ConsoleTexts.ts"
import * as RefusalTexts from "./RefusalTexts.ts"

/** The operations that pages call. An approver's decision needs the approver's signature besides. */
const callable = { ...operations, decideApproval: approvals.decideApproval }
type Callable = typeof callable
type Name = keyof Callable

/** The operation was refused. `proposal`: it was kept for a second person instead. */
export interface Refused {
  readonly _tag: "Refused"
  readonly status: number
  readonly message: string
  readonly proposal: string | undefined
}

export interface Answered<A> {
  readonly _tag: "Answered"
  readonly answer: A
}

export type Called<N extends Name> = Answered<Callable[N]["answer"]["Type"]> | Refused

/** Calls an operation with its parameters in their wire form. */
export type Call = <N extends Name>(name: N, input: Callable[N]["input"]["Encoded"]) => Effect.Effect<Called<N>>

const Refusal = Schema.fromJsonString(
  Schema.Struct({ error: Schema.String, proposal: Schema.optionalKey(Schema.String) })
)

const Json = Schema.fromJsonString(Schema.Unknown)

/** Reads an answer of the operation. */
const readAnswer =
  <O extends OperatorOperation.OperatorOperation>({ answer }: O) =>
  (text: string): Result.Result<O["answer"]["Type"], Schema.SchemaError> =>
    Result.flatMap(Schema.decodeUnknownResult(Json)(text), Schema.decodeUnknownResult(answer))

/** The request of a page, and the language in which it is answered. */
interface Page {
  readonly request: PageRequest
  readonly language: ConsoleLanguage
}

/** Makes the calls of a signed-in operator. Refusals are in the language of the page. An answer that breaks the contract is a defect. */
export const make =
  (handler: OperatorHandler, { language, request }: Page, operator: OperatorRequest["operator"]): Call =>
  (name, input) =>
    Effect.gen(function* () {
      const operation = callable[name]
      const { body, path, query } = OperatorOperation.requestOf(operation, input)
      const sent = { ...request, method: operation.method, path, query, body: body?.text ?? "", operator }
      const answer = yield* handler(sent)
      if (answer === undefined) return yield* Effect.die(new Error(`no route answers ${name}`))
      if (operation.statuses.every((status) => status !== answer.status)) {
        const { error, proposal } = yield* Schema.decodeUnknownEffect(Refusal)(answer.body)
        return {
          _tag: "Refused",
          status: answer.status,
          message: RefusalTexts.inLanguage(language, error),
          proposal
        } as const
      }
      return { _tag: "Answered", answer: yield* Effect.fromResult(readAnswer(operation)(answer.body)) } as const
    }).pipe(Effect.orDie)
