/** Pages about the state of a payment: under way, unknown, or ended and on the way back to the shop. */
import type { Parameter } from "@pay/signing/Form"
import { type Html, html, trusted } from "../../kernel/Html.ts"
import * as Language from "./Language.ts"
import { fill, type PayoutTexts, type Texts } from "./Language.ts"
import { away, type HtmlPage } from "./Layout.ts"
import * as Payment from "./Payment.ts"
import * as Scripts from "./Scripts.ts"

export type State =
  | "approved"
  | "verified"
  | "received"
  | "refused"
  | "unconfirmed"
  | "cancelled"
  | "expired"
  | "failed"

/** The address that the browser returns to, and the fields that it sends there. */
export interface Return {
  readonly url: string
  readonly fields: ReadonlyArray<Parameter>
}

const sign = (path: string): Html =>
  trusted(
    `<div class="sign"><svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg></div>`
  )

const signs = {
  good: sign("M5 12.5l4.5 4.500L19 7.500"),
  bad: sign("M7 7l10 10M17 7L7 17"),
  open: sign("M12 7v5l3.500 2M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0Z")
} as const

/** The sign and the text names of each state. */
const looks = {
  approved: { kind: "good", title: "approvedTitle", text: "approved" },
  verified: { kind: "good", title: "verifiedTitle", text: "verified" },
  received: { kind: "good", title: "receivedTitle", text: "received" },
  refused: { kind: "bad", title: "refusedTitle", text: "refused" },
  unconfirmed: { kind: "bad", title: "unconfirmedTitle", text: "unconfirmed" },
  cancelled: { kind: "open", title: "cancelledTitle", text: "cancelled" },
  expired: { kind: "open", title: "expiredTitle", text: "expired" },
  failed: { kind: "bad", title: "failedTitle", text: "failed" }
} as const satisfies Readonly<
  Record<State, { readonly kind: keyof typeof signs; readonly title: keyof Words; readonly text: keyof Words }>
>

/** The names of texts that payments and payouts have in common. */
type Shared = Exclude<keyof Texts & keyof PayoutTexts, "errors">
type Words = Pick<Texts, Shared | "verifiedTitle" | "verified" | "unconfirmedTitle" | "unconfirmed"> &
  Pick<PayoutTexts, "receivedTitle" | "received">

/** Returns the texts for the order's kind. Payouts and card checks have their own texts for the same states. */
const wordsOf = (texts: Texts, { order }: Payment.Payment): Words => {
  if (order.kind === "payout") return { ...texts, ...texts.payout }
  const { received, receivedTitle } = texts.payout
  return { ...texts, ...(order.kind === "verification" ? texts.verification : {}), received, receivedTitle }
}

/** Milliseconds until the browser returns to the shop, which is enough to read the outcome. The button returns at once. */
const returnAfterMs = 2500

export const hiddenFields = (fields: ReadonlyArray<Parameter>): ReadonlyArray<Html> =>
  fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

export const outcome = (
  language: Language.Language,
  payment: Payment.Payment,
  state: State,
  back: Return | undefined
): HtmlPage => {
  const texts = Language.languages[language]
  const { kind, text, title } = looks[state]
  const words = wordsOf(texts, payment)
  return {
    status: 200,
    language,
    brand: payment.brand,
    title: words[title],
    main: html`${Payment.head(language, payment)}<section class="state ${kind}" role="status">${signs[kind]}<h2>${words[title]}</h2><p>${words[text]}</p>${
      back !== undefined &&
      html`<form id="onward" method="post" action="${back.url}" data-after="${returnAfterMs}">${hiddenFields(back.fields)}<button>${fill(texts.back, { merchant: payment.merchant })}</button></form>`
    }</section>`,
    ...(back === undefined ? {} : { scripts: [Scripts.sendOn], formAction: away(back.url) })
  }
}

/**
 * Renders the page on which the customer waits. `ask.state` is the state that the page shows, which the script compares with the
 * current one. If the bank's outcome is unknown, the customer may go `back` to the shop meanwhile.
 */
export const waiting = (
  language: Language.Language,
  payment: Payment.Payment,
  ask: Ask,
  unknown?: { readonly back: Return | undefined }
): HtmlPage => {
  const texts = Language.languages[language]
  const back = unknown?.back
  const words = wordsOf(texts, payment)
  const title = unknown === undefined ? words.waitingTitle : words.unknownTitle
  return {
    status: 200,
    language,
    brand: payment.brand,
    title,
    main: html`${Payment.head(language, payment)}<section class="state" role="status" id="wait" data-state="${ask.state}" data-ask="${ask.url}" data-next="${ask.next}">${
      unknown === undefined ? trusted(`<div class="turn"></div>`) : signs.open
    }<h2>${title}</h2><p>${unknown === undefined ? words.waiting : words.unknown}</p>${
      back !== undefined &&
      html`<form method="post" action="${back.url}">${hiddenFields(back.fields)}<button>${fill(texts.back, { merchant: payment.merchant })}</button></form>`
    }</section>`,
    scripts: [Scripts.wait],
    refresh: { seconds: 3, url: ask.next },
    asks: true,
    ...(back === undefined ? {} : { formAction: away(back.url) })
  }
}

/**
 * The state that a waiting page shows, the address that returns the current state, and the address to load after a change. Both
 * addresses are relative.
 */
export interface Ask {
  readonly state: string
  readonly url: string
  readonly next: string
}

/** Renders a page without a payment: a missing page, too many requests, or an error of the gateway. */
export const notice = (language: Language.Language, about: "missing" | "crowded" | "broken"): HtmlPage => {
  const texts = Language.languages[language]
  const status = { missing: 404, crowded: 429, broken: 503 }[about]
  const title = texts[`${about}Title`]
  return {
    status,
    language,
    title,
    ...(about === "crowded" ? { headers: { "retry-after": "60" } } : {}),
    main: html`<section class="state">${signs.open}<h1>${title}</h1><p>${texts[about]}</p></section>`
  }
}
