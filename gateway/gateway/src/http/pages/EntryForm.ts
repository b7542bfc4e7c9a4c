/** The page on which a visitor enters a card or a recipient: its labelled fields, their errors, and its two buttons. */
import { type Html, html, trusted } from "../../kernel/Html.ts"
import * as Language from "./Language.ts"
import { counted } from "./Language.ts"
import type { HtmlPage } from "./Layout.ts"
import * as Payment from "./Payment.ts"

/** The result of a check: the entry, or its flaws and the values that need not be typed again. */
export type Checked<Entry, Retry> =
  | { readonly _tag: "Entered"; readonly entry: Entry }
  | ({ readonly _tag: "Flawed" } & Retry)

/** The values that every page of this kind shows. */
export interface View {
  readonly payment: Payment.Payment
  /** Number of attempts so far. The form sends it back, so that an outdated page starts nothing. */
  readonly attempts: number
  readonly attemptsLeft: number
  /** Why the last attempt failed. */
  readonly failure: "refused" | "unconfirmed" | "failed"
  /** Whether the form is sent over TLS, under the address that the gateway is configured to have. */
  readonly isEncrypted: boolean
  /** Whether payments with the card go through 3-D Secure. */
  readonly isAuthenticated: boolean
}

interface Field {
  /** Name and `id` of the input. */
  readonly name: string
  readonly label: string
  readonly value: string
  readonly hint?: string
  /** The error of the field, in words. */
  readonly error: string | undefined
  /** Whether the field is the first with an error. It gets the cursor. */
  readonly first: boolean
  /** Attributes of the input, written by the gateway. */
  readonly attributes: string
  /** Messages for the script: `data-missing`, `data-wrong`, … */
  readonly says?: Html
  /** Shown in the box of the input. */
  readonly beside?: Html
  /** Shown between the input and its hint. */
  readonly below?: Html
}

const render = ({ attributes, below, beside, error, first, hint, label, name, says, value }: Field): Html => {
  const described = hint === undefined ? `${name}-error` : `${name}-error ${name}-hint`
  return html`<div class="field"><label for="${name}">${label}</label><div class="box"><input id="${name}" name="${name}" value="${value}" ${trusted(attributes)} required${
    error !== undefined && trusted(` aria-invalid="true"`)
  } aria-describedby="${described}"${first && trusted(" autofocus")} ${says}>${beside}</div>${below}${
    hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`
  }<p class="error" id="${name}-error">${error}</p></div>`
}

/** Returns the function that renders the fields of one form. The first field of `order` with an error gets the cursor. */
export const fields = <Name extends string, Flaw extends string>(
  order: ReadonlyArray<Name>,
  flaws: { readonly [N in Name]?: Flaw },
  errors: Readonly<Record<Flaw, string>>
) => {
  const first = order.find((name) => flaws[name] !== undefined)
  return (options: Omit<Field, "name" | "error" | "first"> & { readonly name: Name }): Html => {
    const flaw: Flaw | undefined = flaws[options.name]
    return render({ ...options, error: flaw && errors[flaw], first: options.name === first })
  }
}

/** The differences between the page of a card and that of a recipient. */
interface Form extends Pick<HtmlPage, "testCards"> {
  readonly title: string
  readonly heading: string
  /** Attributes of the form, written by the gateway. */
  readonly attributes: string
  readonly fields: Html
  readonly button: string
  /** The note about security. */
  readonly secure: string
  /** Title of the notice after a failed attempt. */
  readonly againTitle: string
  readonly again: { readonly one: string; readonly other: string }
  readonly script: string
}

/** Picture beside the note about security. */
const lock = trusted(
  `<svg viewBox="0 0 16 16" aria-hidden="true" fill="currentColor"><path d="M8 1a3.5 3.5 0 0 0-3.5 3.5V6H4a1.5 1.5 0 0 0-1.5 1.5v5A1.5 1.5 0 0 0 4 14h8a1.5 1.5 0 0 0 1.5-1.5v-5A1.5 1.5 0 0 0 12 6h-.5V4.500A3.500 3.500 0 0 0 8 1Zm2 5H6V4.500a2 2 0 0 1 4 0V6Z"/></svg>`
)

export const page = (language: Language.Language, view: View & { readonly flaws: object }, form: Form): HtmlPage => {
  const texts = Language.languages[language]
  const { attempts, attemptsLeft, flaws, isAuthenticated, isEncrypted, payment } = view
  const flawed = Object.keys(flaws).length > 0
  const notice = flawed
    ? html`<p class="notice" role="alert">${texts.checkFields}</p>`
    : attempts > 0 &&
      html`<p class="notice" role="alert"><strong>${form.againTitle}</strong>${counted(form.again, attemptsLeft)}</p>`
  return {
    status: flawed ? 422 : 200,
    language,
    brand: payment.brand,
    ...(form.testCards === undefined ? {} : { testCards: form.testCards }),
    authentication: isAuthenticated ? "always" : "never",
    title: flawed ? `${texts.errorPrefix}: ${form.title}` : form.title,
    main: html`${Payment.head(language, payment)}${notice}<h2>${form.heading}</h2><form ${trusted(form.attributes)} method="post" novalidate><input type="hidden" name="attempts" value="${attempts}">${form.fields}<button id="pay" name="action" value="pay" data-busy="${texts.paying}">${form.button}</button><button class="quiet" name="action" value="cancel" formnovalidate>${texts.cancel}</button><p class="secure">${isEncrypted && lock}<span>${form.secure}</span></p></form>`,
    scripts: [form.script],
    formAction: ["'self'"]
  }
}
