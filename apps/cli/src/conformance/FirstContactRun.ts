/** `pay conformance --harmless`: a first contact with a gateway, which moves no money and finds the gateway's profile. */
import { readFileSync, writeFileSync } from "node:fs"
import * as ContactReport from "@pay/conformance/ContactReport"
import * as FirstContact from "@pay/conformance/FirstContact"
import * as ProfileFile from "@pay/conformance/ProfileFile"
import { Effect, Redacted } from "effect"
import type * as Flags from "../command/Flags.ts"
import * as Credentials from "../request/Credentials.ts"
import * as Endpoint from "../request/Endpoint.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as LongRun from "./LongRun.ts"

/** Returns the merchant from the settings that every command has: no test card is needed. */
export const merchantOf = async (given: Flags.Given): Promise<FirstContact.Options["merchant"]> => {
  const isGroup = Credentials.setting(given, "endpoint-id")?.startsWith("group/") === true
  const endpoint = Endpoint.id(given)
  const hasKey = Credentials.setting(given, "private-key-file") !== undefined
  const pem = hasKey ? (await Credentials.privateKey(given)).export({ type: "pkcs8", format: "pem" }).toString() : ""
  return {
    login: Credentials.need(given, "login"),
    controlKey: Redacted.make(await Credentials.controlKey(given), { label: "control key" }),
    endpoint,
    controlAmount: Credentials.controlAmount(given),
    ...(isGroup && { group: endpoint }),
    ...(hasKey && { privateKey: Redacted.make(pem, { label: "private key" }) })
  }
}

const earlierText = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Writes the file, and keeps what an earlier file has by hand. */
const write = (path: string, file: ProfileFile.ProfileFile): void => {
  try {
    writeFileSync(path, ProfileFile.write(ProfileFile.keeping(file, earlierText(path))))
  } catch {
    throw new UsageError("--write-profile names a file that cannot be written", "conformance")
  }
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

const progressLine = ({ answered, asks, elapsedMs, expected }: FirstContact.Progress): string => {
  const left = answered === 0 ? "" : `, about ${seconds(((expected - answered) * elapsedMs) / answered)} left`
  return `${answered} of about ${expected} harmless requests answered after ${seconds(elapsedMs)}${left}: ${asks}`
}

/** How long a first contact may take unless `--run-limit` says otherwise, in seconds. */
const defaultLimitSeconds = 300

/**
 * Writes the profile if it may be written, and returns what to say of it. A contact that did not finish knows less than an earlier
 * file may have, and replaces none.
 */
const keep = (path: string, { file, isPlaced, unfinished }: FirstContact.Contact): string => {
  if (unfinished !== undefined && !isPlaced) return `Not written: ${path}, because nothing is certain yet`
  if (unfinished !== undefined && earlierText(path).trim() !== "")
    return `Not written: ${path}, which stays as it was, because this contact did not finish`
  write(path, file)
  return `Written: ${path}. Programs read it by PAY_GATEWAY_PROFILE=${path}`
}

/** Makes the first contact, prints its report, and writes the profile. */
export const run = async (
  given: Flags.Given,
  options: FirstContact.Options,
  runLimit = defaultLimitSeconds
): Promise<ExitCode> => {
  const asJson = given.flags.has("json")
  const path = given.flags.get("write-profile")
  if (path !== undefined && !path.endsWith(".json"))
    throw new UsageError(
      "--write-profile names a file that ends with .json, by which PAY_GATEWAY_PROFILE knows it",
      "conformance"
    )
  const { end, show } = LongRun.progress()
  const onProgress = (now: FirstContact.Progress) => show(progressLine(now), now.elapsedMs)
  const ended = await LongRun.run((stop) => Effect.scoped(FirstContact.run({ ...options, onProgress, stop })), runLimit)
  end()
  if (ended._tag === "Stopped") return codes.unknown
  if (ended._tag === "Failed") {
    const text = `The gateway at ${options.baseUrl} is not reached: ${ended.error.message}. Check the address before /api/.`
    Output.printFailure({ text, json: { outcome: "not-sent", message: text } }, asJson)
    return codes.notSent
  }
  const { file, findings, requests, unfinished } = ended.value
  const next = path === undefined ? "" : `\n\n${keep(path, ended.value)}`
  Output.print(
    {
      text: ContactReport.text(ended.value) + next,
      json: {
        outcome: findings.length > 0 ? "differs" : unfinished === undefined ? "found" : "unfinished",
        ...(unfinished !== undefined && { unfinished }),
        gateway: options.baseUrl,
        requests,
        findings,
        ...file
      }
    },
    asJson
  )
  if (findings.length > 0) return codes.refused
  return unfinished === undefined ? codes.ok : codes.unknown
}
