/** Pages for the browser's steps of 3-D Secure: the hidden method frame, and the redirect to the issuer. */
import { html } from "../../kernel/Html.ts"
import * as Language from "./Language.ts"
import { away, type HtmlPage, origin } from "./Layout.ts"
import * as Payment from "./Payment.ts"
import * as Scripts from "./Scripts.ts"
import * as StatePage from "./StatePage.ts"

/**
 * Renders the page that sends `threeDSMethodData` to the issuer in a hidden frame. The page waits until the gateway has received
 * the end of the step or its time limit is over. Without JavaScript, the frame stays empty and the gateway's time limit ends the
 * step.
 */
export const method = (
  language: Language.Language,
  payment: Payment.Payment,
  step: { readonly url: string; readonly data: string },
  ask: StatePage.Ask
): HtmlPage => {
  const page = StatePage.waiting(language, payment, ask)
  return {
    ...page,
    main: html`${page.main}<form id="method" method="post" action="${step.url}" target="issuer">${StatePage.hiddenFields([["threeDSMethodData", step.data]])}</form><iframe class="unseen" name="issuer" title="${Language.languages[language].bankTitle}" tabindex="-1" aria-hidden="true"></iframe>`,
    scripts: [Scripts.method, Scripts.wait],
    frame: [origin(step.url), "'self'"],
    formAction: [origin(step.url)]
  }
}

/** Renders the page that goes to the issuer: at once, or by the button without JavaScript. */
export const onward = (
  language: Language.Language,
  payment: Payment.Payment,
  url: string,
  fields: StatePage.Return["fields"]
): HtmlPage => {
  const texts = Language.languages[language]
  return {
    status: 200,
    language,
    brand: payment.brand,
    title: texts.bankTitle,
    main: html`${Payment.head(language, payment)}<section class="state" role="status"><div class="turn"></div><h2>${texts.bankTitle}</h2><p>${texts.bank}</p><form id="onward" method="post" action="${url}" data-always data-after="0">${StatePage.hiddenFields(fields)}<button>${texts.bankContinue}</button></form></section>`,
    scripts: [Scripts.sendOn],
    formAction: away(url)
  }
}

/**
 * Renders the page after the issuer's page has sent a result that was refused. The customer may go to the issuer again; the
 * browser does not go by itself.
 */
export const refused = (language: Language.Language, payment: Payment.Payment, url: string): HtmlPage => {
  const texts = Language.languages[language]
  return {
    status: 400,
    language,
    brand: payment.brand,
    title: texts.resultRefusedTitle,
    main: html`${Payment.head(language, payment)}<section class="state bad" role="status"><h2>${texts.resultRefusedTitle}</h2><p>${texts.resultRefused}</p><form method="get" action="${url}">${StatePage.hiddenFields([["lang", language]])}<button>${texts.tryAgain}</button></form></section>`,
    formAction: ["'self'"]
  }
}
