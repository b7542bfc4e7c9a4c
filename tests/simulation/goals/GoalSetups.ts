/** Setups that prepare transitions of orders: actions of merchants, and behaviour of bank, issuer, customers and operators. */

import type { Chance } from "@pay/crashtest/Chance"
import { Authorization, CardSale, VerifyAccount } from "@pay/flows/CardPayment"
import {
  HostedAuthorization,
  HostedPayment,
  HostedPayOut,
  HostedSale,
  HostedVerification
} from "@pay/flows/HostedCheckout"
import { Capture, Void } from "@pay/flows/OrderAction"
import { CheckPayOut, PayChecked, PayOut, PayOutV2 } from "@pay/flows/PayOut"
import { Rebill, Tokenize } from "@pay/flows/StoredCard"
import { CanSend, Transfer, TransferByRef } from "@pay/flows/Transfer"
import type { Order } from "@pay/gateway/Entities"
import { approve, type BankKind, type Delivery, decline, type RailKind, type Scenario } from "@pay/sandbox/Outcome"
import { declines } from "@pay/schema/Decline"
import type * as ThreeDSScenario from "../../../gateway/sandbox/src/ThreeDSScenario.ts"
import type { EndpointCurrency } from "../merchant/Account.ts"
import type { BehaviourMix } from "../merchant/CustomerBehaviour.ts"
import type { ActionKind } from "../merchant/MerchantAction.ts"
import * as MerchantActions from "../merchant/MerchantActions.ts"
import type { Change } from "../steps/Configuration.ts"
import type { OrderTransition } from "./OrderTransitions.ts"

export interface GoalSetup {
  /** Actions of merchants that create orders. */
  readonly actions: ReadonlyArray<ActionKind>
  /** Actions that follow up existing orders. */
  readonly followers?: ReadonlyArray<ActionKind>
  /** The endpoint and currency of the payment. */
  readonly endpointCurrency?: EndpointCurrency
  readonly amountMinor?: number
  /** The plan for the next request of this kind at the bank or the rail: of the follow-up, if there is one. */
  readonly bank?: { readonly kind: BankKind; readonly plan: (chance: Chance) => Scenario }
  readonly rail?: { readonly kind: RailKind; readonly plan: (chance: Chance) => Scenario }
  /** The plan for the next authentication. */
  readonly threeds?: ThreeDSScenario.PartialScenario
  readonly behaviours?: BehaviourMix
  /** Names of further steps that the transition requires. */
  readonly steps?: ReadonlyArray<string>
  /** A configuration of each endpoint: before the request, or in half of the cases between request and page. */
  readonly configuration?: { readonly change: Change; readonly when: "before" | "between" }
}

const hourMs = 3_600_000

const named = (rows: ReadonlyArray<ActionKind>, ...flows: ReadonlyArray<{ readonly name: string }>) =>
  rows.filter(({ flow }) => flows.some(({ name }) => name === flow))

const { authenticated, plain } = MerchantActions

const pages: Readonly<Record<Order["kind"], ReadonlyArray<ActionKind>>> = {
  sale: named(plain, HostedSale, HostedPayment),
  preauth: named(plain, HostedAuthorization),
  verification: named(plain, HostedVerification),
  payout: named(plain, HostedPayOut),
  ...{ transfer: [], deposit: [], eligibility: [] }
}

const flows: Readonly<Record<Order["kind"], ReadonlyArray<{ readonly name: string }>>> = {
  sale: [CardSale],
  preauth: [Authorization],
  verification: [VerifyAccount],
  transfer: [Transfer],
  deposit: [Transfer, TransferByRef],
  eligibility: [CanSend],
  payout: [PayOut, PayOutV2]
}

const actionsFor = ({ from, kind, to }: OrderTransition): ReadonlyArray<ActionKind> => {
  if (from === "registered" || to === "registered") return pages[kind]
  if (needsAmountList({ from, kind, to })) return named(plain, VerifyAccount)
  if (from === "authenticating" || to === "authenticating") return named(authenticated, ...flows[kind])
  if (kind !== "payout") return named(plain, ...flows[kind])
  if (from === "checking" && to !== "checked") return [...pages.payout, ...(to === "declined" ? checks : [])]
  return [from, to].some((state) => state === "checking" || state === "checked")
    ? checks
    : named(plain, ...flows.payout)
}
const checks = named(plain, CheckPayOut)

const refusal = decline(declines.notSufficientFunds)

const oneOf =
  (verdict: Scenario["verdict"], first: Delivery, ...others: ReadonlyArray<Delivery>) =>
  (chance: Chance): Scenario => ({
    ...(verdict === undefined ? {} : { verdict }),
    delivery: chance.oneOf([first, ...others])
  })

/** Returns a plan that is answered at once. */
const answered = (verdict: Scenario["verdict"]) => oneOf(verdict, { _tag: "Answered" })

/** Returns a plan whose outcome is unknown for a moment, minutes or hours. */
const unknownOutcome = (verdict: Scenario["verdict"], longestMs: number) => (chance: Chance) =>
  oneOf(verdict, { _tag: "AnswerLost" }, { _tag: "Undecided", forMs: 1 + chance.below(longestMs) })(chance)

/** Less than the half hour for which a page is open. */
const pageMs = hourMs / 3

/** Returns the plan of bank or rail for the request that makes the transition. */
const planOf = ({ from, to }: OrderTransition): ((chance: Chance) => Scenario) | undefined => {
  const isUnsure = from === "unknown"
  switch (to) {
    case "filtered":
      return isUnsure
        ? unknownOutcome(refusal, pageMs / 2)
        : (chance) => ({ verdict: refusal, latencyMs: chance.below(19_000) })
    case "declined":
      return isUnsure ? unknownOutcome(refusal, 48 * hourMs) : answered(refusal)
    case "registered":
      return isUnsure ? unknownOutcome(refusal, pageMs) : answered(refusal)
    case "authorizing":
      return isUnsure ? unknownOutcome(refusal, pageMs / 2) : undefined
    case "failed":
      return oneOf(approve, { _tag: isUnsure ? "NeverArrives" : "NotSent" })
    case "unknown":
      return unknownOutcome(approve, 48 * hourMs)
    case "bounced":
      return (chance) => ({
        verdict: approve,
        lateRefusal: { afterMs: chance.below(96 * hourMs), ...declines.noSuchAccount }
      })
    default:
      return isUnsure ? unknownOutcome(approve, 48 * hourMs) : undefined
  }
}

const bankStates: ReadonlySet<string> = new Set(["authorizing", "unknown"])
const railStates: ReadonlySet<string> = new Set(["checking", "paying", "unknown", "paid"])
const railKinds: ReadonlySet<Order["kind"]> = new Set(["payout", "deposit"])

const bankOrRailPlan = (transition: OrderTransition): Pick<GoalSetup, "bank" | "rail"> => {
  const plan = planOf(transition)
  if (plan === undefined) return {}
  const { from, kind } = transition
  if (railKinds.has(kind))
    return railStates.has(from) ? { rail: { kind: from === "checking" ? "check" : "pay", plan } } : {}
  return bankStates.has(from) ? { bank: { kind: kind === "eligibility" ? "eligible" : "authorize", plan } } : {}
}

const limited = { endpointCurrency: { endpoint: "limited", currency: "USD" }, amountMinor: 15_000 } as const
/** More than any balance. */
const tooMuch = { amountMinor: 1_500_000 }
const approval = { endpointCurrency: { endpoint: "approval", currency: "USD" }, steps: ["approve"] } as const
const threedsPage = { endpointCurrency: { endpoint: "threeds3dsGateway", currency: "USD" } } as const
/** Orders without an amount are filtered by their card. */
const blocked = { configuration: { change: "blocks the cards of most people", when: "before" } } as const
/** The endpoint is switched off while its page is open. */
const switchedOff = { configuration: { change: "is switched off", when: "between" } } as const

/** Returns the further parts of the setup. */
const furtherSetup = ({ from, kind, to }: OrderTransition): Partial<GoalSetup> => {
  if (to === "filtered") {
    if (from === "registered") return switchedOff
    if (from !== "nothing") return { configuration: { ...blocked.configuration, when: "between" } }
    return kind === "verification" || kind === "eligibility" ? blocked : limited
  }
  if (from === "nothing" && to === "declined") return tooMuch
  if (from === "registered" && to === "declined") return { behaviours: { cancels: 400, closesWindow: 200 } }
  if (from === "waiting" || to === "waiting") return approval
  const isPage = from === "registered" || to === "registered"
  const isAuthenticated = from === "authenticating" || to === "authenticating"
  const refused = from === "authenticating" && to !== "authorizing" ? { threeds: { decision: "N" } as const } : {}
  return { ...(isPage && isAuthenticated ? threedsPage : {}), ...refused }
}

/** Whether the transition requires a stored card that is charged with a list of amounts. */
const needsAmountList = (transition: OrderTransition): boolean =>
  transition.kind === "sale" &&
  ((transition.from === "unknown" && transition.to === "authorizing") ||
    (transition.from !== "nothing" && transition.to === "filtered")) &&
  transition.from !== "registered"

const followersOf = ({ from, kind, to }: OrderTransition): ReadonlyArray<ActionKind> => {
  if (needsAmountList({ from, kind, to })) return named(MerchantActions.followers, Tokenize, Rebill)
  if (from === "authorized" && to !== "lapsed")
    return named(MerchantActions.followers, to === "voided" ? Void : Capture)
  return kind === "payout" && from === "checked" && to !== "declined"
    ? named(MerchantActions.followers, PayChecked)
    : []
}

const undecided: GoalSetup = {
  actions: named(plain, CardSale),
  bank: { kind: "authorize", plan: oneOf(approve, { _tag: "Undecided" }) }
}

/** The setups of faults that require certain orders, by the name of the fault. */
export const forFault: Readonly<Record<string, GoalSetup>> = {
  bankResolves: undecided,
  resolve: undecided,
  lateRefusal: { actions: named(plain, PayOut) },
  approve: { actions: named(plain, PayOut), ...approval },
  concurrentFollowUps: { actions: named(plain, CardSale, Authorization) },
  lateChallengeResult: { actions: named(authenticated, CardSale) },
  repostOldForm: { actions: named(plain, HostedSale) }
}

export const forTransition = (transition: OrderTransition): GoalSetup => ({
  actions: actionsFor(transition),
  followers: followersOf(transition),
  ...bankOrRailPlan(transition),
  ...furtherSetup(transition)
})
