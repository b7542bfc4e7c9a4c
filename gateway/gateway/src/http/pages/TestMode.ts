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

const rows = (language: Language.Language, { cards, password }: TestMode, hasChallenges: boolean): Html => {
  const { test } = Language.languages[language]
  return html`<ul>${cards
    .filter(({ outcome }) => hasChallenges || outcome !== "challenge")
    .map(
      ({ number, outcome }) =>
        html`<li><code dir="ltr">${grouped(number)}</code><button type="button" class="copy" data-copy="${number}" data-done="${test.copied}" aria-label="${test.copy} ${grouped(number)}" hidden>${test.copy}</button><span>${Language.fill(test[outcome], { password })}</span></li>`
    )}</ul><p>${test.fields}</p>`
}

/**
 * Renders the ribbon above every page of a sandbox. On the card form it lists test cards, those with a challenge only if the endpoint
 * has 3-D Secure.
 */
export const banner = (
  language: Language.Language,
  mode: TestMode,
  cards: "open" | "closed" | "none",
  hasChallenges: boolean
): Html => {
  const { test } = Language.languages[language]
  return html`<aside class="test" aria-label="${test.title}"><p><strong>${test.title}</strong> ${test.note}</p>${
    cards !== "none" &&
    html`<details${cards === "open" && trusted(" open")}><summary>${test.cards}</summary>${rows(language, mode, hasChallenges)}</details>`
  }</aside>`
}
