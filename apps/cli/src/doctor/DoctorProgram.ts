/**
 * `pay doctor`: checks settings, keys, clock, reachability and profile of the gateway. It sends only requests that change
 * nothing.
 */
import { createPublicKey } from "node:crypto"
import { statSync } from "node:fs"
import { operations } from "@pay/gateway/OperatorApi"
import * as Loopback from "@pay/schema/Loopback"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import * as Profiles from "../command/Profiles.ts"
import * as OperatorClient from "../operator/OperatorClient.ts"
import * as Credentials from "../request/Credentials.ts"
import * as Endpoint from "../request/Endpoint.ts"
import * as Color from "../terminal/Color.ts"
import { variable, variables } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import { type Finding, judged, note, ok, wrong } from "./Check.ts"
import * as GatewayProbe from "./GatewayProbe.ts"
import * as GatewaySearch from "./GatewaySearch.ts"

const profileNow = (): Finding => {
  const { current, profiles } = Profiles.read(variables())
  const name = variable("PAY_PROFILE") ?? current
  if (name !== undefined) return ok(name)
  return note(
    Object.keys(profiles).length === 0
      ? "none: settings come from flags and the environment"
      : "none is current: pay profile use NAME"
  )
}

const baseUrl = (given: Flags.Given): Finding => {
  const text = Credentials.need(given, "base-url")
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    return wrong("Give an address with http or https as --base-url or PAY_BASE_URL: https://gateway.example/paynet")
  if (url.username !== "" || url.search !== "" || url.hash !== "")
    return wrong("Give --base-url without user name, query and fragment")
  if (/\/api(\/|$)/.test(url.pathname)) return wrong("Give --base-url without /api/…: that is added for each operation")
  if (url.protocol === "http:" && !Loopback.isOn(text))
    return wrong("Use https: over http card data would cross the network in plain text")
  return ok(url.href)
}

/** Returns whether other users of the machine can read the file of a key. */
const isReadByOthers = (path: string): boolean => {
  try {
    return (statSync(path).mode & 0o077) !== 0
  } catch {
    return false
  }
}

const secretFile = (given: Flags.Given, flag: string): Finding => {
  const path = Credentials.setting(given, flag)
  if (path === undefined || path === "-" || !isReadByOthers(path)) return ok("set")
  return note(`set, but others on this machine can read its file: chmod 600 the file of --${flag}`)
}

const controlKey = async (given: Flags.Given): Promise<Finding> => {
  await Credentials.controlKey(given)
  return variable("PAY_CONTROL_KEY") === undefined || given.flags.has("control-key-file")
    ? secretFile(given, "control-key-file")
    : ok("set")
}

/** Checks that the public key is the half of the private one. Without a private key, it verifies what others have signed. */
const publicKey = async (given: Flags.Given): Promise<Finding> => {
  const key = await Credentials.publicKey(given)
  if (Credentials.setting(given, "private-key-file") === undefined) return ok("set")
  const own = createPublicKey(await Credentials.privateKey(given))
  return own.equals(key)
    ? ok("set")
    : wrong("it is not the public half of the private key: one of the two is another one")
}

const profileWords = (given: Flags.Given): Finding => {
  Endpoint.profile(given)
  return ok(GatewaySearch.current(given))
}

/** Checks the operator's address and token with a request that changes nothing. */
const operator = async (given: Flags.Given): Promise<Finding> => {
  try {
    const client = await OperatorClient.make(given)
    await client.call(operations.listRequests, { limit: "1" })
    return ok("accepted")
  } catch (error) {
    if (error instanceof OperatorClient.OperatorFailure) return wrong(error.message.replaceAll("\n", " "))
    throw error
  }
}

/** Settings that are checked only if they are set. */
const optional: ReadonlyArray<readonly [name: string, flags: ReadonlyArray<string>, look: Look]> = [
  ["gateway-profile", ["gateway-profile"], profileWords],
  ["public key", ["public-key-file"], publicKey],
  ["operator", ["operator-url", "operator-token", "operator-token-file"], operator]
]

type Look = (given: Flags.Given) => Finding | Promise<Finding>

const privateKey = async (given: Flags.Given): Promise<Finding> => {
  if (Credentials.setting(given, "private-key-file") === undefined)
    return note("not set: only operations that are signed with RSA need it (payouts, recurring payments)")
  await Credentials.privateKey(given)
  return secretFile(given, "private-key-file")
}

const colors = Color.matching([/^ok /gm, "green"], [/^note /gm, "yellow"], [/^wrong /gm, "red"])

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.doctor, "doctor")
  if (given.operands.length > 0) throw new UsageError("pay doctor takes flags only", "doctor")
  const settings = [
    await judged("profile", profileNow),
    await judged("base-url", () => baseUrl(given)),
    await judged("login", () => ok(Credentials.need(given, "login"))),
    await judged("endpoint-id", () => ok(Endpoint.id(given))),
    await judged("control-amount", () => ok(Credentials.controlAmount(given))),
    await judged("control key", () => controlKey(given)),
    await judged("private key", () => privateKey(given)),
    ...(await Promise.all(
      optional
        .filter(([, flags]) => flags.some((flag) => Credentials.setting(given, flag) !== undefined))
        .map(([name, , look]) => judged(name, () => look(given)))
    ))
  ]
  const isReady = settings.every(({ name, state }) => state !== "wrong" || name === "operator")
  const probe = isReady ? await GatewayProbe.gateway(given) : { checks: [], code: codes.usage }
  const checks = [...settings, ...probe.checks]
  const isRight = checks.every(({ state }) => state !== "wrong")
  const rows = checks.map(({ name, says, state }) => [`${state.padEnd(5)}  ${name}`, says] as const)
  const unasked = isReady ? "" : "\n\nThe gateway was not asked: correct the settings first."
  Output.print(
    { text: `${Output.columns(rows, "")}${unasked}`, json: { outcome: isRight ? "answered" : "refused", checks } },
    given.flags.has("json"),
    colors
  )
  if (isRight) return codes.ok
  return probe.code === codes.ok ? codes.refused : probe.code
}
