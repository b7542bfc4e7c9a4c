/** The ribbon above every page of a sandbox. On the card form it lists test cards. */
import { type Html, html, own } from "../../kernel/Html.ts"
import type { TestMode } from "../TestMode.ts"
import * as Language from "./Language.ts"
import { fill } from "./Texts.ts"

const grouped = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, "$1 ")

const rows = (language: Language.Language, { cards, password }: TestMode): Html => {
  const { test } = Language.languages[language]
  return html`<ul>${cards.map(
    ({ number, outcome }) =>
      html`<li><code dir="ltr">${grouped(number)}</code><button type="button" class="copy" data-copy="${number}" data-done="${test.copied}" aria-label="${test.copy} ${grouped(number)}" hidden>${test.copy}</button><span>${fill(test[outcome], { password })}</span></li>`
  )}</ul><p>${test.fields}</p>`
}

export const ribbon = (language: Language.Language, mode: TestMode, cards: "open" | "closed" | "none"): Html => {
  const { test } = Language.languages[language]
  return html`<aside class="test" aria-label="${test.title}"><p><strong>${test.title}</strong> ${test.note}</p>${
    cards !== "none" &&
    html`<details${cards === "open" && own(" open")}><summary>${test.cards}</summary>${rows(language, mode)}</details>`
  }</aside>`
}
