/**
 * Shows on the pages of a sandbox that no money moves, and lists test cards. A sandbox provides the test mode. In production it
 * is never shown, even if it is provided.
 */
import { Context, Effect } from "effect"
import { type Html, html, trusted } from "../../kernel/Html.ts"
import { Settings } from "../../kernel/Settings.ts"
import * as Language from "./Language.ts"

export interface TestMode {
  readonly cards: ReadonlyArray<{
    readonly number: string
    readonly outcome: "approved" | "challenge" | "declined"
  }>
  /** The password that the issuer's page requests. */
  readonly password: string
}

export const TestMode = Context.Reference<TestMode | undefined>("@pay/gateway/TestMode", {
  defaultValue: () => undefined
})

/** The test mode that pages may show; `undefined` in production, and where none is provided. */
export const visible = Effect.gen(function* () {
  const { production } = yield* Settings
  return production ? undefined : yield* TestMode
})

const grouped = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, "$1 ")

/** Whether the payments that a page is about go through 3-D Secure. `either`: the page is about no endpoint. */
export type Authentication = "always" | "never" | "either"

/** What happens with a card of each outcome. A card that is not listed has no text. */
const results = {
  always: { approved: "approved", challenge: "challenge", declined: "declinedAfterChallenge" },
  never: { approved: "approved", challenge: undefined, declined: "declined" },
  either: { approved: "approved", challenge: "challengeIfSecure", declined: "declined" }
} as const

const rows = (language: Language.Language, { cards, password }: TestMode, authentication: Authentication): Html => {
  const { test } = Language.languages[language]
  return html`<ul>${cards.flatMap(({ number, outcome }) => {
    const result = results[authentication][outcome]
    if (result === undefined) return []
    return [
      html`<li><code dir="ltr">${grouped(number)}</code><button type="button" class="copy" data-copy="${number}" data-done="${test.copied}" aria-label="${test.copy} ${grouped(number)}" hidden>${test.copy}</button><span>${Language.fill(test[result], { password })}</span></li>`
    ]
  })}</ul><p>${test.fields}</p>`
}

/** Renders the ribbon above every page of a sandbox. On the card form it lists test cards, as they end at its endpoint. */
export const banner = (
  language: Language.Language,
  mode: TestMode,
  cards: "open" | "closed" | "none",
  authentication: Authentication
): Html => {
  const { test } = Language.languages[language]
  return html`<aside class="test" aria-label="${test.title}"><p><strong>${test.title}</strong> ${test.note}</p>${
    cards !== "none" &&
    html`<details${cards === "open" && trusted(" open")}><summary>${test.cards}</summary>${rows(language, mode, authentication)}</details>`
  }</aside>`
}
