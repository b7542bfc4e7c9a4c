/** Decides the profile of a gateway from its answers to harmless requests. What they do not prove is left out. */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Status from "@pay/schema/Status"
import type * as Control from "@pay/signing/Control"
import type { Merchant } from "../Draft.ts"
import * as Observation from "./Observation.ts"
import type * as ProfileFile from "./ProfileFile.ts"

/** What the answers show of an operation's signature. */
export type Signature = "accepted" | "accepted with another recipe" | "not told from a wrong one"

/** Everything that a first contact has collected. */
export interface Collected {
  /** `undefined`: neither the path before `/api/` nor the dialect was found. */
  readonly pathPrefix: string | undefined
  readonly merchant: Merchant
  /** The operations that the gateway serves. `undefined`: not every operation was asked for. */
  readonly operations: ReadonlyArray<Operation> | undefined
  /** The answers to the search for the path and the dialect. */
  readonly tried: ReadonlyMap<string, Observation.Observed>
  /** The names of the requests, in the order in which the file has their answers. */
  readonly names: ReadonlyArray<string>
  readonly answers: ReadonlyMap<string, Observation.Observed>
  readonly signatures: ReadonlyMap<string, Signature>
  readonly recipes: ReadonlyMap<string, Control.Recipe>
  /** The status of an order that exists, if one was named. */
  readonly existing: Observation.Observed | undefined
  readonly servesGroups: boolean
  readonly announces: string
  /** Whether everything was asked. Otherwise only what no further answer can refute is decided. */
  readonly isFinished: boolean
}

const unknown = [
  "status of an unknown order",
  "status of another unknown order",
  "status of an unknown order with its number"
]

/** The statuses that must be refused for another reason than an unknown order. */
const otherwiseWrong = [
  "status with a control of another key",
  "status without control",
  "status with a control of zeros",
  "status of an unknown login",
  "status at an unknown endpoint",
  "status without client_orderid",
  "sale without amount and card"
]

const byName = ({ answers }: Collected, name: string): Observation.Observed | undefined => answers.get(name)

/** Returns the refusals that cannot mean an unknown order, of every operation. */
const otherRefusals = (collected: Collected): ReadonlyArray<Observation.Observation> =>
  [...collected.answers].flatMap(([name, answer]) =>
    (otherwiseWrong.includes(name) || /(with its ids alone|of another key)$/.test(name)) &&
    Observation.isRefusal(answer)
      ? [answer]
      : []
  )

/** Whether the merchant's control of a status was told from a wrong one, so that the answer is about the order. */
export const isVerified = (collected: Collected): boolean => {
  const [right = "", , withNumber = ""] = unknown
  const wrong = byName(collected, "status with a control of another key")
  return [right, withNumber].every((name) => {
    const answer = byName(collected, name)
    return Observation.isRefusal(answer) && Observation.isRefusal(wrong) && !Observation.isSame(answer, wrong)
  })
}

/**
 * Whether the refusal of `status` is about the order, and not that of a status that the account may not ask for: an order was shown,
 * or captures, voids or returns of an unknown order are refused in the same way.
 */
const isAboutOrder = ({ answers, existing }: Collected, status: Observation.Observation): boolean => {
  if (Observation.isAccepted(existing)) return true
  const acts = ["capture", "void", "return"].flatMap((name) => {
    const answer = answers.get(`${name} of an unknown order`)
    return Observation.isRefusal(answer) ? [answer] : []
  })
  return acts.length === 0 || acts.some(({ code, message }) => code === status.code && message === status.message)
}

const numeric = /^-?\d{1,9}$/

/**
 * Returns the code, or the message, that only the refusal of an unknown order has. A code that another refusal has too would let a
 * flow take an order for absent that exists.
 */
const notFound = (collected: Collected): ReadonlyArray<number | string> => {
  const refusals = unknown.map((name) => byName(collected, name))
  const [first] = refusals
  const isSteady = refusals.every((answer) => Observation.isRefusal(answer) && Observation.isSame(answer, first))
  if (!isSteady || !Observation.isRefusal(first)) return []
  if (collected.existing !== undefined && Observation.isSame(collected.existing, first)) return []
  if (!isAboutOrder(collected, first)) return []
  const others = otherRefusals(collected)
  const { code, message } = first
  if (code !== undefined && numeric.test(code) && others.every((other) => other.code !== code)) return [Number(code)]
  const isOwn = message !== undefined && !message.includes("{") && others.every((other) => other.message !== message)
  return isOwn ? [message] : []
}

const typesErrors = ({ answers }: Collected): boolean => {
  const refusals = [...answers.values()].filter(
    (answer) => Observation.isDecision(answer) && (answer.http >= 400 || Observation.isRefusal(answer))
  )
  return refusals.length > 0 && refusals.every((answer) => Observation.isAnswer(answer) && answer.type !== undefined)
}

const profileOf = (collected: Collected): ProfileFile.Profile => {
  const { isFinished, merchant, operations = PayApi.all, pathPrefix, recipes, servesGroups } = collected
  const isPairs = pathPrefix !== undefined && merchant.dialect === "pairs"
  const lacks = PayApi.all.filter((operation) => !operations.includes(operation)).map(({ name }) => name)
  const signs = isFinished ? notFound(collected) : []
  return {
    ...(isPairs && { answers: "pairs" as const }),
    ...(pathPrefix !== undefined && pathPrefix !== "" && { pathPrefix }),
    ...(servesGroups && { groupPath: true }),
    ...(signs.length > 0 && { notFound: signs }),
    ...(isFinished && typesErrors(collected) && { typesErrors: true }),
    ...(lacks.length > 0 && { lacks }),
    ...(recipes.size > 0 && { recipes: Object.fromEntries([...recipes].toSorted()) })
  }
}

const payments =
  "idempotency-key, client-orderid-replay, by-request-sn, follow-ups-in-status, order-stage: they show only with payments. Run the whole suite with a test account, or ask the provider"

/** Returns the settings that a contact which did not finish leaves open. A later answer could still refute them. */
const open = ({ merchant, operations, pathPrefix }: Collected): ReadonlyArray<string> => [
  ...(pathPrefix === undefined ? ["answers", "pathPrefix"] : []),
  ...(operations === undefined ? ["lacks"] : []),
  "notFound",
  "typesErrors",
  "recipes",
  ...(pathPrefix === undefined || merchant.dialect === "pairs" ? ["groupPath"] : [])
]

const undetermined = (collected: Collected, profile: ProfileFile.Profile): ReadonlyArray<string> =>
  collected.isFinished
    ? unproved(collected, profile)
    : [`${open(collected).join(", ")}: not everything was asked. Run it again`, payments]

/** Returns what the answers to all requests do not prove. */
const unproved = (collected: Collected, profile: ProfileFile.Profile): ReadonlyArray<string> => [
  ...(isVerified(collected)
    ? []
    : [
        "the signature of status: its answer does not differ from that to a wrong control. Check login, endpoint and control key"
      ]),
  ...(profile.notFound === undefined
    ? [
        "notFound: no code and no message is proved to be that of an unknown order alone. Name an order that exists with --order, or ask the provider"
      ]
    : []),
  ...(collected.existing === undefined
    ? ["statuses and names of an answer with an order: name an order that exists with --order"]
    : []),
  ...(collected.merchant.privateKey === undefined ? ["signatures by RSA-SHA256: no private key was given"] : []),
  payments
]

/** Returns the answers in the order of their requests, which arrive in any order; before the first, those to the search. */
const answersOf = ({ answers, names, tried }: Collected): Readonly<Record<string, Observation.Observed>> =>
  Object.fromEntries(
    answers.size === 0
      ? tried
      : names.flatMap((name) => {
          const answer = answers.get(name)
          return answer === undefined ? [] : [[name, answer]]
        })
  )

/** Returns what is known of each signature, in the order of the operations. */
const signaturesOf = (collected: Collected): Readonly<Record<string, Signature>> => {
  const status = isVerified(collected) ? "accepted" : collected.isFinished ? "not told from a wrong one" : undefined
  return Object.fromEntries([
    ...(status === undefined ? [] : [["STATUS", status] as const]),
    ...PayApi.all.flatMap(({ name }) => {
      const signature = collected.signatures.get(name)
      return signature === undefined ? [] : [[name, signature] as const]
    })
  ])
}

/** Returns the content of the profile file. */
export const of = (collected: Collected): ProfileFile.ProfileFile => {
  const profile = profileOf(collected)
  return {
    profile,
    observed: {
      announces: collected.announces,
      answers: {
        ...answersOf(collected),
        ...(collected.existing !== undefined && { "status of an order that exists": collected.existing })
      },
      signatures: signaturesOf(collected),
      undetermined: undetermined(collected, profile)
    }
  }
}

/** Returns why an answer decides nothing. A path that a gateway does not have may be answered with any 404. */
const indecision = (answer: Observation.Observation): string | undefined => {
  if (answer.http === 429 || answer.http >= 500) return "decides nothing"
  return answer.http === 404 || Observation.isOfProtocol(answer) ? undefined : "is not of this protocol"
}

/** Returns what a gateway of this protocol must not do. */
export const findings = (collected: Collected): ReadonlyArray<string> => [
  ...[...unknown, ...otherwiseWrong].flatMap((name) =>
    Observation.isAccepted(byName(collected, name)) ? [`${name} is accepted: it must be refused`] : []
  ),
  ...[...collected.answers].flatMap(([name, answer]) => {
    if (!Observation.isAnswer(answer)) return [`${name}: ${answer.noAnswer}`]
    const reason = indecision(answer)
    if (reason !== undefined) return [`${name}: HTTP ${answer.http}, which ${reason}`]
    if (/ with a signature of another key$/.test(name) && Observation.isAccepted(answer))
      return [`${name} is accepted: it must be refused`]
    return []
  }),
  ...(collected.existing !== undefined && !Observation.isAccepted(collected.existing)
    ? ["status of the order of --order is not answered by its client_orderid alone: a flow cannot find its orders"]
    : []),
  ...(collected.existing !== undefined && "status" in collected.existing && !Status.isKnown(collected.existing.status)
    ? [`the status "${collected.existing.status}" is none of the specification: add it to "statuses" of the profile`]
    : [])
]
