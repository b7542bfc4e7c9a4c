/** Masks values of requests for printing: never a complete card or account number, never a security code. */
import type { Parameter } from "@pay/signing/Form"
import type { OperationFacts } from "../command/Contract.ts"

/**
 * Keeps the first six and the last four digits of a card number, the most that PCI DSS 3.4.1 allows. Short values such as expiry
 * dates stay unchanged.
 */
const cardNumber = (text: string): string =>
  text.length < 12 ? text : text.slice(0, 6) + "*".repeat(text.length - 10) + text.slice(-4)

/** Masks an account, a wallet or a phone. It leaves the last four characters of a text with at least eight. */
const recipient = (text: string): string =>
  "*".repeat(Math.max(text.length - 4, 4)) + (text.length < 8 ? "" : text.slice(-4))

/** Returns the value of one field as it can be printed. */
export const value = ({ fields, spellings }: OperationFacts, name: string, text: string): string => {
  const kind = fields.get(spellings.get(name) ?? name)?.kind
  return kind === "cvv" ? "***" : kind === "card" ? cardNumber(text) : kind === "recipient" ? recipient(text) : text
}

export const parameters = (
  operation: OperationFacts,
  given: ReadonlyArray<Parameter>
): { readonly lines: ReadonlyArray<Parameter>; readonly isMasked: boolean } => {
  const displayed = given.map(([name, text]): Parameter => [name, value(operation, name, text)])
  return { lines: displayed, isMasked: displayed.some(([, text], index) => text !== given[index]?.[1]) }
}

/** Masks the card and recipient numbers of a request in a text from another source. */
export const conceal =
  (operation: OperationFacts, texts: Readonly<Record<string, string>>) =>
  (text: string): string => {
    let concealed = text
    for (const [name, given] of Object.entries(texts)) {
      const kind = operation.fields.get(name)?.kind
      if ((kind === "card" && given.length >= 12) || (kind === "recipient" && given.length >= 8)) {
        concealed = concealed.replaceAll(given, value(operation, name, given))
      }
    }
    return concealed
  }
