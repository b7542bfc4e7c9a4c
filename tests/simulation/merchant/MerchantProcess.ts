/**
 * A merchant's process in the simulated world: flows with default settings, over a network that has faults, and an inbox for
 * callbacks. When it is killed its flows end where they are; what then becomes of them is up to the engine that carries them.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Steps from "@pay/flows/Steps"
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Cause, Context, Effect, Exit, type Fiber, Redacted, Schedule, Scope } from "effect"
import { recordResult } from "../Intents.ts"
import type * as Loop from "../Loop.ts"
import type { Trace } from "../Trace.ts"
import * as Account from "./Account.ts"
import * as CrashControl from "./CrashControl.ts"
import type { Engine, FlowRunner, Running } from "./Engine.ts"
import type { ActionResult, MerchantAction } from "./MerchantAction.ts"
import type { RemoteGateway } from "./RemoteGateway.ts"

interface Instance {
  readonly crashControl: CrashControl.CrashControl
  readonly scope: Scope.Closeable
  readonly running: Running
  readonly inbox: CallbackInbox.CallbackInbox["Service"]
  readonly flows: Set<Fiber.Fiber<unknown, unknown>>
}

/** A action whose flow has not ended, as far as the merchant knows. */
interface PendingAction {
  readonly action: MerchantAction
  readonly onEnd: (ended: ActionResult) => void
}

export interface MerchantProcess {
  readonly account: Account.Account
  readonly remote: RemoteGateway
  /** Every control key that it has had, the newest first. */
  readonly controlKeys: ReadonlyArray<string>
  /** Those that it signs with. */
  readonly keys: () => Keys
  /** Whether its flows survive it. */
  readonly isDurable: boolean
  /** The machine on which it runs. */
  readonly machine: Loop.Process
  /** Begins the action's flow, or begins it again; `onEnd` is called by the process that learns of its end. */
  readonly begin: (action: MerchantAction, onEnd: (ended: ActionResult) => void) => void
  /** Flows that have not ended. */
  readonly running: () => number
  /** A callback arrives; the answer's status. */
  readonly receive: (url: string, headers: Readonly<Record<string, string>>) => Effect.Effect<number>
  /** Carries out what a customer's browser makes the merchant's server do: signals to the flows of the process that runs now. */
  readonly serve: (work: Effect.Effect<void>) => Effect.Effect<void>
  /** The process dies by itself after so many steps more: before and after each request, and each action of a customer. */
  readonly crashAfter: (steps: number) => void
  /** Ends the process like `kill -9`: all that it kept in memory is gone. */
  readonly kill: Effect.Effect<void>
  /** Ends it with its machine: of what was not synced to the disk, some may be lost too. */
  readonly cutPower: Effect.Effect<void>
  /** The process dies amid its next write to the disk. It is still to be ended. */
  readonly crashDuringWrite: () => void
  /** The disk beneath its durable flows. */
  readonly disk: Pick<Engine, "bytes" | "lost" | "setFull">
  /** The next process begins; nothing happens where one runs. */
  readonly start: Effect.Effect<void>
  /** It is restarted with these keys; what the gateway signed with the control key before is still taken. */
  readonly changeKeys: (keys: Partial<Keys>) => Effect.Effect<void>
  /** How the gateway says that the order stands; undefined: it knows no such order. */
  readonly statusOf: (clientOrderId: string) => Effect.Effect<string | undefined>
  /** Flows that are written down and have not ended. */
  readonly open: Effect.Effect<ReadonlyArray<string>>
  /** At the end of the world. */
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

/** What a web server says in front of a process that is not there. */
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
  /** Batches of an engine are begun in their turn on the machine. */
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

  const clientOf = (endpoint: Account.Endpoint, { untilCrash }: CrashControl.CrashControl) =>
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
    const inbox = yield* CallbackInbox.make({
      keys: { controlKeys: controlKeys.map((key) => Redacted.make(key)) }
    }).pipe(Effect.provideService(Steps.Steps, running.steps), Effect.provideContext(yield* servicesFor("usd")))
    instance = { crashControl, scope, running, inbox, flows: new Set() }
    // The new process does not have what was only in memory.
    if (!engine.isDurable) pending.clear()
    for (const each of pending.values()) follow(instance, each, ({ resume }) => each.action.run(resume))
  }).pipe(Effect.provideContext(context))

  /** Waits for the end of a action's flow as long as the process runs. */
  const follow = (
    { flows, crashControl, running }: Instance,
    { onEnd, action }: PendingAction,
    flow: (flowRunner: FlowRunner) => ReturnType<MerchantAction["run"]>
  ) => {
    const { intent } = action
    const whole = Effect.flatMap(running.at(action.endpoint ?? "usd"), (flowRunner) =>
      Effect.provideContext(flow(flowRunner), flowRunner.context)
    )
    pending.set(intent.name, { action, onEnd })
    const fiber = run(whole)
    flows.add(fiber)
    fiber.addObserver((exit) => {
      flows.delete(fiber)
      if (crashControl.hasCrashed()) return
      pending.delete(intent.name)
      // Nothing was written down before the process died: only the one who wanted it knows of it.
      if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return
      if (Exit.isFailure(exit)) throw new Error(`${action.flow} ${intent.name} died: ${String(exit.cause)}`)
      const { parts = {}, tag } = exit.value
      recordResult(intent, tag)
      for (const part of action.parts ?? []) recordResult(part, parts[part.name] ?? "Unreachable")
      trace.note(`${login}'s ${action.flow} ${intent.name} ends ${exit.value.tag}`)
      onEnd(exit.value)
    })
  }

  /** In which process it was begun first, of what no other may begin that knows nothing of that. */
  const firstProcess = new Map<string, CrashControl.CrashControl>()

  /**
   * A process that remembers nothing cannot know whether money moved because of what it asks for, at a gateway that honours no
   * keys: its merchant leaves that to a person. What creates an order is looked for by its name first.
   */
  const mayHaveBeenSent = ({ intent: { clientOrderId, name }, parts }: MerchantAction): boolean => {
    const isFollowing = name !== clientOrderId || parts !== undefined
    if (remote.isOurs || engine.isDurable || instance === undefined || !isFollowing) return false
    const first = firstProcess.get(name) ?? instance.crashControl
    firstProcess.set(name, first)
    return first !== instance.crashControl
  }

  const endProcess = Effect.fnUntraced(function* (how: "kill" | "powerCut") {
    const ended = instance
    crashesDuringWrite = false
    if (ended === undefined) return
    instance = undefined
    trace.note(how === "kill" ? `${login} is killed` : `${login}'s machine loses its power`)
    machine.resume()
    ended.crashControl.crash()
    for (const flow of ended.flows) flow.interruptUnsafe()
    yield* Scope.close(ended.scope, Exit.void)
    engine.leave(how)
  })
  const kill = Effect.suspend(() => endProcess("kill"))
  const start = Effect.suspend(() => (instance === undefined ? begin : Effect.void))
  const untilCrash = () => (instance?.crashControl.hasCrashed() === true ? undefined : instance)

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
      trace.note(`${login} begins ${action.flow} ${action.intent.name}`)
      follow(instance, { action, onEnd }, ({ execute }) => action.run(execute))
    },
    running: () => instance?.flows.size ?? 0,
    receive: (url, headers) =>
      Effect.suspend(() => {
        const inbox = untilCrash()?.inbox
        if (inbox === undefined) return Effect.succeed(unavailable)
        return Effect.map(inbox.receive({ method: "GET", url, headers }), ({ status }) => status)
      }),
    serve: (work) =>
      Effect.suspend(() => {
        const steps = untilCrash()?.running.steps
        return steps === undefined ? Effect.void : Effect.provideService(work, Steps.Steps, steps)
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
      Effect.flatMap(clientOf("usd", makeCrashControl()), (client) =>
        client.status({ client_orderid: clientOrderId })
      ).pipe(
        // Limits of production hold for this question too.
        Effect.retry({ while: ({ retryable }) => retryable, schedule: Schedule.spaced("1 second") }),
        Effect.map(({ status }) => status),
        Effect.catchTag("Refused", () => Effect.succeed(undefined)),
        Effect.orDie
      ),
    open: Effect.suspend(() => (instance === undefined ? Effect.succeed([]) : instance.running.open)),
    end: Effect.andThen(kill, Effect.sync(engine.end))
  } satisfies MerchantProcess as MerchantProcess
})
