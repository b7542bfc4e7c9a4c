/** The page of the second step of the sign-in. Without it, an operator who needs it may only look. */
import { Effect, Redacted } from "effect"
import { html } from "../../kernel/Html.ts"
import type { StoreUnavailable } from "../../kernel/Store.ts"
import type * as SignIn from "../operator/SignIn.ts"
import type { PageAnswer } from "../Pages.ts"
import * as BrowserInput from "../pages/BrowserInput.ts"
import type { Key } from "./ConsoleTexts.ts"
import * as Frame from "./Frame.ts"
import * as SignInPage from "./SignInPage.ts"
import * as Visit from "./Visit.ts"

/** Returns the page on which the person goes on afterwards. */
const placeOf = (visit: Visit.Visit, sent: string): string =>
  SignInPage.placeOf(sent === "" ? (new URLSearchParams(visit.request.query).get("to") ?? "") : sent)

export const page = (visit: Visit.Visit, refused?: { readonly key: Key; readonly to: string }): PageAnswer => {
  const { text } = visit
  const to = placeOf(visit, refused?.to ?? "")
  const title = text("codeTitle")
  return Frame.render(visit, {
    status: refused === undefined ? 200 : 401,
    title,
    main: html`<section class="panel narrow stack"><div><p class="soft">${text("console")}</p><h1>${title}</h1></div>${
      refused !== undefined && html`<p class="notice bad" role="alert">${text(refused.key)}</p>`
    }${
      visit.operator.lack === "enrolment" &&
      html`<p>${text("enrolHint")}</p><p><code>pay operator enrol</code></p><p><code>pay operator verify CODE</code></p>`
    }<form class="act" method="post" action="${Visit.at(visit, "code")}">${Frame.formToken(visit)}<input type="hidden" name="to" value="${to}"><div><label for="code">${text("code")}</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" autofocus required maxlength="6" pattern="[0-9]{6}" aria-describedby="code-hint"><p class="hint" id="code-hint">${text("codeHint")}</p></div><button class="main">${text("codeSubmit")}</button></form><p><a href="${Visit.at(visit, to)}">${text("onlyLook")}</a></p></section>`
  })
}

const reasons = { Wrong: "codeWrong", Paused: "codePaused" } as const satisfies Readonly<Record<string, Key>>

/** Judges the code of the form. `complete`: records in the session that it was right. */
export const submit = Effect.fnUntraced(function* (
  visit: Visit.Visit,
  { ofCode }: SignIn.SignIns,
  complete: Effect.Effect<void, StoreUnavailable>
) {
  const read = BrowserInput.fields(visit.request)
  const to = read("to")
  const verdict = yield* ofCode(visit.operator.name, Redacted.make(read("code"), { label: "code" }))
  if (verdict !== "Right") return page(visit, { key: verdict === undefined ? "enrolHint" : reasons[verdict], to })
  yield* complete
  return Frame.redirect(Visit.at(visit, placeOf(visit, to)))
})
