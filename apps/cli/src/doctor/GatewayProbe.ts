/** The requests of `pay doctor` to the gateway: the status of an order that does not exist, which changes nothing. */
import { randomBytes } from "node:crypto"
import * as ErrorCode from "@pay/schema/ErrorCode"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayClient from "@pay/transport/PayClient"
import * as PayError from "@pay/transport/PayError"
import type { WireAnswer } from "@pay/transport/Wire"
import { Effect } from "effect"
import type { Given } from "../command/Flags.ts"
import * as Client from "../request/Client.ts"
import * as Credentials from "../request/Credentials.ts"
import { nowMs } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Program from "../terminal/Program.ts"
import { type Check, type Finding, note, ok, wrong } from "./Check.ts"
import * as GatewaySearch from "./GatewaySearch.ts"

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

/** Names an order that does not exist. */
const absentOrder = () => ({ client_orderid: `pay-doctor-${randomBytes(6).toString("hex")}` })

/** Requests the status of an order that does not exist. The request is signed and changes nothing. */
const ask = async (given: Given): Promise<Probe> => {
  const answers: Array<WireAnswer> = []
  const client = await Client.layerObserved(given, (answer) => answers.push(answer))
  const request = absentOrder()
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
const refused = (error: PayError.Refused, isAbsent: boolean): Pick<Probe, "reached" | "signed" | "code"> => {
  const { errorCode: code, errorMessage: message, status } = error
  const reached = ok("answers")
  if (isAbsent || code === ErrorCode.codes.orderNotFound.code)
    return { reached, signed: ok(`accepted (${noSuchOrder})`), code: codes.ok }
  if (isUnknownSender(error))
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

/** Codes and statuses with which a gateway says that it does not know who signed. */
const isUnknownSender = ({ errorCode, status }: PayError.Refused): boolean =>
  errorCode === ErrorCode.codes.authenticationFailed.code ||
  errorCode === ErrorCode.codes.oauthSignatureInvalid.code ||
  status === 401 ||
  status === 403

const unverified = note(
  "not checked: only payouts and recurring payments show whether the gateway knows its public half"
)

const foreignKey = wrong(
  "refused: the gateway does not have its public half for this login. Make that with openssl pkey -in FILE -pubout and give it to the gateway's operator, or set the private key that belongs to the one it has"
)

/**
 * Checks the private RSA key with `v4/status`, which the gateway verifies with the merchant's public key. The operation is not in
 * the specification, so a gateway without it leaves the key unchecked.
 */
const rsaKey = async (given: Given): Promise<Finding> => {
  const client = await Client.layer(given)
  const question = Effect.flatMap(PayClient.PayClient, ({ statusV4 }) => statusV4(absentOrder()))
  const ended = await Program.run(Effect.provide(question, client))
  if (ended._tag === "Done") return ok("accepted")
  if (ended._tag === "Stopped" || ended.error._tag !== "Refused") return unverified
  const { error } = ended
  if (error.errorCode === ErrorCode.codes.orderNotFound.code) return ok(`accepted (${noSuchOrder})`)
  if (error.errorCode === ErrorCode.codes.timestampSkewed.code)
    return wrong(`refused: ${error.errorMessage ?? "oauth_timestamp is too far from the gateway's time"}`)
  return isUnknownSender(error) ? foreignKey : unverified
}

/** Repeats the request with each of the other profiles, until the gateway answers as the profile defines. */
const search = async (given: Given) => {
  for (const text of GatewaySearch.others(given)) {
    const probe = await ask(GatewaySearch.withProfile(given, text))
    if (probe.speaks === true) {
      const profile = wrong(`not ${GatewaySearch.current(given)}: set PAY_GATEWAY_PROFILE=${text}`)
      return { ...probe, profile }
    }
  }
  return undefined
}

/** Asks the gateway, and returns what its answers show, and the exit code of the first request. */
export const gateway = async (
  given: Given
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
  const hasKey = Credentials.setting(given, "private-key-file") !== undefined
  const rsa = hasKey && reached.state === "ok" ? [{ name: "RSA signature", ...(await rsaKey(given)) }] : []
  return { checks: [{ name: "gateway", ...reached }, { name: "signature", ...signed }, ...rsa, ...further], code }
}
