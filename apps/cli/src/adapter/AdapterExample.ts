/** The file of `pay adapter check` with the cards and recipients of the simulated bank. */
import * as TestCards from "@pay/sandbox/TestCards"
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import type { Content } from "./AdapterCards.ts"

const cardNumber = (name: string): string => TestCards.byName(name)?.number ?? ""
const issued = (name: string): string => ThreeDSTestCards.cards.find((card) => card.name === name)?.number ?? ""
const recipient = (name: string): string => TestRecipients.byName(name)?.numbers.card ?? ""

const card = { expiry: "12/2099", cvv: "123", cardholder: "JANE DOE" }

export const content: Content = {
  approved: { number: cardNumber("ordinary"), ...card },
  declined: { number: cardNumber("funds-short"), ...card },
  recipient: recipient("ordinary"),
  threeDS: {
    notEnrolled: issued("not-enrolled"),
    authenticated: issued("frictionless"),
    refused: issued("refused"),
    challenged: issued("challenge"),
    version1: issued("version1")
  },
  payouts: {
    paid: [{ kind: "card", number: recipient("ordinary") }],
    refused: { kind: "card", number: recipient("no-account") }
  },
  terminal: { mid: "7700001" },
  clockSkewSeconds: 60
}
