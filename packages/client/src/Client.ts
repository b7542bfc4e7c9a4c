/** The client of one merchant: methods made from the table of flows and from the contract, on one wire. */
import * as AwaitFinal from "@pay/flows/AwaitFinal"
import * as FieldNames from "@pay/flows/FieldNames"
import type * as Flow from "@pay/flows/Flow"
import { makeMemory } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import * as OrderStatus from "@pay/flows/OrderStatus"
import * as Steps from "@pay/flows/Steps"
import * as VisitStore from "@pay/flows/VisitStore"
import * as Blanks from "@pay/schema/Blanks"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Rule from "@pay/schema/Rule"
import * as Status from "@pay/schema/Status"
import * as PayClient from "@pay/transport/PayClient"
import { Wire } from "@pay/transport/Wire"
import { Duration, Effect, Exit, Option, Result, Schema } from "effect"
import * as Callbacks from "./Callbacks.ts"
import type { Order } from "./contract/Answers.ts"
import type * as Types from "./contract/Client.ts"
import * as Errors from "./Errors.ts"
import * as Failing from "./Failing.ts"
import * as FieldPaths from "./FieldPaths.ts"
import * as FlowTable from "./FlowTable.ts"
import * as Observations from "./Observations.ts"
import { errorOf, exitOf, type Services, within } from "./Running.ts"
import * as Settings from "./Settings.ts"
import * as Web from "./Web.ts"

type Input = Readonly<Record<string, unknown>>

/** Returns the input of a caller as a record. Plain JavaScript may pass something else, which counts as an empty record. */
const inputOf = (input: unknown): Input => (isRecord(input) ? input : {})
const isRecord = (input: unknown): input is Input => typeof input === "object" && input !== null

/** Adds a description of the order if the caller has passed none, because every order needs one. */
const withDefaults = (row: FlowTable.Row, fields: Input): Input =>
  "orderDesc" in row.fields && fields.orderDesc === undefined
    ? { ...fields, orderDesc: `Order ${Blanks.trim(String(fields.clientOrderId))}` }
    : fields

/** Runs the flow of a row with this input. */
const runRow = async (services: Services, row: FlowTable.Row, callerInput: unknown, options: Types.RunOptions = {}) => {
  const { operation } = row
  const input = inputOf(callerInput)
  const wrong = [...Settings.wrongCall(options, "run"), ...FieldPaths.misplaced(operation, row.fields, input)]
  if (wrong.length > 0) return Failing.invalid(wrong)
  const fields = withDefaults(row, FieldPaths.toFields(operation, row.fields, input))
  const prepared = row.prepare(fields)
  if (Result.isFailure(prepared)) return Failing.invalidInput(operation, input, prepared.failure)
  const exit = await exitOf(services, within(prepared.success, options.timeoutMs), options)
  if (Exit.isSuccess(exit)) {
    return Option.match(exit.value, {
      onNone: () => stillUnknown(services, operation, fields, options.timeoutMs),
      onSome: (value) => ({ ok: true as const, ...value })
    })
  }
  return Option.match(errorOf(exit), {
    onNone: () => stillUnknown(services, operation, fields, options.timeoutMs),
    onSome: (error) => Failing.ofFlow(operation, error)
  })
}

/** Makes the failure of a call whose time is over, with what the client has learned about its order. */
const stillUnknown = (
  { observed }: Services,
  { name }: Operation,
  { clientOrderId }: Input,
  timeoutMs: number | undefined
) => {
  const id = typeof clientOrderId === "string" ? clientOrderId : undefined
  const { evidence, order, orderId } = id === undefined ? { evidence: [] } : observed(id)
  const last = order === undefined ? "" : ` The ${OrderStatus.describe(order)}.`
  const serialNumber = evidence.findLast(({ serialNumber }) => serialNumber !== undefined)?.serialNumber
  return Failing.failure(
    Errors.make("StillUnknown", {
      message: `The outcome of ${name} is not known after ${timeoutMs} ms.${last} Call again with the same values to continue.`,
      retryable: true,
      evidence,
      ...(id === undefined ? {} : { clientOrderId: id }),
      ...(orderId === undefined ? {} : { orderId }),
      ...(order === undefined ? {} : { order }),
      ...(serialNumber === undefined ? {} : { serialNumber })
    })
  )
}

/** Adds the order of another call to the fields of an action. An amount without a currency gets the currency of the order. */
const ofOrder = (row: FlowTable.Row, order: unknown, details: unknown): Input => {
  const { clientOrderId, currency, orderId } = inputOf(order)
  const fields = inputOf(details)
  const needsCurrency = "currency" in row.fields && fields.amount !== undefined && fields.currency === undefined
  return {
    ...fields,
    clientOrderId,
    orderId,
    ...(needsCurrency && currency !== undefined ? { currency } : {})
  }
}

const payloads = new WeakMap<Operation, Schema.Struct<Flow.Fields>>()

/** Returns the schema of the fields of a bare operation. `login` is not among them, because the client fills it in. */
const payloadOf = (operation: Operation): Schema.Struct<Flow.Fields> => {
  const { login: _, ...fields } = FieldNames.renamed(operation.fields)
  const payload = payloads.get(operation) ?? Schema.Struct<Flow.Fields>(fields)
  payloads.set(operation, payload)
  return payload
}

/** Sends one bare operation, once. */
const callOperation = async (
  services: Services,
  operation: Operation,
  callerInput: unknown,
  options: Types.CallOptions = {}
) => {
  const input = inputOf(callerInput)
  const payload = payloadOf(operation)
  const wrong = [...Settings.wrongCall(options, "call"), ...FieldPaths.misplaced(operation, payload.fields, input)]
  if (wrong.length > 0) return Failing.invalid(wrong)
  const { endpointId, idempotencyKey, signal, timeoutMs } = options
  const fields = FieldPaths.toFields(operation, payload.fields, input)
  const decoded = FlowPayload.decode({ name: PayClient.methodName(operation.name), operation, payload }, fields)
  if (Result.isFailure(decoded)) return Failing.invalidInput(operation, input, decoded.failure)
  const call = services.client.call(operation, FieldNames.requestOf(operation, decoded.success), {
    endpointId,
    idempotencyKey,
    deadline: timeoutMs === undefined ? undefined : Duration.millis(timeoutMs)
  })
  const exit = await exitOf(services, call, { signal })
  if (Exit.isSuccess(exit)) return { ok: true as const, answer: FieldNames.renamed(inputOf(exit.value)) }
  return Option.match(errorOf(exit), {
    onNone: () => stillUnknown(services, operation, input, timeoutMs),
    onSome: (error) => Failing.ofCall(operation, input, error, services.observed)
  })
}

/** Returns the order that a caller has named, by its `clientOrderId` or as the value of another call. */
const refOf = (order: string | Types.OrderRef): unknown =>
  typeof order === "string" ? { clientOrderId: order } : order

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const noOrder = Rule.invalid("clientOrderId", "must be text: give the clientOrderId of the order, or the order itself")

/** Returns the order with its present status. */
const statusOf = async (
  services: Services,
  order: string | Types.OrderRef,
  options: Types.StatusOptions = {}
): Promise<Types.Result<{ readonly order: Order }>> => {
  const { STATUS } = PayApi.operations
  const { clientOrderId, orderId } = inputOf(refOf(order))
  const wrong = [...Settings.wrongCall(options, "status"), ...(isText(clientOrderId) ? [] : [noOrder])]
  if (wrong.length > 0 || !isText(clientOrderId)) return Failing.invalid(wrong)
  const { endpointId, signal, timeoutMs } = options
  const input = { client_orderid: clientOrderId, ...(typeof orderId === "string" ? { orderid: orderId } : {}) }
  const call = services.client.status(input, {
    endpointId,
    deadline: timeoutMs === undefined ? undefined : Duration.millis(timeoutMs)
  })
  const exit = await exitOf(services, call, { signal })
  if (Exit.isSuccess(exit)) return { ok: true, order: OrderStatus.of(exit.value) }
  return Option.match(errorOf(exit), {
    onNone: () => stillUnknown(services, STATUS, { clientOrderId }, timeoutMs),
    onSome: (error) => Failing.ofCall(STATUS, input, error, services.observed)
  })
}

/** Waits until a callback about the order arrives, or until the pause is over. */
const waitForNews = (services: Services, clientOrderId: string, pause: Duration.Duration, options: Types.RunOptions) =>
  exitOf(
    services,
    services.steps.awaitSignal("wait", {
      key: AwaitFinal.orderSignalKey(services.client.merchant, clientOrderId),
      timeout: pause
    }),
    options
  )

/** Wakes what waits for news of the order: flows, and watches of the client. */
const wake = ({ client, engine, steps }: Services, clientOrderId: string) => {
  const key = AwaitFinal.orderSignalKey(client.merchant, clientOrderId)
  return Effect.andThen(steps.signal(key, "callback"), Steps.lossy(engine.signal(key, "callback")))
}

/** Number of status requests that fail one after the other before the watch ends with the last error. */
const mostFailures = 5

const watch = async function* (services: Services, order: string | Types.OrderRef, options: Types.WatchOptions = {}) {
  const wrong = Settings.wrongCall(options, "watch")
  if (wrong.length > 0) throw Failing.invalid(wrong).error
  const { clientOrderId } = inputOf(refOf(order))
  let status: string | undefined
  let failures = 0
  for (const pause of AwaitFinal.pauses) {
    const result = await statusOf(services, order, options)
    failures = result.ok ? 0 : failures + 1
    if (!result.ok && (!result.error.retryable || failures === mostFailures)) throw result.error
    if (result.ok && result.order.status !== status) {
      status = result.order.status
      yield result.order
    }
    if (status !== undefined && Status.isFinal(status)) return
    await waitForNews(services, String(clientOrderId), pause, options)
  }
}

const isOf = <T extends object>(names: ReadonlyArray<string>, methods: object): methods is T =>
  names.every((name) => Object.hasOwn(methods, name))

/** Makes the methods of a table, with the types of the generated files. Throws a `TypeError` if a method is missing. */
const typed = <T extends object>(table: object, method: (name: string) => unknown): T => {
  const names = Object.keys(table)
  const methods = Object.fromEntries(names.map((name) => [name, method(name)]))
  if (isOf<T>(names, methods)) return methods
  throw new TypeError("a method is missing")
}

type Call = (callerInput: unknown, options?: Types.RunOptions) => Promise<unknown>
type Act = (order: unknown, details?: unknown, options?: Types.RunOptions) => Promise<unknown>
type Rows = FlowTable.Rows

const fromFields =
  (services: Services, rows: Rows) =>
  (name: string): Call =>
  (callerInput, options) =>
    runRow(services, rowOf(rows, name), callerInput, options)

const fromOrder =
  (services: Services, rows: Rows) =>
  (name: string): Act =>
  (order, details, options) => {
    const row = rowOf(rows, name)
    return runRow(services, row, ofOrder(row, order, details), options)
  }

const rowOf = (rows: Rows, name: string): FlowTable.Row => {
  const row = rows[name]
  if (row === undefined) throw new TypeError(`no flow is called ${name}`)
  return row
}

const operations = Object.fromEntries(PayApi.all.map((operation) => [PayClient.methodName(operation.name), operation]))

const operationOf = (name: string): Operation => {
  const operation = operations[name]
  if (operation === undefined) throw new TypeError(`no operation is called ${name}`)
  return operation
}

/** Makes the services of a client whose flows are in memory. Throws `InvalidSettingError`. */
export const servicesOf = ({ named, onEvent, signal, toolkit }: Settings.Settings, wire: Wire["Service"]): Services => {
  const made = PayClient.make(toolkit).pipe(Effect.provideService(Wire, wire), Effect.mapError(named))
  const { client, of } = Observations.around(Settings.orThrow(made))
  return {
    client,
    steps: Steps.makeMemory(),
    engine: makeMemory(),
    visits: VisitStore.makeMemory(),
    observed: of,
    onEvent,
    signal
  }
}

/** Makes the client, or throws `InvalidSettingError`. */
export const make = (settings: Settings.Settings, wire: Wire["Service"]): Types.Client =>
  build(servicesOf(settings, wire), settings.controlKeys)

/** Makes the client of these services. */
export const build = (services: Services, controlKeys: Settings.Settings["controlKeys"]): Types.Client => {
  const hosted: Types.Client["hosted"] = typed(FlowTable.hosted, fromFields(services, FlowTable.hosted))
  const api: Types.Api = typed(
    operations,
    (name) => (callerInput: unknown, callOptions?: Types.CallOptions) =>
      callOperation(services, operationOf(name), callerInput, callOptions)
  )
  const flows: Types.Flows = typed(FlowTable.flows, fromFields(services, FlowTable.flows))
  const actions: Types.Actions = typed(FlowTable.actions, fromOrder(services, FlowTable.actions))
  return {
    ...flows,
    ...actions,
    hosted,
    api,
    status: (order, callOptions) => statusOf(services, order, callOptions),
    watch: (order, runOptions) => watch(services, order, runOptions),
    callbacks: {
      verify: (request, body) => {
        const callback = Callbacks.verify(request, body, controlKeys())
        Effect.runFork(wake(services, callback.clientOrderId))
        return callback
      }
    },
    web: (webOptions) => Web.make(services, webOptions)
  }
}
