/**
 * Card brands that the page recognizes while the customer types, and small pictures of the card form: a mark for each accepted
 * brand, which shows its name on a card, and the place of the security code. The pictures are part of the page, because pages
 * load no other files.
 */
import { type Html, html, trusted } from "../../kernel/Html.ts"

/** The brand's name as customers know it. */
export type BrandName =
  | "Mir"
  | "Visa"
  | "Mastercard"
  | "Amex"
  | "Diners Club"
  | "Discover"
  | "JCB"
  | "UnionPay"
  | "Maestro"

/** The first digits of a brand's numbers, and the length of its security code. */
export interface Brand {
  readonly name: BrandName
  /** An anchored regular expression for the first digits. The browser runs it too. */
  readonly begins: string
  readonly codeLength: 3 | 4
}

export const brands: ReadonlyArray<Brand> = [
  { name: "Maestro", begins: "^(493698|50(0|1|2|3|4(0|16|17[0-46-9]|18)|5|60[0-8])|5[6-9]|6(304|7))", codeLength: 3 },
  { name: "Mir", begins: "^220[0-4]", codeLength: 3 },
  { name: "Visa", begins: "^4", codeLength: 3 },
  { name: "Mastercard", begins: "^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)", codeLength: 3 },
  { name: "Amex", begins: "^3[47]", codeLength: 4 },
  { name: "Diners Club", begins: "^3(0[0-5]|[689])", codeLength: 3 },
  { name: "Discover", begins: "^6(011|4[4-9]|5)", codeLength: 3 },
  { name: "JCB", begins: "^35(2[89]|[3-8])", codeLength: 3 },
  { name: "UnionPay", begins: "^62", codeLength: 3 }
]

export const brandOf = (digits: string): Brand | undefined =>
  brands.find(({ begins }) => new RegExp(begins).test(digits))

/** The lines of a brand's name and the colour of its band, in the order of the page. */
const brandStyles: Readonly<Record<BrandName, readonly [lines: ReadonlyArray<string>, band: string]>> = {
  Visa: [["VISA"], "#1f4f9e"],
  Mastercard: [["Master", "card"], "#c8551b"],
  Amex: [["AMEX"], "#1d7d90"],
  "Diners Club": [["Diners", "Club"], "#51627a"],
  Discover: [["Discover"], "#c77a1a"],
  JCB: [["JCB"], "#7a3f9d"],
  UnionPay: [["Union", "Pay"], "#a8324a"],
  Maestro: [["Maestro"], "#0a6fb5"],
  Mir: [["MIR"], "#2f8f4e"]
}

const mark = (name: string, lines: ReadonlyArray<string>, band: string): Html => {
  const size = lines.length > 1 ? 9 : (lines[0] ?? "").length > 4 ? 8 : 11.5
  const rows = lines.map(
    (line, row) =>
      html`<text x="21" y="${lines.length > 1 ? 10 + row * 9 : 15}" font-size="${size}" text-anchor="middle">${line}</text>`
  )
  return html`<li data-brand="${name}"><svg viewBox="0 0 42 27" role="img" aria-label="${name}"><rect x=".5" y=".5" width="41" height="26" rx="4"/><path d="M1 22.500h40v0a3.500 3.500 0 0 1-3.500 3.500h-33a3.500 3.500 0 0 1-3.500-3.500Z" fill="${band}"/>${rows}</svg></li>`
}

/** Renders the marks of the accepted brands. The script highlights the brand of the number. */
export const marks = (label: string): Html =>
  html`<ul class="marks" aria-label="${label}">${Object.entries(brandStyles).map(([name, [lines, band]]) => mark(name, lines, band))}</ul>`

const card = (digits: 3 | 4, inside: string): string =>
  `<svg class="where" data-digits="${digits}" viewBox="0 0 44 28" aria-hidden="true"${digits === 4 ? " hidden" : ""}><rect class="face" x=".5" y=".5" width="43" height="27" rx="4"/>${inside}</svg>`

/**
 * Pictures of the security code: the back of a card with three digits beside the signature, and the front of a card with four
 * digits above the number.
 */
export const code = trusted(
  `${card(3, `<path class="dark" d="M1 5h42v5H1z"/><path class="line" d="M4 16h20M4 19.500h20"/><text x="32" y="20.500" font-size="8" text-anchor="middle">123</text><ellipse class="ring" cx="32" cy="17.500" rx="9.500" ry="6.500"/>`)}${card(4, `<path class="line" d="M4 20h5M12 20h5M20 20h5M4 24h14"/><path class="dark" d="M4 7h7v5H4z"/><text x="31" y="13.500" font-size="8" text-anchor="middle">1234</text><ellipse class="ring" cx="31" cy="10.500" rx="11" ry="6.500"/>`)}`
)
