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
import * as Program from "../terminal/Program.ts"
import { UsageError } from "../terminal/UsageError.ts"

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

/** Says how many requests were answered: one changing line on a terminal. */
const progress = () => {
  const screen = Output.screen()
  const erase = "\r\u001b[2K"
  return {
    onAnswer: (answers: number) => screen?.write(`${erase}${answers} harmless requests answered`),
    end: () => screen?.write(erase)
  }
}

/** Makes the first contact, prints its report, and writes the profile. */
export const run = async (given: Flags.Given, options: FirstContact.Options): Promise<ExitCode> => {
  const asJson = given.flags.has("json")
  const path = given.flags.get("write-profile")
  if (path !== undefined && !path.endsWith(".json"))
    throw new UsageError(
      "--write-profile names a file that ends with .json, by which PAY_GATEWAY_PROFILE knows it",
      "conformance"
    )
  const { end, onAnswer } = progress()
  const ended = await Program.run(Effect.scoped(FirstContact.run({ ...options, onAnswer })))
  end()
  if (ended._tag === "Stopped") return codes.unknown
  if (ended._tag === "Failed") {
    const text = `The gateway at ${options.baseUrl} is not reached: ${ended.error.message}. Check the address before /api/.`
    Output.printFailure({ text, json: { outcome: "not-sent", message: text } }, asJson)
    return codes.notSent
  }
  const { file, findings, requests } = ended.value
  if (path !== undefined) write(path, file)
  const next = path === undefined ? "" : `\n\nWritten: ${path}. Programs read it by PAY_GATEWAY_PROFILE=${path}`
  Output.print(
    {
      text: ContactReport.text(ended.value) + next,
      json: {
        outcome: findings.length === 0 ? "found" : "differs",
        gateway: options.baseUrl,
        requests,
        findings,
        ...file
      }
    },
    asJson
  )
  return findings.length === 0 ? codes.ok : codes.refused
}
