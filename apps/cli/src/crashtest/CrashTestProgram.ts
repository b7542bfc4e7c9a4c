/** `pay crashtest`: lets everything fail around a shop, and reports what its customers would have seen. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import * as CrashTest from "@pay/crashtest/CrashTest"
import * as Faults from "@pay/crashtest/Faults"
import type { Result } from "@pay/crashtest/Finding"
import * as Report from "@pay/crashtest/Report"
import * as ReportJson from "@pay/crashtest/ReportJson"
import * as Template from "@pay/crashtest/Template"
import { Deferred, Effect } from "effect"
import type * as Flags from "../command/Flags.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Files from "../terminal/Files.ts"
import * as Io from "../terminal/Io.ts"
import * as Output from "../terminal/Output.ts"
import * as Program from "../terminal/Program.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Options from "./CrashTestOptions.ts"
import * as Progress from "./CrashTestProgress.ts"
import * as Reports from "./CrashTestReports.ts"

const { topic } = Options
const list = (given: Flags.Given): ExitCode => {
  const rows = Faults.names.map((name): [string, string] => [name, Faults.faults[name].sentence])
  const json = { faults: rows.map(([name, sentence]) => ({ name, sentence })) }
  Output.print({ text: Output.columns(rows, ""), json }, given.flags.has("json"))
  return codes.ok
}

const example = (): ExitCode => {
  Output.print({ text: Template.example.trimEnd(), json: {} }, false)
  return codes.ok
}

const say = (text: string): void => {
  Io.stderr().write(`${Output.safe(text)}\n`)
}

/** Reads the template's text. */
const templateText = (given: Flags.Given): Promise<string> => {
  const path = given.flags.get("template")
  if (path === undefined && !existsSync(Template.fileName))
    throw new UsageError(
      `This folder has no ${Template.fileName}, which says how to buy and how to ask: pay crashtest --example > ${Template.fileName} writes one to begin with`,
      topic
    )
  return Files.read("template", path ?? Template.fileName, path === undefined ? Template.fileName : undefined)
}

interface Prepared extends Options.Wanted {
  readonly text: string
  readonly stop: Deferred.Deferred<void>
}

/** Reads the template, with the values of flags in it. */
const templateOf = Effect.fnUntraced(function* ({ given, overrides, text, variables }: Prepared) {
  const template = yield* Template.fromText(text, given.flags.get("template") ?? Template.fileName, overrides)
  if (Object.keys(variables).length === 0) return template
  return yield* Template.fromValue({ ...template, env: { ...template.env, ...variables } }, "--env")
})

/** The whole run, from the template to its result. */
const program = (prepared: Prepared) =>
  Effect.gen(function* () {
    const { command, kinds, minutes, only, payments, stop } = prepared
    const template = yield* templateOf(prepared)
    const seed = prepared.seed ?? (yield* Options.randomSeed)
    say(`crash test with seed ${seed}`)
    const onProgress = yield* Progress.make(Output.screen(), say, minutes === undefined ? undefined : minutes * 60_000)
    const folder = resolve(".")
    return yield* CrashTest.run({ command, template, folder, seed, minutes, payments, kinds, only, onProgress, stop })
  }).pipe(Effect.scoped)

type Failure = Effect.Error<ReturnType<typeof program>>

/** Prints why the shop could not be tested, with the last lines of what it printed. */
const failed = (failure: Failure, asJson: boolean): ExitCode => {
  const output = failure._tag === "ShopFailed" ? failure.output.trimEnd() : ""
  const text = output === "" ? failure.message : `${failure.message}\nThe end of its output:\n${output}`
  Output.printFailure({ text, json: { outcome: "not-tested", message: failure.message, output } }, asJson)
  return codes.usage
}

const exitCode = (result: Result, isStopped: boolean): ExitCode => {
  if (result.findings.length > 0) return codes.refused
  if (isStopped) return codes.stopped
  return result.payments === 0 ? codes.usage : codes.ok
}

/** The report for a terminal: with each finding in full if one case was repeated. */
const textOf = (result: Result, replay: Report.Replay, isOneCase: boolean, hasReport: boolean): string =>
  [
    Report.text(result, replay),
    ...(isOneCase ? result.findings.map(Report.details) : []),
    ...(isOneCase || hasReport || result.findings.length === 0 ? [] : [" timelines and advice: add --report html"])
  ].join(isOneCase ? "\n\n" : "\n")

const tell = (input: Options.Input, target: Reports.Target | undefined, result: Result): void => {
  const { given } = input
  const replay = (caseNumber: number) => Options.replay(input, result.seed, caseNumber)
  if (target?.path === "-") return void Io.stdout().write(target.write(result, replay))
  let text = textOf(result, replay, given.flags.has("case"), target !== undefined)
  try {
    if (target === undefined) return
    Reports.save(target, result, replay)
    text += `\n report: ${target.path}`
  } finally {
    // What was found is shown also if the report cannot be written any more.
    Output.print({ text, json: ReportJson.json(result, replay) }, given.flags.has("json"))
  }
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const input = Options.parse(args)
  const { given } = input
  if (given.flags.has("list")) return list(given)
  if (given.flags.has("example")) return example()
  const wanted = Options.wantedOf(input)
  const text = await templateText(given)
  const target = Reports.targetOf(given)
  const stop = Deferred.makeUnsafe<void>()
  let isStopped = false
  const ended = await Program.run(program({ ...wanted, text, stop }), () => {
    isStopped = true
    // A terminal prints ^C into the line of the progress.
    say(`${Output.screen() === undefined ? "" : "\n"}The report so far follows. Ctrl-C again ends at once.`)
    Deferred.doneUnsafe(stop, Effect.void)
  })
  if (ended._tag === "Stopped") return codes.stopped
  if (ended._tag === "Failed") return failed(ended.error, given.flags.has("json"))
  tell(input, target, ended.value)
  return exitCode(ended.value, isStopped)
}
