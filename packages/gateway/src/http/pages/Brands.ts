/** Card brands that the page names while the customer types: how a number begins, and how long its code is. */

/** The brand's name as customers know it. */
export type BrandName = "Mir" | "Visa" | "Mastercard" | "Amex" | "Diners Club" | "Discover" | "JCB" | "UnionPay"

export interface Brand {
  readonly name: BrandName
  /** An anchored regular expression for the first digits. The browser runs it too. */
  readonly begins: string
  readonly codeLength: 3 | 4
}

export const brands: ReadonlyArray<Brand> = [
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
