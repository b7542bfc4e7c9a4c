/** One labelled text field of a form, with its hint and what is wrong with it: the same for every form. */
import { type Html, html, own } from "../../kernel/Html.ts"

export interface Field {
  /** Also its `id`. */
  readonly name: string
  readonly label: string
  readonly value: string
  readonly hint?: string
  /** What is wrong with it, in words. */
  readonly error: string | undefined
  /** The first of those that are wrong gets the cursor. */
  readonly first: boolean
  /** Attributes of our own. */
  readonly attributes: string
  /** What the script says: `data-missing`, `data-wrong`, … */
  readonly says?: Html
  /** Stands in the box of the input. */
  readonly beside?: Html
  /** Stands between the input and its hint. */
  readonly below?: Html
}

export const render = ({ attributes, below, beside, error, first, hint, label, name, says, value }: Field): Html => {
  const described = hint === undefined ? `${name}-error` : `${name}-error ${name}-hint`
  return html`<div class="field"><label for="${name}">${label}</label><div class="box"><input id="${name}" name="${name}" value="${value}" ${own(attributes)} required${
    error !== undefined && own(` aria-invalid="true"`)
  } aria-describedby="${described}"${first && own(" autofocus")} ${says}>${beside}</div>${below}${
    hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`
  }<p class="error" id="${name}-error">${error}</p></div>`
}
