/** Puts everything that happened to an order into one list by time: requests, books, callbacks, evidence, operators' actions. */
import * as Money from "@pay/schema/Money"
import { Option, Schema } from "effect"
import { type Html, html } from "../../kernel/Html.ts"
import type { Operations } from "../../operators/OperatorApi.ts"
import type { Texts } from "./ConsoleTexts.ts"
import * as Show from "./Show.ts"

export type OrderDetails = Operations["showOrder"]["answer"]["Type"]
export type RequestEntry = Operations["listRequests"]["answer"]["Type"]["requests"][number]

export interface Moment {
  readonly atMs: number
  readonly tone: Show.Tone
  readonly what: string
  readonly more: string
}

const joined = (...parts: ReadonlyArray<string | null | undefined | false>): string =>
  parts.filter((part) => typeof part === "string" && part !== "").join(" · ")

const requests = ({ currency, requests }: OrderDetails): ReadonlyArray<Moment> =>
  requests.flatMap((request): ReadonlyArray<Moment> => {
    const { accepted, amountMinor, errorCode, errorMessage, finished, operation, progress, serialNumber } = request
    const begun: Moment = {
      atMs: accepted,
      tone: "plain",
      what: operation,
      more: joined(Show.amount(amountMinor, currency), serialNumber)
    }
    return finished === null
      ? [begun]
      : [
          begun,
          {
            atMs: finished,
            tone: Show.toneOf(progress),
            what: `${operation}: ${progress}`,
            more: joined(errorCode !== null && String(errorCode), errorMessage)
          }
        ]
  })

/** Requests as they arrived, with their signature and their answer. The gateway keeps the latest in memory only. */
const arrivals = (text: Texts, entries: ReadonlyArray<RequestEntry>): ReadonlyArray<Moment> =>
  entries.map(({ address, at, code, fields, key, operation, signature, status }) => ({
    atMs: at,
    tone: signature === "wrong" || code !== null ? "bad" : "plain",
    what: `${text("request")} ${operation ?? ""} → ${status}`,
    more: joined(
      `${text("signature")}: ${signature}`,
      key,
      address,
      code !== null && `${text("error")} ${code}`,
      fields
    )
  }))

/** One moment for each posting of a cause, with all its accounts. */
const postings = (text: Texts, { currency, ledger }: OrderDetails): ReadonlyArray<Moment> => {
  const groups = Map.groupBy(ledger, ({ at, cause, request }) => `${at} ${request} ${cause}`)
  return [...groups.values()].flatMap((rows) =>
    rows.slice(0, 1).map(({ at, cause }) => ({
      atMs: at,
      tone: "plain" as const,
      what: `${text("booked")}: ${cause}`,
      more: rows.map(({ account, minor }) => `${account} ${Money.fromMinor(minor, currency)}`).join(" · ")
    }))
  )
}

const callbacks = (text: Texts, { callbacks }: OrderDetails): ReadonlyArray<Moment> =>
  callbacks.flatMap(({ address, created, id, log }) => [
    { atMs: created, tone: "plain" as const, what: `${text("callback")} ${id}`, more: address },
    ...log.map(
      ({ at, number, result, what }): Moment => ({
        atMs: at,
        tone: /^2\d\d$/.test(result) ? "good" : what === "attempt" ? "bad" : "plain",
        what: `${text("callback")} ${id}: ${what} ${number}`,
        more: result
      })
    )
  ])

const text = Schema.optionalKey(Schema.String)
const Answer = Schema.fromJsonString(Schema.Struct({ _tag: Schema.String, reason: text, stage: text, message: text }))
const readAnswer = Schema.decodeUnknownOption(Answer)

/** Returns the bank's answer as people read it, if it is one of a port; otherwise the text as it was kept. */
export const answerText = (answer: string): string =>
  Option.match(readAnswer(answer), {
    onNone: () => answer,
    onSome: ({ _tag, message, reason, stage }) =>
      stage === undefined
        ? reason === undefined
          ? answer
          : `${_tag}: ${reason}`
        : `${_tag} ${stage}: ${message ?? ""}`
  })

const evidence = (text: Texts, { evidence }: OrderDetails): ReadonlyArray<Moment> =>
  evidence.map(({ answer, at, reference }) => ({
    atMs: at,
    tone: "wait",
    what: `${text("evidence")} ${reference}`,
    more: answerText(answer)
  }))

const actions = ({ audit }: OrderDetails): ReadonlyArray<Moment> =>
  audit.map(({ action, actor, at, detail, outcome }) => ({
    atMs: at,
    tone: outcome === "refused" ? "bad" : "plain",
    what: `${actor}: ${action}`,
    more: JSON.stringify(detail)
  }))

const risk = (text: Texts, { created, filteredBy }: OrderDetails): ReadonlyArray<Moment> =>
  filteredBy === null ? [] : [{ atMs: created, tone: "bad", what: `${text("risk")}: ${filteredBy}`, more: "" }]

/** Returns every moment, the latest first. What happened at one time keeps the order of its cause. */
export const of = (text: Texts, order: OrderDetails, entries: ReadonlyArray<RequestEntry>): ReadonlyArray<Moment> =>
  [
    ...arrivals(text, entries),
    ...risk(text, order),
    ...requests(order),
    ...evidence(text, order),
    ...postings(text, order),
    ...callbacks(text, order),
    ...actions(order)
  ]
    .map((moment, index) => ({ moment, index }))
    .sort((a, b) => b.moment.atMs - a.moment.atMs || b.index - a.index)
    .map(({ moment }) => moment)

/** Renders moments. Those that are still to come are rendered by {@link upcoming}. */
export const render = (moments: ReadonlyArray<Moment>): Html =>
  html`<ol class="timeline">${moments.map(
    ({ atMs, more, tone, what }) =>
      html`<li class="${tone}"><p class="when">${Show.time(atMs)}</p><p class="what">${what}</p>${more !== "" && html`<p class="more">${more}</p>`}</li>`
  )}</ol>`

/** Renders what the gateway does by itself next, and when. */
export const upcoming = (text: Texts, { authentication, due }: OrderDetails, nowMs: number): Html => {
  const ends = authentication?.ends ?? null
  const steps = [
    ...due.map(({ due, kind, tries }) => ({ kind, dueMs: due, tries })),
    ...(ends === null ? [] : [{ kind: "authentication", dueMs: ends, tries: 0 }])
  ]
  return steps.length === 0
    ? html`<p class="soft">${text("nothingDue")}</p>`
    : html`<ol class="timeline">${steps.map(
        ({ dueMs, kind, tries }) =>
          html`<li class="next"><p class="when">${Show.time(dueMs)} <span>${dueMs > nowMs ? `${text("in")} ${Show.duration(dueMs - nowMs)}` : text("now")}</span></p><p class="what">${stepOf(text, kind)}</p>${tries > 0 && html`<p class="more">${text("triesBefore")}: ${tries}</p>`}</li>`
      )}</ol>`
}

const stepKeys = {
  bank: "dueBank",
  rail: "dueRail",
  lapse: "dueLapse",
  threeds: "dueThreeds",
  session: "dueSession",
  callback: "dueCallback",
  recurring: "dueRecurring",
  enumerate: "dueEnumerate",
  reversal: "dueReversal",
  authentication: "dueAuthentication"
} as const

const isStep = (kind: string): kind is keyof typeof stepKeys => Object.hasOwn(stepKeys, kind)

export const stepOf = (text: Texts, kind: string): string => (isStep(kind) ? text(stepKeys[kind]) : kind)
