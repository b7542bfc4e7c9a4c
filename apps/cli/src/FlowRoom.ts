/** `pay flow`: a payment from its first request to its outcome, and on again after it was stopped. */
import { resolve } from "node:path"
import * as FlowSettings from "@pay/flows/FlowSettings"
import * as Shopper from "@pay/flows/Shopper"
import * as Steps from "@pay/flows/Steps"
import type { InvalidSetting } from "@pay/transport/PayClient"
import { Duration, Effect, Option, Result } from "effect"
import * as Client from "./Client.ts"
import { commands } from "./Commands.ts"
import * as Credentials from "./Credentials.ts"
import { codes, type ExitCode } from "./ExitCode.ts"
import * as Failure from "./Failure.ts"
import * as FieldInput from "./FieldInput.ts"
import * as Flags from "./Flags.ts"
import * as FlowCommands from "./FlowCommands.ts"
import * as FlowKinds from "./FlowKinds.ts"
import * as FlowNote from "./FlowNote.ts"
import * as FlowOutcome from "./FlowOutcome.ts"
import * as FlowProgress from "./FlowProgress.ts"
import * as FlowShopper from "./FlowShopper.ts"
import * as LiveLines from "./LiveLines.ts"
import * as Loopback from "./Loopback.ts"
import * as Mask from "./Mask.ts"
import * as OperationName from "./OperationName.ts"
import * as Output from "./Output.ts"
import * as PlayedShopper from "./PlayedShopper.ts"
import * as Program from "./Program.ts"
import * as ReturnListener from "./ReturnListener.ts"
import { UsageError } from "./UsageError.ts"
import * as WebBrowser from "./WebBrowser.ts"

export const run = async ([word, ...rest]: ReadonlyArray<string>): Promise<ExitCode> => {
  if (word === "resume") return resume(rest)
  const flow = FlowCommands.named(word)
  if (flow === undefined) throw new UsageError(`Say which: ${FlowCommands.names.join(", ")}, or resume`, "flow")
  return carry(flow, await read(flow, rest), undefined)
}

const read = (flow: FlowCommands.Name, args: ReadonlyArray<string>) =>
  FieldInput.of(OperationName.find(FlowCommands.flows[flow], "flow"), `flow ${flow}`, commands.flow, args)

const resume = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const flags: ReadonlyMap<string, Flags.Flag> = new Map(Object.entries(commands.flow.flags))
  const given = Flags.parse(args, { flags }, "flow")
  const [clientOrderId, ...others] = given.operands
  if (clientOrderId === undefined || others.length > 0) {
    throw new UsageError("Name one order by your client_orderid: pay flow resume CLIENT_ORDERID", "flow")
  }
  const note = FlowNote.find(FlowNote.folderOf(given), clientOrderId)
  if (note === undefined) {
    throw new UsageError("No flow of this name is noted here: it has ended, or the state folder is another one", "flow")
  }
  const settings = new Map([...Object.entries(note.settings), ...given.flags])
  const again = [...settings].map(([name, value]) =>
    flags.get(name)?.value === undefined ? `--${name}` : `--${name}=${value}`
  )
  return carry(note.flow, await read(note.flow, again), note)
}

const kept = ["base-url", "login", "endpoint-id", "control-amount", "private-key-file"]

const settingsOf = (given: Flags.Given): Readonly<Record<string, string>> =>
  Object.fromEntries(
    kept.flatMap((flag) => {
      const value = Credentials.setting(given, flag)
      return value === undefined ? [] : [[flag, flag === "private-key-file" ? resolve(value) : value]]
    })
  )

const outcomeOf = (given: Flags.Given, isLocal: boolean): PlayedShopper.Outcome | undefined => {
  const wanted = given.flags.get("3ds")
  if (wanted === undefined) return undefined
  const outcome = PlayedShopper.outcomes.find((name) => name === wanted)
  if (outcome === undefined) throw new UsageError("--3ds is pass, fail or abandon", "flow")
  if (!isLocal) throw new UsageError("--3ds plays the shopper only at a sandbox on this machine", "flow")
  return outcome
}

/** As the setting of flows; a shorter one could take an order for never made that still comes. */
const quietSettings = (given: Flags.Given, isLocal: boolean): Partial<FlowSettings.Settings> => {
  const seconds = Credentials.setting(given, "quiet-period")
  if (seconds === undefined) return {}
  const quietPeriod = Duration.seconds(Number(seconds))
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(seconds)) throw new UsageError("--quiet-period is a number of seconds", "flow")
  if (!isLocal && Duration.isLessThan(quietPeriod, Duration.fromInputUnsafe(FlowSettings.defaults.quietPeriod))) {
    throw new UsageError("--quiet-period may be less than 45 only at a gateway on this machine", "flow")
  }
  return { quietPeriod }
}

const linesOf = (): LiveLines.Lines => {
  const screen = Output.screen()
  return screen === undefined
    ? LiveLines.plain((text) => Output.printFailure({ text, json: {} }, false))
    : LiveLines.live(screen)
}

const carry = async (
  flow: FlowCommands.Name,
  input: FieldInput.FieldInput,
  note: FlowNote.FlowNote | undefined
): Promise<ExitCode> => {
  const { given, operation } = input
  const asJson = given.flags.has("json")
  const folder = FlowNote.folderOf(given)
  const isLocal = Loopback.isOn(Credentials.need(given, "base-url"))
  const played = outcomeOf(given, isLocal)
  const settings = quietSettings(given, isLocal)
  const client = await Client.layer(given)
  const texts = { ...input.texts, ...note?.fields }
  const conceal = Mask.conceal(operation, texts)
  const started = { clientOrderId: "" }
  const lines = LiveLines.concealing(linesOf(), conceal)
  const { evidence, steps } = FlowProgress.telling(lines)
  const opened = { addresses: 0 }
  const open = (url: string) => {
    opened.addresses += 1
    lines.say(`Open in a browser: ${url}`)
    if (!given.flags.has("no-open")) WebBrowser.open(url)
  }

  const program = Effect.gen(function* () {
    const wantsOwn = operation.fields.has("redirect_url") && texts.redirect_url === undefined && isLocal
    const ownPort =
      note?.listens === true ? Number(URL.parse(texts.redirect_url ?? "")?.port) : wantsOwn ? 0 : undefined
    const listener = ownPort === undefined ? undefined : Option.getOrUndefined(yield* ReturnListener.listen(ownPort))
    const backUrl = texts.redirect_url ?? listener?.backUrl ?? ""
    const complete =
      backUrl === "" || !operation.fields.has("redirect_url") ? texts : { ...texts, redirect_url: backUrl }
    const prepared = preparing(flow, complete, note)
    if (Result.isFailure(prepared)) return Failure.invalid(prepared.failure, `flow ${flow}`)

    const clientOrderId = complete.client_orderid ?? complete["client-order-id"] ?? ""
    started.clientOrderId = clientOrderId
    if (note === undefined) {
      const listens = wantsOwn && listener !== undefined
      FlowNote.keep(folder, {
        flow,
        clientOrderId,
        settings: settingsOf(given),
        listens,
        ...FlowNote.split(operation, complete)
      })
    }
    listener?.onBack((fields) => {
      Effect.runFork(Effect.provideService(Shopper.cameBack(clientOrderId, fields), Steps.Steps, steps))
    })
    const shopper =
      played === undefined
        ? FlowShopper.layer(listener, backUrl, open, lines.say)
        : PlayedShopper.layer(played, backUrl, lines.say)
    yield* FlowProgress.ticking(lines)
    const ended = yield* prepared.success.pipe(
      Effect.match({
        onSuccess: (order) => FlowOutcome.approved(flow, order, evidence),
        onFailure: (error) => FlowOutcome.failed(flow, error, evidence)
      }),
      Effect.provideService(Steps.Steps, steps),
      Effect.provide(shopper),
      FlowSettings.changed(settings)
    )
    if (ended.isOver) FlowNote.forget(folder, clientOrderId)
    if (ended.isOver && opened.addresses > 0) yield* ReturnListener.lastVisit(listener)
    return ended
  }).pipe(Effect.scoped, Effect.provide(client))

  const ended = await Program.run(program)
  lines.end()
  if (ended._tag === "Failed") return finish(unusable(ended.error), asJson, conceal)
  const outcome = ended._tag === "Done" ? ended.value : FlowOutcome.stopped(flow, started.clientOrderId, evidence)
  return finish(outcome, asJson, conceal)
}

/** The flow with these fields; where it was started before, what goes on is the order that the gateway has. */
const preparing = (
  flow: FlowCommands.Name,
  texts: Readonly<Record<string, string>>,
  note: FlowNote.FlowNote | undefined
) => {
  const kind = FlowKinds.find(flow)
  if (note === undefined || note.withheld.length === 0) return kind.prepare(texts)
  const isMissing = note.withheld.some((name) => texts[name] === undefined)
  return isMissing
    ? Result.succeed(FlowKinds.resume(kind, note.clientOrderId))
    : Result.map(kind.prepare(texts), (send) => FlowKinds.resumeOrSend(kind, note.clientOrderId, send))
}

const unusable = ({ message, problem, setting }: InvalidSetting): Failure.Failure => ({
  code: codes.usage,
  report: {
    text: `${message}.\npay help tells the settings and their flags.`,
    json: { outcome: "usage", setting, problem }
  }
})

const finish = ({ code, report }: Failure.Failure, asJson: boolean, conceal: (text: string) => string): ExitCode => {
  const json = JSON.parse(JSON.stringify(report.json), (_, value) =>
    typeof value === "string" ? conceal(value) : value
  )
  const shown = { text: conceal(report.text), json }
  if (code === codes.ok) Output.print(shown, asJson)
  else Output.printFailure(shown, asJson)
  return code
}
