/**
 * `pay doctor`: checks settings, keys, clock, reachability and profile of the gateway. It sends only requests that change
 * nothing.
 */
import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as Loopback from "@pay/schema/Loopback"
import * as PayClient from "@pay/transport/PayClient"
import * as PayError from "@pay/transport/PayError"
import type { WireAnswer } from "@pay/transport/Wire"
import { Effect } from "effect"
import * as Client from "../Client.ts"
import { commands } from "../Commands.ts"
import * as Credentials from "../Credentials.ts"
import * as Endpoint from "../Endpoint.ts"
import { nowMs, variable, variables } from "../Environment.ts"
import { codes, type ExitCode } from "../ExitCode.ts"
import * as Flags from "../Flags.ts"
import * as GatewaySearch from "../GatewaySearch.ts"
import * as Output from "../Output.ts"
import * as Profiles from "../Profiles.ts"
import * as Program from "../Program.ts"
import { UsageError } from "../UsageError.ts"

const states = ["ok", "note", "wrong"] as const

interface Check {
  readonly name: string
  readonly state: (typeof states)[number]
  readonly says: string
}

type Finding = Omit<Check, "name">

const ok = (says: string): Finding => ({ state: "ok", says })
const note = (says: string): Finding => ({ state: "note", says })
const wrong = (says: string): Finding => ({ state: "wrong", says })

/** Returns a check by its name. A setting that cannot be used is a failed check with the message of its error. */
const judged = async (name: string, look: () => Finding | Promise<Finding>): Promise<Check> => {
  try {
    return { name, ...(await look()) }
  } catch (error) {
    if (error instanceof UsageError) return { name, ...wrong(error.message) }
    throw error
  }
}

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

const privateKey = async (given: Flags.Given): Promise<Finding> => {
  if (Credentials.setting(given, "private-key-file") === undefined)
    return note("not set: only operations that are signed with RSA need it (payouts, recurring payments)")
  await Credentials.privateKey(given)
  return secretFile(given, "private-key-file")
}

/** Largest difference of clocks, in seconds. With a larger one, the gateway refuses signatures that contain the time. */
const mostSkewSeconds = 300

const clock = ({ headers }: WireAnswer): Finding => {
  const date = Date.parse(String(headers.date))
  if (Number.isNaN(date)) return note("the gateway does not say its time")
  const seconds = Math.round((nowMs() - date) / 1000)
  if (Math.abs(seconds) <= 2) return ok("agrees with the gateway's")
  const says = `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the gateway's`
  if (Math.abs(seconds) <= mostSkewSeconds / 2) return ok(says)
  return wrong(`${says}: set this machine's clock; signatures count for ${mostSkewSeconds} s`)
}

const announced = ({ headers }: WireAnswer): Finding => {
  const text = headers[GatewayProfile.header]
  return typeof text === "string"
    ? ok(text)
    : note(
        "the gateway announces none: this program relies on the specification alone, unless you set PAY_GATEWAY_PROFILE"
      )
}

interface Probe {
  readonly reached: Finding
  readonly signed: Finding
  readonly answer: WireAnswer | undefined
  readonly code: ExitCode
  /** Whether the gateway answered as its profile defines; `undefined` if a different profile would not help. */
  readonly speaks?: boolean
}

/** Error codes with which a gateway refuses a different path or dialect. */
const elsewhere: ReadonlySet<number | undefined> = new Set([
  ErrorCode.codes.acceptRequired.code,
  ErrorCode.codes.dialectNotEnabled.code,
  ErrorCode.codes.notFound.code
])

const noSuchOrder = "no such order, as it should be"

/** Requests the status of an order that does not exist. The request is signed and changes nothing. */
const ask = async (given: Flags.Given): Promise<Probe> => {
  const answers: Array<WireAnswer> = []
  const client = await Client.layerObserved(given, (answer) => answers.push(answer))
  const request = { client_orderid: `pay-doctor-${randomBytes(6).toString("hex")}` }
  let isAbsent = false
  const question = Effect.flatMap(PayClient.PayClient, ({ assumedProfile, status }) =>
    Effect.tapErrorTag(status(request), "Refused", (error) =>
      Effect.map(assumedProfile, ({ profile }) => {
        isAbsent = GatewayProfile.saysNotFound(profile, error)
      })
    )
  )
  const ended = await Program.run(Effect.provide(question, client))
  const [answer] = answers
  const unasked = { signed: note("not asked"), answer, code: codes.notSent }
  if (ended._tag === "Stopped") return { reached: note("stopped"), ...unasked, code: codes.unknown }
  if (ended._tag === "Done")
    return { reached: ok("answers"), signed: ok("accepted"), answer, code: codes.ok, speaks: true }
  const { error } = ended
  switch (error._tag) {
    case "InvalidSetting":
      return { reached: wrong(`${error.message}: pay help tells the settings`), ...unasked, code: codes.usage }
    case "InvalidRequest":
      return { reached: wrong(error.message), ...unasked, code: codes.usage }
    case "NotSent":
      return {
        reached: wrong(`not reached (${error.code}): ${PayError.explain(error)}. PAY_BASE_URL is its address`),
        ...unasked
      }
    case "OutcomeUnknown":
      return {
        reached: wrong(
          error.received === undefined
            ? `no proper answer (${error.code}): check that PAY_BASE_URL is the gateway's, with its prefix before /api/`
            : `no proper answer (${error.code}): received ${error.received} (PAY_BASE_URL)`
        ),
        ...unasked,
        code: codes.unknown,
        ...(error.reason === "UnreadableAnswer" ? { speaks: false } : {})
      }
    case "Refused":
      return {
        ...refused(error, isAbsent),
        answer,
        speaks: !elsewhere.has(error.errorCode)
      }
  }
}

/**
 * Returns the findings of a refused request. `isAbsent`: according to the profile, the refusal means that the order does not
 * exist.
 */
const refused = (
  { errorCode: code, errorMessage: message, status }: PayError.Refused,
  isAbsent: boolean
): Pick<Probe, "reached" | "signed" | "code"> => {
  const reached = ok("answers")
  if (isAbsent || code === ErrorCode.codes.orderNotFound.code)
    return { reached, signed: ok(`accepted (${noSuchOrder})`), code: codes.ok }
  if (code === ErrorCode.codes.authenticationFailed.code || status === 401 || status === 403)
    return {
      reached,
      signed: wrong(
        "refused: the login, the endpoint id or the control key is another one's. Compare all three with what the gateway's operator gave you"
      ),
      code: codes.refused
    }
  const says = `refused with ${code ?? status}${message === undefined ? "" : `: ${message}`}`
  if (status === 429) return { reached, signed: note(`${says}; ask again later`), code: codes.refused }
  const hint = `${says}. If that means that there is no such order, add not-found=${code} to PAY_GATEWAY_PROFILE`
  return { reached, signed: wrong(code === undefined || elsewhere.has(code) ? says : hint), code: codes.refused }
}

/** Repeats the request with each of the other profiles, until the gateway answers as the profile defines. */
const search = async (given: Flags.Given) => {
  for (const text of GatewaySearch.others(given)) {
    const probe = await ask(GatewaySearch.withProfile(given, text))
    if (probe.speaks === true) {
      const profile = wrong(`not ${GatewaySearch.current(given)}: set PAY_GATEWAY_PROFILE=${text}`)
      return { ...probe, profile }
    }
  }
  return undefined
}

const gateway = async (
  given: Flags.Given
): Promise<{ readonly checks: ReadonlyArray<Check>; readonly code: ExitCode }> => {
  const first = await ask(given)
  const other = first.speaks === false ? await search(given) : undefined
  const { answer, code, reached, signed } = other ?? first
  const further =
    answer === undefined
      ? []
      : [
          { name: "clock", ...clock(answer) },
          { name: "gateway profile", ...(other?.profile ?? announced(answer)) }
        ]
  return { checks: [{ name: "gateway", ...reached }, { name: "signature", ...signed }, ...further], code }
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.parse(args, { flags: new Map(Object.entries(commands.doctor.flags)) }, "doctor")
  if (given.operands.length > 0) throw new UsageError("pay doctor takes flags only", "doctor")
  const settings = [
    await judged("profile", profileNow),
    await judged("base-url", () => baseUrl(given)),
    await judged("login", () => ok(Credentials.need(given, "login"))),
    await judged("endpoint-id", () => ok(Endpoint.id(given))),
    await judged("control-amount", () => ok(Credentials.controlAmount(given))),
    await judged("control key", () => controlKey(given)),
    await judged("private key", () => privateKey(given))
  ]
  const isReady = settings.every(({ state }) => state !== "wrong")
  const probe = isReady ? await gateway(given) : { checks: [], code: codes.usage }
  const checks = [...settings, ...probe.checks]
  const isRight = checks.every(({ state }) => state !== "wrong")
  const rows = checks.map(({ name, says, state }) => [`${state.padEnd(5)}  ${name}`, says] as const)
  const unasked = isReady ? "" : "\n\nThe gateway was not asked: correct the settings first."
  Output.print(
    { text: `${Output.columns(rows, "")}${unasked}`, json: { outcome: isRight ? "answered" : "refused", checks } },
    given.flags.has("json")
  )
  if (isRight) return codes.ok
  return probe.code === codes.ok ? codes.refused : probe.code
}
