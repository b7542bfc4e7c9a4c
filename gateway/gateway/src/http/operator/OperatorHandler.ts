/**
 * Carries out operations of the operator contract: one handler for each operation, and one adapter that decodes requests and
 * renders answers.
 */
import { Data, DateTime, Effect, Result, Schema } from "effect"
import type { Actor } from "../../kernel/Audit.ts"
import type { OrderGate } from "../../kernel/OrderGate.ts"
import type { StoreUnavailable } from "../../kernel/Store.ts"
import type { Name, Operations } from "../../operators/OperatorApi.ts"
import * as OperatorOperation from "../../operators/OperatorOperation.ts"
import type { OperatorRequest as OperatorPageRequest, PageAnswer } from "../Pages.ts"
import * as BrowserInput from "../pages/BrowserInput.ts"

/** The operation was refused and changed nothing. The message contains the reason and what to do. */
export class OperatorRefusal extends Data.TaggedError("OperatorRefusal")<{
  readonly status: 400 | 401 | 403 | 404 | 409 | 503
  readonly message: string
  /** Further fields of the answer, beside `error`. */
  readonly detail?: object
}> {}

export const invalid = (message: string) => Effect.fail(new OperatorRefusal({ status: 400, message }))
export const missing = (message: string) => Effect.fail(new OperatorRefusal({ status: 404, message }))
export const conflict = (message: string) => Effect.fail(new OperatorRefusal({ status: 409, message }))

/** Converts the refusal of a use-case. */
export const refuse = ({ message, what }: { readonly message: string; readonly what: "missing" | "conflict" }) =>
  what === "missing" ? missing(message) : conflict(message)

/** An answer with another status than the operation's usual one. */
export class WithStatus<A> {
  readonly status: number
  readonly answer: A

  constructor(status: number, answer: A) {
    this.status = status
    this.answer = answer
  }
}

export type Handler<O extends OperatorOperation.OperatorOperation> = (
  input: OperatorOperation.Input<O>,
  actor: Actor,
  roles: ReadonlyArray<OperatorOperation.Role>
) => Effect.Effect<
  OperatorOperation.Answer<O> | WithStatus<OperatorOperation.Answer<O>>,
  OperatorRefusal | StoreUnavailable
>

/** One handler for each operation of the contract. */
export type Handlers = { readonly [N in Name]: Handler<Operations[N]> }

export const json = (status: number, body: object): PageAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
  body: `${JSON.stringify(body)}\n`
})

export const time = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))

const Lines = Schema.Struct({
  lines: Schema.Array(Schema.Record(Schema.String, Schema.String)),
  next: Schema.optional(Schema.String)
})

/** Renders a page of a CSV export. The first page begins with the names of the columns. */
const csv = (status: number, answer: unknown, columns: ReadonlyArray<string>, isFirst: boolean) =>
  Effect.map(Schema.decodeUnknownEffect(Lines)(answer), ({ lines, next }): PageAnswer => {
    const records = lines.map((line) => csvLine(columns.map((column) => line[column] ?? "")))
    return {
      status,
      headers: {
        "content-type": "text/csv; charset=utf-8; header=present",
        "cache-control": "no-store",
        ...(next === undefined ? {} : { "x-next": next })
      },
      body: [...(isFirst ? [csvLine(columns)] : []), ...records].join("")
    }
  })

export interface OperatorRequest {
  /** The parameters in the path. */
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The body as it was sent. */
  readonly body: string
  readonly actor: Actor
  readonly roles: ReadonlyArray<OperatorOperation.Role>
}

type Parameters = Readonly<Record<string, unknown>>

/**
 * Keeps a change that needs a second person, and answers how it is confirmed. `undefined`: the change may be made. The parameters are as
 * decoding left them, so that no card number is kept.
 */
export type Hold = (
  operation: OperatorOperation.OperatorOperation,
  parameters: Parameters,
  actor: Actor
) => Effect.Effect<PageAnswer | undefined, StoreUnavailable>

const Body = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

type ReadParameters = Result.Result<Readonly<Record<string, unknown>>, string>

const uniqueFields = (fields: URLSearchParams): ReadParameters => {
  const twice = [...fields.keys()].find((name) => fields.getAll(name).length > 1)
  return twice === undefined ? Result.succeed(Object.fromEntries(fields)) : Result.fail(`${twice} is given twice`)
}

/** Reads the parameters that are not in the path, for each way to send them. An empty field of a form counts as absent. */
const parameterReaders: Record<
  OperatorOperation.OperatorOperation["carrier"],
  (request: Pick<OperatorRequest, "query" | "body">, names: ReadonlyArray<string>) => ReadParameters
> = {
  query: ({ query }) => uniqueFields(query),
  body: ({ body }) => Result.mapError(Schema.decodeUnknownResult(Body)(body), () => "the body must be a JSON object"),
  form: ({ body }, names) => {
    const read = BrowserInput.fields({ body })
    const fields = names.map((name) => [name, read(name)] as const)
    return Result.succeed(Object.fromEntries(fields.filter(([, value]) => value !== "")))
  }
}

/** Returns the parameters as they were sent. Fails if they were sent in the wrong way. */
const parametersOf = (
  operation: OperatorOperation.OperatorOperation,
  { body, path, query }: OperatorRequest
): ReadParameters => {
  const names = Object.keys(operation.input.fields).filter((name) => !(name in path))
  const values =
    names.length === 0 && operation.carrier === "body"
      ? Result.succeed({})
      : parameterReaders[operation.carrier]({ query, body }, names)
  return Result.flatMap(values, (sent) => {
    const misplaced = Object.keys(path).find((name) => name in sent)
    return misplaced === undefined
      ? Result.succeed({ ...sent, ...path })
      : Result.fail(`${misplaced} belongs into the path only`)
  })
}

const render = (operation: OperatorOperation.OperatorOperation, reply: unknown, isFirst: boolean) => {
  const [status, answer] = reply instanceof WithStatus ? [reply.status, reply.answer] : [operation.statuses[0], reply]
  return Schema.encodeUnknownEffect(operation.answer)(answer).pipe(
    Effect.flatMap((encoded) =>
      operation.format === "json"
        ? Effect.succeed(json(status, encoded))
        : csv(status, encoded, operation.columns, isFirst)
    ),
    Effect.orDie
  )
}

interface By {
  readonly actor: Actor
  readonly roles: ReadonlyArray<OperatorOperation.Role>
}

/** Decodes parameters, runs the handler, and renders the answer. `hold`: may keep the change for a second person. */
const perform =
  <O extends OperatorOperation.OperatorOperation>(operation: O, handler: Handler<O>) =>
  (parameters: Parameters, { actor, roles }: By, hold?: Hold): Effect.Effect<PageAnswer, StoreUnavailable> => {
    const input = OperatorOperation.decode(operation)(parameters)
    if (Result.isFailure(input)) return Effect.succeed(json(400, { error: input.failure }))
    const handled = Effect.suspend(() => handler(input.success, actor, roles)).pipe(
      Effect.flatMap((reply) => render(operation, reply, !("after" in parameters))),
      Effect.catchTag("OperatorRefusal", ({ detail, message, status }) =>
        Effect.succeed(json(status, { error: message, ...detail }))
      )
    )
    return hold === undefined
      ? handled
      : Schema.encodeUnknownEffect(operation.input)(input.success).pipe(
          Effect.orDie,
          Effect.flatMap((storable) => hold(operation, storable, actor)),
          Effect.flatMap((kept) => (kept === undefined ? handled : Effect.succeed(kept)))
        )
  }

/** Refuses an operation that moves orders while the gate is closed. An order that is closed alone waits for such an operation. */
export const gated =
  <O extends OperatorOperation.OperatorOperation>(
    { closedForMs }: OrderGate["Service"],
    { changes }: O,
    handler: Handler<O>
  ): Handler<O> =>
  (input, actor, roles) =>
    changes?.movesOrders === true
      ? Effect.flatMap(closedForMs(), (ms) => (ms === undefined ? handler(input, actor, roles) : Effect.fail(closed)))
      : handler(input, actor, roles)

const closed = new OperatorRefusal({
  status: 503,
  message: "the gateway first learns what bank and rail have booked: try again later (pay bookings status)"
})

/**
 * Makes the route of an operation: `match` recognizes its requests, `run` answers them. `confirmed` makes a change that was kept for a
 * second person.
 */
export const route = <O extends OperatorOperation.OperatorOperation>(
  operation: O,
  handler: Handler<O>,
  hold?: Hold
) => {
  const work = perform(operation, handler)
  return {
    match: OperatorOperation.matcher(operation),
    run: (request: OperatorRequest): Effect.Effect<PageAnswer, StoreUnavailable> => {
      const parameters = parametersOf(operation, request)
      return Result.isFailure(parameters)
        ? Effect.succeed(json(400, { error: parameters.failure }))
        : work(parameters.success, request, hold)
    },
    confirmed: (parameters: Parameters, by: By): Effect.Effect<PageAnswer, StoreUnavailable> => work(parameters, by),
    command: operation.command,
    role: operation.changes?.role,
    isChange: operation.changes !== undefined
  }
}

export type Route = ReturnType<typeof route>

/** Why an operator may not call an operation. `undefined`: they may. Who has enrolled needs a code for every change, also of their own. */
const refusalOf = (
  { lack, name, roles }: OperatorPageRequest["operator"],
  role: OperatorOperation.Role | undefined,
  isChange: boolean
): string | undefined => {
  if (lack === "code" && isChange)
    return "this needs a code of your authenticator: give --operator-code CODE, or type it on the console"
  if (role === undefined || roles.includes(role)) return undefined
  return lack === "enrolment"
    ? "this needs a two-step sign-in: pay operator enrol, then pay operator verify CODE"
    : `this needs the role ${role}, which ${name} does not have`
}

/** Answers an operator with the matching route. `undefined`: there is none. */
export const answer = (
  routes: ReadonlyArray<Route>,
  { body, method, operator, path, query }: OperatorPageRequest
): Effect.Effect<PageAnswer | undefined> => {
  for (const { isChange, match, role, run } of routes) {
    const inPath = match({ method, path })
    const refusal = refusalOf(operator, role, isChange)
    if (inPath !== undefined && refusal !== undefined) return Effect.succeed(json(403, { error: refusal }))
    if (inPath !== undefined)
      return run({
        path: inPath,
        query: new URLSearchParams(query),
        body,
        actor: `operator:${operator.name}`,
        roles: operator.roles
      }).pipe(
        Effect.catchTag("StoreUnavailable", (error) =>
          Effect.as(
            Effect.logError("The store cannot serve the operator", error),
            json(503, { error: "try again later" })
          )
        )
      )
  }
  return Effect.succeed(undefined)
}

const special = /[",\r\n]/

const quoted = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Whether a spreadsheet would run the text as a formula. A number with its sign is none. */
const isFormula = (text: string): boolean =>
  text !== "" && "=+-@\t\r".includes(text.slice(0, 1)) && Number.isNaN(Number(text))

const field = (text: string): string => quoted(isFormula(text) ? `'${text}` : text)

/** One record of comma-separated values (RFC 4180) with its line break. A text that looks like a formula begins with an apostrophe. */
const csvLine = (fields: ReadonlyArray<string>): string => `${fields.map(field).join(",")}\r\n`
