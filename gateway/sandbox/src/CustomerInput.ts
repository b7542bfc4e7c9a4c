/** What a simulated customer types on the pages of a gateway, of the simulated issuer and of shops. */
import { password } from "./ThreeDSTestCards.ts"

export type Fields = Readonly<Record<string, string>>

/** What the customer types for the button that confirms. A page that takes a card or an account gets the fields given here. */
export interface Input {
  readonly card: Fields
  readonly account?: Fields
  /** Default: the password of the simulated issuer. */
  readonly password?: string
}

const pay: Fields = { attempts: "0", action: "pay" }

/** Returns the fields for a page, or undefined if it asks for nothing. */
export const typed = (html: string, input: Input): Fields | undefined => {
  if (html.includes('name="password"')) return { action: "confirm", password: input.password ?? password }
  if (html.includes('name="way"') && input.account !== undefined) return { ...pay, ...input.account }
  if (html.includes('name="number"')) return { ...pay, ...input.card }
  // A browser without scripts says so, and the page has values for all other data of it.
  if (html.includes('name="browserJavascriptEnabled"')) return { browserJavascriptEnabled: "false" }
  return undefined
}
