/** The sandbox's merchants, cards and recipients as the conformance suite reads them from a file. None of it is a secret. */
import * as SandboxMerchant from "./SandboxMerchant.ts"
import * as SandboxOlderMerchant from "./SandboxOlderMerchant.ts"
import * as TestCards from "./TestCards.ts"
import * as TestRecipients from "./TestRecipients.ts"
import * as ThreeDSTestCards from "./ThreeDSTestCards.ts"

const { controlKey, endpoints, login, privateKeyPem } = SandboxMerchant.merchant

interface Row {
  readonly name: string
  readonly number: string
}

const numberIn = (rows: ReadonlyArray<Row>, name: string): { readonly number: string } => {
  const row = rows.find((each) => each.name === name)
  if (row === undefined) throw new Error(`the sandbox has no card ${name}`)
  return { number: row.number }
}

const card = (name: string) => numberIn(TestCards.cards, name)
const issued = (name: string) => numberIn(ThreeDSTestCards.cards, name)

const recipient = (name: string, kind: "account" | "card" = "account"): string =>
  TestRecipients.byName(name)?.numbers[kind] ?? ""

/** The file's content, ready for JSON. */
export const content = {
  login,
  controlKey,
  privateKey: privateKeyPem,
  endpoint: endpoints.usd,
  currency: "USD",
  threedsGateway: endpoints.threeds3dsGateway,
  threedsMerchant: endpoints.threedsMerchant,
  limited: { endpoint: endpoints.limited, above: "100.01" },
  group: endpoints.group,
  other: {
    login: SandboxOlderMerchant.merchant.login,
    controlKey: SandboxOlderMerchant.merchant.controlKey,
    endpoint: SandboxOlderMerchant.endpoints.usd
  },
  cards: {
    approved: { ...card("ordinary"), cvv: "123" },
    declined: card("funds-short"),
    unknown: { ...card("ordinary"), cvv: "217" },
    answerLost: card("answer-lost"),
    undecided: card("undecided"),
    neverArrives: card("lost-always"),
    captureDeclined: card("capture-declined"),
    captureUndecided: card("capture-undecided"),
    refundDeclined: card("refund-declined"),
    refundUndecided: card("refund-undecided"),
    voidUndecided: card("void-undecided")
  },
  threedsCards: {
    frictionless: issued("frictionless"),
    challenge: issued("challenge"),
    method: issued("method-frictionless"),
    methodChallenge: issued("method-challenge"),
    refused: issued("refused"),
    unavailable: issued("unavailable"),
    forged: issued("forged"),
    version1: issued("version1"),
    version1Forged: issued("version1-forged")
  },
  password: ThreeDSTestCards.password,
  recipients: {
    paid: recipient("ordinary"),
    paidCard: recipient("ordinary", "card"),
    refused: recipient("pay-refused"),
    checkRefused: recipient("no-account"),
    undecided: recipient("undecided"),
    neverArrives: recipient("never-arrives"),
    refusedLater: recipient("refused-after-hour")
  },
  clock: "/sandbox/clock/advance",
  capabilities: ["assumptions", "error-codes", "amounts", "webhooks"]
}
