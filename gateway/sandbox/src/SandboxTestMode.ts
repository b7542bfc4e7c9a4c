/** The test cards that the gateway's pages show in a sandbox, one for each outcome of a payment. */
import { TestMode } from "@pay/gateway/Gateway"
import { Layer } from "effect"
import * as TestCards from "./TestCards.ts"
import * as ThreeDSTestCards from "./ThreeDSTestCards.ts"

const numberOf = (rows: ReadonlyArray<{ readonly name: string; readonly number: string }>, name: string): string =>
  rows.find((row) => row.name === name)?.number ?? ""

export const layer = Layer.succeed(TestMode, {
  cards: [
    { number: numberOf(ThreeDSTestCards.cards, "frictionless"), outcome: "approved" },
    { number: numberOf(ThreeDSTestCards.cards, "challenge"), outcome: "challenge" },
    { number: numberOf(TestCards.cards, "funds-short"), outcome: "declined" }
  ],
  password: ThreeDSTestCards.password
})
