/** `pay conformance`: runs the conformance suite against a gateway. */
import { closeSync, openSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import * as Conformance from "@pay/conformance/Conformance"
import type * as FirstContact from "@pay/conformance/FirstContact"
import * as ProfileFile from "@pay/conformance/ProfileFile"
import * as Report from "@pay/conformance/Report"
import * as ReportPage from "@pay/conformance/ReportPage"
import * as Settings from "@pay/conformance/Settings"
import * as ConformanceFile from "@pay/sandbox/ConformanceFile"
import * as Loopback from "@pay/schema/Loopback"
import * as RsaKey from "@pay/signing/RsaKey"
import { Effect, Redacted, Result } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import * as Credentials from "../request/Credentials.ts"
import * as Endpoint from "../request/Endpoint.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Files from "../terminal/Files.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as FirstContactRun from "./FirstContactRun.ts"
import * as LongRun from "./LongRun.ts"

const topic = "conformance"

/** Returns the base address, with the path before `/api/` that the gateway's profile defines. */
const baseUrlOf = (given: Flags.Given): string => {
  const text = Credentials.need(given, "base-url")
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.username !== "" || url.hash !== "")
    throw new UsageError("--base-url is an address with http or https, without user name and query", topic)
  if (!Loopback.isOn(text) && !given.flags.has("allow-charges") && !given.flags.has("harmless"))
    throw new UsageError(
      "The gateway is on another machine, and the checks make payments there. Give --allow-charges if these are test accounts, or --harmless for requests that move no money",
      topic
    )
  const base = url.origin + url.pathname.replace(/^(.*[^/])?\/*$/s, "$1")
  const { pathPrefix = "" } = Endpoint.profile(given)
  return base.endsWith(pathPrefix) || given.flags.has("harmless") ? base : base + pathPrefix
}

const wholeNumber = (given: Flags.Given, flag: string, most: number): number | undefined => {
  const text = given.flags.get(flag)
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= most) return Number(text)
  throw new UsageError(`--${flag} is a whole number from 1 to ${most}`, topic)
}

const readable = (pem: string): string => {
  const loaded = RsaKey.privateFromPem(pem)
  if (loaded.ok) return pem
  throw new UsageError("The private key of --file is not an RSA key of at least 2048 bits in PEM form", topic)
}

const privateKeyOf = async (path: string, settings: Settings.Settings): Promise<string | undefined> => {
  const { privateKey, privateKeyFile } = settings
  if (privateKey !== undefined) return readable(Redacted.value(privateKey))
  if (privateKeyFile === undefined) return undefined
  const file = resolve(path === "-" ? "." : dirname(path), privateKeyFile)
  return readable(await Files.read("file", file, '"privateKeyFile" of --file'))
}

/** Reads the settings of the suite. No message repeats a value, because it could be a key. */
const settingsOf = async (given: Flags.Given): Promise<Settings.Settings> => {
  const path = given.flags.get("file")
  if (path === undefined)
    throw new UsageError(
      "Give --file FILE with keys, endpoints and test cards: pay conformance --example prints one",
      topic
    )
  const settings = Settings.parse(await Files.read("file", path))
  if (Result.isFailure(settings))
    throw new UsageError(`--file is not what the suite needs:\n  ${settings.failure.join("\n  ")}`, topic)
  const privateKey = await privateKeyOf(path, settings.success)
  const { answers } = Endpoint.profile(given)
  return {
    ...(answers !== undefined && { dialect: answers }),
    ...settings.success,
    ...(privateKey !== undefined && { privateKey: Redacted.make(privateKey, { label: "private key" }) })
  }
}

/** Returns what a first contact needs: the merchant of --file, or of the usual settings. */
const contactOf = async (
  given: Flags.Given,
  baseUrl: string,
  limits: Pick<FirstContact.Options, "concurrency" | "limitSeconds">
): Promise<FirstContact.Options> => {
  const order = given.flags.get("order")
  const settings = given.flags.has("file") ? await settingsOf(given) : undefined
  return {
    baseUrl,
    pathPrefix: Endpoint.profile(given).pathPrefix ?? "",
    merchant: settings ?? (await FirstContactRun.merchantOf(given)),
    ...(settings !== undefined && { currency: settings.currency }),
    ...(order !== undefined && { order }),
    ...limits
  }
}

const wantedOf = (given: Flags.Given): NonNullable<Conformance.Options["isWanted"]> => {
  const starts = (given.flags.get("only") ?? "").split(",").filter((each) => each !== "")
  if (starts.length === 0) return () => true
  for (const start of starts)
    if (!Conformance.checks.some(({ id }) => id.startsWith(start)))
      throw new UsageError(`--only: no check starts with ${start}; pay conformance --list shows all`, topic)
  return ({ id }) => starts.some((start) => id.startsWith(start))
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

const progressLine = ({ all, done, elapsedMs, failed, oldest, phase }: Conformance.Progress): string =>
  phase === "operations"
    ? `finding the operations of the gateway: ${done} of ${all}, after ${seconds(elapsedMs)}`
    : `${done} of ${all} checks, ${failed} failed, after ${seconds(elapsedMs)}${oldest === undefined ? "" : `  ${oldest}`}`

/** Prints the progress: how far the run is, and on a terminal each failure. */
const progress = () => {
  const { end, print, show } = LongRun.progress()
  return {
    onProgress: (now: Conformance.Progress) => show(progressLine(now), now.elapsedMs),
    onResult: (result: Conformance.Result, done: number, all: number) =>
      print(
        result.outcome._tag === "Failed" ? Report.line(result) : undefined,
        `${done} of ${all}  ${result.check.id}`
      ),
    end
  }
}

const writeTo = (given: Flags.Given, flag: string, act: (path: string) => void): void => {
  const path = given.flags.get(flag)
  if (path === undefined) return
  try {
    act(path)
  } catch {
    throw new UsageError(`--${flag} names a file that cannot be written`, topic)
  }
}

/** Creates the report's file before the first payment, so that a path that cannot be written fails early. */
const touch = (given: Flags.Given, flag: string): void => writeTo(given, flag, (path) => closeSync(openSync(path, "a")))

const write = (given: Flags.Given, flag: string, text: string): void =>
  writeTo(given, flag, (path) => writeFileSync(path, text))

const list = (given: Flags.Given): ExitCode => {
  const checks = Conformance.checks.filter(wantedOf(given))
  const rows = checks.map(({ clause, id, title }) => `${id}\n    ${title}\n    ${clause}`)
  const json = { checks: checks.map(Report.checkJson) }
  Output.print({ text: `${rows.join("\n")}\n\n${checks.length} checks`, json }, given.flags.has("json"))
  return codes.ok
}

const printed = (value: unknown): ExitCode => {
  Output.print({ text: JSON.stringify(value, undefined, 2), json: {} }, false)
  return codes.ok
}

const failed = (error: Conformance.Failure, baseUrl: string, asJson: boolean): ExitCode => {
  if (error._tag === "NotListening")
    throw new UsageError(`The address of "listen" in --file cannot be listened on (${error.code})`, topic)
  const text =
    error.code === Conformance.noOperations
      ? `The server at ${baseUrl} has no operation of this protocol (${error.code}). Give the address before /api/ to --base-url.`
      : `The gateway at ${baseUrl} is not reachable: ${error.message}. Check the address, or start the gateway.`
  Output.printFailure({ text, json: { outcome: "not-sent", message: text } }, asJson)
  return codes.notSent
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.conformance, topic)
  if (given.operands.length > 0) throw new UsageError("pay conformance takes flags only", topic)
  if (given.flags.has("list")) return list(given)
  if (given.flags.has("example")) return printed(ConformanceFile.content)
  if (given.flags.has("schema")) return printed(Settings.jsonSchema())
  if (given.flags.has("profile-schema")) return printed(ProfileFile.jsonSchema())
  const asJson = given.flags.has("json")
  const baseUrl = baseUrlOf(given)
  const limitSeconds = wholeNumber(given, "time-limit", 86_400)
  const concurrency = wholeNumber(given, "concurrency", 64)
  const limits = {
    ...(limitSeconds !== undefined && { limitSeconds }),
    ...(concurrency !== undefined && { concurrency })
  }
  const runLimit = wholeNumber(given, "run-limit", 86_400)
  if (given.flags.has("harmless")) {
    const ofSuite = ["only", "junit", "html"].find((flag) => given.flags.has(flag))
    if (ofSuite !== undefined) throw new UsageError(`--${ofSuite} is of the whole suite, not of --harmless`, topic)
    return FirstContactRun.run(given, await contactOf(given, baseUrl, limits), runLimit)
  }
  const foreign = ["write-profile", "order"].find((flag) => given.flags.has(flag))
  if (foreign !== undefined) throw new UsageError(`--${foreign} needs --harmless`, topic)
  const { end, ...reporting } = progress()
  const options: Conformance.Options = {
    baseUrl,
    settings: await settingsOf(given),
    isWanted: wantedOf(given),
    ...(asJson ? {} : reporting),
    ...limits
  }
  touch(given, "junit")
  touch(given, "html")
  const ended = await LongRun.run((stop) => Effect.scoped(Conformance.run({ ...options, stop })), runLimit)
  end()
  if (ended._tag === "Stopped") return codes.unknown
  if (ended._tag === "Failed") return failed(ended.error, baseUrl, asJson)
  const run = ended.value
  Output.print({ text: Report.text(run), json: Report.json(run) }, asJson)
  write(given, "junit", Report.junit(run))
  write(given, "html", ReportPage.write(run))
  if (Report.isPassed(run)) return codes.ok
  return run.unfinished !== undefined && Report.counts(run.results).failed === 0 ? codes.unknown : codes.refused
}
