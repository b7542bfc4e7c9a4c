/**
 * A merchant's process in the simulated system: flows with default settings over the faulty network, and an inbox for callbacks. A
 * kill interrupts its flows. Whether they continue in the next process depends on the engine.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Cause, Context, Effect, Exit, type Fiber, Redacted, Schedule, Scope } from "effect"
import { recordResult } from "../Intents.ts"
import type * as Loop from "../Loop.ts"
import type { Trace } from "../Trace.ts"
import * as Account from "./Account.ts"
import * as CrashControl from "./CrashControl.ts"
import type { Engine, FlowRunner, RunningEngine } from "./Engine.ts"
import type { ActionResult, FlowServices, MerchantAction } from "./MerchantAction.ts"
import type { RemoteGateway } from "./RemoteGateway.ts"

interface Instance {
  readonly crashControl: CrashControl.CrashControl
  readonly scope: Scope.Closeable
  readonly running: RunningEngine
  readonly services: Context.Context<FlowServices>
  readonly inbox: CallbackInbox.CallbackInbox["Service"]
  readonly flows: Set<Fiber.Fiber<unknown, unknown>>
}

/** An action whose result the merchant does not know yet. */
interface PendingAction {
  readonly action: MerchantAction
  readonly onEnd: (result: ActionResult) => void
}

export interface MerchantProcess {
  readonly account: Account.Account
  readonly remote: RemoteGateway
  /** All its control keys, the newest first. */
  readonly controlKeys: ReadonlyArray<string>
  /** The keys that it signs with now. */
  readonly keys: () => Keys
  /** Whether its flows continue after a crash. */
  readonly isDurable: boolean
  /** The machine on which it runs. */
  readonly machine: Loop.Process
  /** Starts the action's flow, for the first time or again. The process that gets the result calls `onEnd`. */
  readonly begin: (action: MerchantAction, onEnd: (result: ActionResult) => void) => void
  /** The number of flows that have not ended. */
  readonly running: () => number
  /** Receives a callback, and returns the status of the answer. */
  readonly receive: (url: string, headers: Readonly<Record<string, string>>, body?: string) => Effect.Effect<number>
  /** Runs a request of a customer's browser to the merchant's server, which signals the flows of the current process. */
  readonly serve: (work: Effect.Effect<void, never, FlowServices>) => Effect.Effect<void>
  /** Lets the process crash after so many more steps. Steps are before and after each request and each visit of a customer. */
  readonly crashAfter: (steps: number) => void
  /** Ends the process like `kill -9`: everything in memory is lost. */
  readonly kill: Effect.Effect<void>
  /** Ends the process by a power cut: data that was not synced to the disk may be lost too. */
  readonly cutPower: Effect.Effect<void>
  /** Lets the process crash during its next write to the disk. It still has to be ended. */
  readonly crashDuringWrite: () => void
  /** The disk of its durable flows. */
  readonly disk: Pick<Engine, "bytes" | "lostFlows" | "setFull">
  /** Starts the next process, unless one is running. */
  readonly start: Effect.Effect<void>
  /** Restarts the process with these keys. Callbacks that are signed with former control keys stay valid. */
  readonly changeKeys: (keys: Partial<Keys>) => Effect.Effect<void>
  /** Returns the status of the order at the gateway; undefined if the gateway does not know the order. */
  readonly statusOf: (clientOrderId: string) => Effect.Effect<string | undefined>
  /** Descriptions of durable flows that have not ended. */
  readonly open: Effect.Effect<ReadonlyArray<string>>
  /** Called at the end of the run. */
  readonly end: Effect.Effect<void>
}

type Keys = Pick<Account.Account, "controlKey" | "privateKeyPem">

export interface Options {
  readonly loop: Loop.Loop
  readonly trace: Trace
  /** What every fiber of the process needs besides its clock and scheduler. */
  readonly context: Context.Context<never>
  readonly account: Account.Account
  readonly remote: RemoteGateway
  readonly customerBrowser: CustomerBrowser["Service"]
  readonly engine: Engine
}

/** The status of a web server whose application is down. */
const unavailable = 502

export const make = Effect.fnUntraced(function* (options: Options) {
  const { account, engine, loop, remote, customerBrowser, trace } = options
  const { login } = account
  let keys: Keys = account
  const controlKeys = [account.controlKey]
  const machine = loop.process()
  const onMachine = Context.merge(options.context, machine.context)
  const runOnMachine = Effect.runForkWith(onMachine)
  let crashesDuringWrite = false
  const write = (batch: () => void) => {
    const crashControl = instance?.crashControl
    if (!crashesDuringWrite || crashControl === undefined || crashControl.hasCrashed()) return engine.write(batch)
    crashControl.crash()
    engine.writeDuringCrash(batch)
  }
  /** Batches of an engine run as tasks of the machine. */
  const context = Context.add(
    onMachine,
    GroupCommit.Schedule,
    (begin) =>
      void runOnMachine(
        Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => write(begin))
        )
      )
  )
  const run = Effect.runForkWith(context)
  const pending = new Map<string, PendingAction>()
  let instance: Instance | undefined
  const countdown: CrashControl.CrashCountdown = { stepsLeft: Number.POSITIVE_INFINITY }

  const makeCrashControl = () =>
    CrashControl.make({
      countdown,
      onCrash: engine.crash,
      onCountdownEnd: () => loop.schedule(() => void Effect.runForkWith(options.context)(kill))
    })

  const clientOf = (endpoint: Account.Endpoint, { untilCrash }: Pick<CrashControl.CrashControl, "untilCrash">) =>
    Effect.orDie(
      PayClient.make({
        baseUrl: remote.baseUrl,
        login,
        controlKey: Redacted.make(keys.controlKey),
        privateKey: Redacted.make(keys.privateKeyPem),
        endpointId: account.endpoints[endpoint],
        controlAmount: Account.controlAmountOf(account, endpoint),
        rsaOnPool: false,
        ...(remote.profile === undefined ? {} : { profile: remote.profile })
      })
    ).pipe(Effect.provideService(Wire.Wire, { send: (request) => untilCrash(remote.wire.send(request)) }))

  /** The client with which the checks ask for a status, of the keys that it was made with. */
  let statusClient: { readonly keys: Keys; readonly client: PayClient.Shape } | undefined
  const clientForStatus = Effect.gen(function* () {
    if (statusClient?.keys === keys) return statusClient.client
    const client = yield* clientOf("usd", { untilCrash: (work) => makeCrashControl().untilCrash(work) })
    statusClient = { keys, client }
    return client
  })

  const begin = Effect.gen(function* () {
    const crashControl = makeCrashControl()
    const scope = yield* Scope.make()
    const servicesFor = (endpoint: Account.Endpoint) =>
      Effect.map(clientOf(endpoint, crashControl), (client) =>
        Context.make(PayClient.PayClient, client).pipe(
          Context.add(CustomerBrowser, { send: (visit) => crashControl.untilCrash(customerBrowser.send(visit)) })
        )
      )
    const running = yield* engine.start(servicesFor).pipe(Scope.provide(scope))
    const services = Context.add(yield* servicesFor("usd"), FlowEngine, running.signals)
    const inbox = yield* CallbackInbox.make({
      keys: { controlKeys: controlKeys.map((key) => Redacted.make(key)) }
    }).pipe(Effect.provideContext(services))
    instance = { crashControl, scope, running, services, inbox, flows: new Set() }
    // The new process has lost what was only in memory.
    if (!engine.isDurable) pending.clear()
    for (const each of pending.values()) awaitResult(instance, each, ({ resume }) => each.action.run(resume))
  }).pipe(Effect.provideContext(context))

  /** Waits for the result of an action while the process runs. */
  const awaitResult = (
    { flows, crashControl, running }: Instance,
    { onEnd, action }: PendingAction,
    flow: (flowRunner: FlowRunner) => ReturnType<MerchantAction["run"]>
  ) => {
    const { intent } = action
    const flowInContext = Effect.flatMap(running.at(action.endpoint ?? "usd"), (flowRunner) =>
      Effect.provideContext(flow(flowRunner), flowRunner.context)
    )
    pending.set(intent.name, { action, onEnd })
    const fiber = run(flowInContext)
    flows.add(fiber)
    fiber.addObserver((exit) => {
      flows.delete(fiber)
      if (crashControl.hasCrashed()) return
      pending.delete(intent.name)
      // The process crashed before the flow was stored, so that it never continues.
      if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return
      if (Exit.isFailure(exit)) throw new Error(`${action.flow} ${intent.name} died: ${String(exit.cause)}`)
      const { parts = {}, tag } = exit.value
      recordResult(intent, tag)
      for (const part of action.parts ?? []) recordResult(part, parts[part.name] ?? "Unreachable")
      trace.note(`${login}'s ${action.flow} ${intent.name} ends ${exit.value.tag}`)
      onEnd(exit.value)
    })
  }

  /** The process that first started each action that a later process may not repeat. */
  const firstProcess = new Map<string, CrashControl.CrashControl>()

  /**
   * Whether a crashed process may have sent the request. At a gateway without idempotency keys, a process that lost its memory cannot
   * know whether money has moved, so the merchant does not repeat a follow-up. A creation is looked up by its name first.
   */
  const mayHaveBeenSent = ({ intent: { clientOrderId, name }, parts }: MerchantAction): boolean => {
    const isFollowing = name !== clientOrderId || parts !== undefined
    if (remote.isOurs || engine.isDurable || instance === undefined || !isFollowing) return false
    const first = firstProcess.get(name) ?? instance.crashControl
    firstProcess.set(name, first)
    return first !== instance.crashControl
  }

  const endProcess = Effect.fnUntraced(function* (how: "kill" | "powerCut") {
    const former = instance
    crashesDuringWrite = false
    if (former === undefined) return
    instance = undefined
    trace.note(how === "kill" ? `${login} is killed` : `${login}'s machine loses its power`)
    machine.resume()
    former.crashControl.crash()
    for (const flow of former.flows) flow.interruptUnsafe()
    yield* Scope.close(former.scope, Exit.void)
    engine.afterProcessEnd(how)
  })
  const kill = Effect.suspend(() => endProcess("kill"))
  const start = Effect.suspend(() => (instance === undefined ? begin : Effect.void))
  const runningInstance = () => (instance?.crashControl.hasCrashed() === true ? undefined : instance)

  yield* start
  return {
    ...{
      account,
      remote,
      controlKeys,
      keys: () => keys,
      machine,
      kill,
      start,
      isDurable: engine.isDurable,
      disk: engine
    },
    cutPower: Effect.suspend(() => endProcess("powerCut")),
    crashDuringWrite: () => {
      crashesDuringWrite = true
    },
    begin: (action, onEnd) => {
      const intents = [action.intent, ...(action.parts ?? [])]
      if (mayHaveBeenSent(action)) {
        for (const intent of intents) intent.status = "unknown"
        return
      }
      for (const intent of intents) intent.status = "running"
      if (instance === undefined) return
      for (const intent of intents) intent.attempts += 1
      trace.note(`${login} starts ${action.flow} ${action.intent.name}`)
      awaitResult(instance, { action, onEnd }, ({ execute }) => action.run(execute))
    },
    running: () => instance?.flows.size ?? 0,
    receive: (url, headers, body) =>
      Effect.suspend(() => {
        const inbox = runningInstance()?.inbox
        if (inbox === undefined) return Effect.succeed(unavailable)
        return Effect.map(
          inbox.receive({ method: body === undefined ? "GET" : "POST", url, headers, body }),
          ({ status }) => status
        )
      }),
    serve: (work) =>
      Effect.suspend(() => {
        const services = runningInstance()?.services
        return services === undefined ? Effect.void : Effect.provideContext(work, services)
      }),
    crashAfter: (steps) => {
      countdown.stepsLeft = steps
    },
    changeKeys: (changed) => {
      keys = { ...keys, ...changed }
      if (!controlKeys.includes(keys.controlKey)) controlKeys.unshift(keys.controlKey)
      return Effect.andThen(kill, start)
    },
    statusOf: (clientOrderId) =>
      Effect.flatMap(clientForStatus, (client) => client.status({ client_orderid: clientOrderId })).pipe(
        // Rate limits of production apply to this request too.
        Effect.retry({ while: ({ retryable }) => retryable, schedule: Schedule.spaced("1 second") }),
        Effect.map(({ status }) => status),
        Effect.catchTag("Refused", () => Effect.succeed(undefined)),
        Effect.orDie
      ),
    open: Effect.suspend(() => (instance === undefined ? Effect.succeed([]) : instance.running.open)),
    end: Effect.andThen(kill, Effect.sync(engine.end))
  } satisfies MerchantProcess as MerchantProcess
})
