/** Facts about a card that are derived from its number. No other part of the number is stored in clear text. */
import * as CardRules from "@pay/schema/Card"

/** The card facts when there is no card, or none yet. */
export const none = { bin: "", lastFour: "", cardType: "" } as const

export const of = (number: string): { readonly [Fact in keyof typeof none]: string } => ({
  bin: CardRules.bin(number),
  lastFour: CardRules.lastFour(number),
  cardType: CardRules.brand(number) ?? "UNKNOWN"
})
