/** Runs one flow, from its fields to its outcome. */

import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine, makeMemory } from "@pay/flows/FlowEngine"
import * as FlowSettings from "@pay/flows/FlowSettings"
import * as Steps from "@pay/flows/Steps"
import * as Loopback from "@pay/schema/Loopback"
import type { PayClient } from "@pay/transport/PayClient"
import { Context, Effect, type Layer, Option, Result } from "effect"
import type * as Prompt from "effect/cli/Prompt"
import * as Client from "../request/Client.ts"
import * as Credentials from "../request/Credentials.ts"
import * as Failure from "../request/Failure.ts"
import type * as FieldInput from "../request/FieldInput.ts"
import * as Mask from "../request/Mask.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as LiveLines from "../terminal/LiveLines.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import * as WebBrowser from "../terminal/WebBrowser.ts"
import type { Name } from "./FlowCommands.ts"
import * as FlowCustomerBrowser from "./FlowCustomerBrowser.ts"
import * as FlowFlags from "./FlowFlags.ts"
import * as FlowKinds from "./FlowKinds.ts"
import * as FlowOutcome from "./FlowOutcome.ts"
import * as FlowProgress from "./FlowProgress.ts"
import * as FlowRecord from "./FlowRecord.ts"
import * as ReturnListener from "./ReturnListener.ts"
import * as SimulatedCustomer from "./SimulatedCustomer.ts"

/** The terminal of a user who can answer questions. */
export type Terminal = Layer.Layer<Prompt.Environment>

type Texts = Readonly<Record<string, string>>

const linesOf = (): LiveLines.Lines => {
  const screen = Output.screen()
  return screen === undefined
    ? LiveLines.plain((text) => Output.printFailure({ text, json: {} }, false))
    : LiveLines.live(screen)
}

/** Starts the flow, or resumes the flow of `record`. */
export const run = async (
  flow: Name,
  { given, operation, texts }: FieldInput.FieldInput,
  record: FlowRecord.FlowRecord | undefined,
  terminal: Terminal | undefined
): Promise<ExitCode> => {
  const asJson = given.flags.has("json")
  const folder = FlowRecord.folderOf(given)
  const baseUrl = Credentials.need(given, "base-url")
  Credentials.needSigning(given, operation.signing)
  const endpointId = Credentials.setting(given, "endpoint-id")
  const isLocal = Loopback.isOn(baseUrl)
  const simulated = FlowFlags.simulatedOutcome(given, isLocal)
  const settings = FlowFlags.quietSettings(given, isLocal)
  const client = await Client.layer(given)
  const kind = FlowKinds.find(flow)

  /** The current values of this flow, which later steps complete. */
  const existing = { clientOrderId: "", texts: { ...texts, ...record?.fields }, addresses: 0 }
  const conceal = (text: string) => Mask.conceal(operation, existing.texts)(text)
  const lines = LiveLines.concealing(linesOf(), conceal)
  const { evidence, steps } = FlowProgress.telling(lines)
  const engine = makeMemory(steps)
  const open = (url: string) => {
    existing.addresses += 1
    lines.say(`Open in a browser: ${url}`)
    if (!given.flags.has("no-open")) WebBrowser.open(url)
  }

  /** Requests the missing fields at the terminal. Returns all fields, or `None` without a terminal or answers. */
  const ask = Effect.fnUntraced(function* (also: ReadonlyArray<string>, unshown: ReadonlyArray<string>) {
    if (terminal === undefined) return Option.none<Texts>()
    lines.end()
    const { FlowQuestions, offered } = yield* Effect.promise(async () => ({
      FlowQuestions: await import("./FlowQuestions.ts"),
      offered: (await import("./FlowDefaults.ts")).make(operation, { endpointId, isSandbox: isLocal })
    }))
    const destination = endpointId === undefined ? baseUrl : `${baseUrl}, endpoint ${endpointId}`
    const asking = { operation: kind.operation, facts: operation, offered, also, unshown, destination }
    return yield* Effect.provide(FlowQuestions.ask(asking, existing.texts), terminal)
  })
  const stopped = () => FlowOutcome.stopped(flow, existing.clientOrderId, evidence)

  const program = Effect.gen(function* () {
    const takesBack = operation.fields.has("redirect_url")
    const wantsOwn = takesBack && existing.texts.redirect_url === undefined && isLocal
    const ownPort =
      record?.listens === true ? Number(URL.parse(existing.texts.redirect_url ?? "")?.port) : wantsOwn ? 0 : undefined
    const listener = ownPort === undefined ? undefined : Option.getOrUndefined(yield* ReturnListener.listen(ownPort))
    const backUrl = existing.texts.redirect_url ?? listener?.backUrl ?? ""
    if (takesBack && backUrl !== "") existing.texts = { ...existing.texts, redirect_url: backUrl }
    const unshown = listener === undefined ? ["login"] : ["login", "redirect_url"]

    const first = FlowKinds.prepare(kind, existing.texts, record)
    if (Result.isFailure(first) && terminal !== undefined) {
      const answered = yield* ask([], unshown)
      if (Option.isNone(answered)) return stopped()
      existing.texts = answered.value
    }
    const prepared = FlowKinds.prepare(kind, existing.texts, record)
    if (Result.isFailure(prepared)) return FlowOutcome.incomplete(flow, prepared.failure)

    existing.clientOrderId = existing.texts.client_orderid ?? existing.texts["client-order-id"] ?? ""
    const { clientOrderId } = existing
    if (record === undefined) {
      const listens = wantsOwn && listener !== undefined
      const fields = FlowRecord.split(operation, existing.texts)
      FlowRecord.write(folder, { flow, clientOrderId, settings: FlowFlags.settingsOf(given), listens, ...fields })
    }
    const context = Context.add(yield* Effect.context<PayClient>(), FlowEngine, engine)
    listener?.onBack((fields) => {
      Effect.runForkWith(context)(CustomerBrowser.cameBack(clientOrderId, fields))
    })
    const customerBrowser =
      simulated === undefined
        ? FlowCustomerBrowser.layer(listener, backUrl, open, lines.say)
        : SimulatedCustomer.layer(simulated, backUrl, lines.say)
    yield* FlowProgress.ticking(lines)
    const ended = yield* prepared.success.pipe(
      Effect.catchTag("NeverHappened", (error) =>
        Effect.gen(function* () {
          const missing = (record?.withheld ?? []).filter((name) => existing.texts[name] === undefined)
          if (missing.length === 0) return yield* error
          if (terminal !== undefined)
            lines.say("The gateway has no such order: enter the fields again that were not stored.")
          const answered = yield* ask(missing, unshown)
          if (Option.isNone(answered)) return yield* error
          existing.texts = answered.value
          const again = FlowKinds.prepare(kind, existing.texts, record)
          return yield* Result.isSuccess(again) ? again.success : error
        })
      ),
      Effect.match({
        onSuccess: (order) => FlowOutcome.approved(flow, order, evidence),
        onFailure: (error) => FlowOutcome.failed(flow, clientOrderId, error, evidence)
      }),
      Effect.provideService(FlowEngine, engine),
      Effect.provideService(Steps.Steps, steps),
      Effect.provide(customerBrowser),
      FlowSettings.changed(settings)
    )
    if (ended.isOver) FlowRecord.remove(folder, clientOrderId)
    if (ended.isOver && existing.addresses > 0) yield* ReturnListener.lastVisit(listener)
    return ended
  }).pipe(Effect.scoped, Effect.provide(client))

  const ended = await Program.run(program)
  lines.end()
  if (ended._tag === "Failed") return finish(Failure.invalidSetting(ended.error), asJson, conceal)
  return finish(ended._tag === "Done" ? ended.value : stopped(), asJson, conceal)
}

const finish = ({ code, report }: Failure.Failure, asJson: boolean, conceal: (text: string) => string): ExitCode => {
  const json = JSON.parse(JSON.stringify(report.json), (_, value) =>
    typeof value === "string" ? conceal(value) : value
  )
  const displayed = { text: conceal(report.text), json }
  if (code === codes.ok) Output.print(displayed, asJson)
  else Output.printFailure(displayed, asJson)
  return code
}
