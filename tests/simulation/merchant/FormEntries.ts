/** What customers enter into forms: valid and invalid cards and recipients, and forged results of 3-D Secure. */

import type { Chance } from "@pay/crashtest/Chance"
import * as TestCards from "@pay/sandbox/TestCards"
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Result } from "effect"
import * as TestCvv from "../../../gateway/sandbox/src/TestCvv.ts"
import * as Forgeries from "../../../gateway/sandbox/src/ThreeDSForgeries.ts"
import type { Fields } from "./Browser.ts"

const some = <A>(chance: Chance, [first, ...others]: ReadonlyArray<A>, otherwise: A): A =>
  first === undefined ? otherwise : chance.oneOf([first, ...others])

const goodCard: Fields = { number: "4444 3333 2222 1111", expiry: "12 / 30", code: "123", holder: "Jane Doe" }

const testNumbers = [...ThreeDSTestCards.cards, ...TestCards.cards].map(({ number }) => number)

/** Returns a card that pays, in most cases an ordinary one. */
export const card = (chance: Chance): Fields =>
  chance.percent(70) ? goodCard : { ...goodCard, number: some(chance, testNumbers, "") }

/** Returns a card with a security code that may be declined or has a special meaning for the issuer. */
export const badCard = (chance: Chance): Fields => ({
  ...card(chance),
  code: some(
    chance,
    TestCvv.rows.map(({ cvv }) => cvv),
    ""
  )
})

const mistakes: ReadonlyArray<Fields> = [
  { number: "4444 3333 2222 1112" },
  { number: "" },
  { expiry: "12 / 20" },
  { expiry: "13 / 30" },
  { code: "12" },
  { holder: "" }
]

/** Returns the entries of a card form with a mistake. */
export const mistypedCard = (chance: Chance): Fields => ({ ...goodCard, ...some(chance, mistakes, {}) })

/** The form field that names the destination, for each way of paying out. */
const destinations = { card: "number", account: "account", phone: "phone", wallet: "wallet" } as const
const ways = ["card", "account", "phone", "wallet"] as const

/** Returns the form fields of a payout's recipient, in most cases an ordinary one. */
export const recipient = (chance: Chance): Fields => {
  const numbers = some(
    chance,
    TestRecipients.recipients.slice(0, chance.percent(70) ? 1 : undefined),
    undefined
  )?.numbers
  const way = chance.oneOf(ways)
  return { way, [destinations[way]]: numbers?.[way] ?? "", recipient: "Jane Doe" }
}

export const mistypedRecipient = (chance: Chance): Fields => ({
  ...recipient(chance),
  ...some<Fields>(chance, [{ recipient: "" }, { way: "" }, { number: "1", account: "1", phone: "1", wallet: "" }], {})
})

/** Changes the result of the issuer, as a dishonest browser does. */
export const forged = (chance: Chance, { PaRes, cres, ...others }: Fields): Fields => ({
  ...others,
  ...(cres === undefined
    ? {}
    : { cres: some(chance, [Forgeries.successful, ...Forgeries.cres], Forgeries.successful).make(cres) }),
  ...(PaRes === undefined ? {} : { PaRes: some(chance, Forgeries.paRes, Forgeries.successful).make(PaRes) })
})

/** Invents a successful result for a request that the issuer has not answered; undefined without such a request. */
export const invented = ({ creq }: Fields): Fields | undefined => {
  const request = Result.getOrUndefined(ThreeDS.creq.decode(creq ?? ""))
  if (request === undefined) return undefined
  const { acsTransID, messageVersion, threeDSServerTransID } = request
  return {
    cres: ThreeDS.cres.encode({
      messageType: "CRes",
      transStatus: "Y",
      challengeCompletionInd: "Y",
      ...{ acsTransID, messageVersion, threeDSServerTransID }
    })
  }
}
