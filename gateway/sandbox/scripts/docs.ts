/**
 * Writes `docs/merchants/test-cards.md` and `docs/merchants/test-recipients.md` from the tables of the simulated bank and rail, and the
 * table of endpoints in `docs/merchants/sandbox.md` from the sandbox's merchant.
 */
import { readFileSync } from "node:fs"
import * as OpeningBalance from "../src/OpeningBalance.ts"
import type { Kind } from "../src/Outcome.ts"
import * as SandboxMerchant from "../src/SandboxMerchant.ts"
import * as TestCards from "../src/TestCards.ts"
import * as TestCvv from "../src/TestCvv.ts"
import * as TestRecipients from "../src/TestRecipients.ts"
import * as ThreeDSTestCards from "../src/ThreeDSTestCards.ts"

const groups: ReadonlyArray<readonly [title: string, text: string, kinds: ReadonlyArray<Kind>]> = [
  [
    "Payments",
    "The card number decides what happens to the authorization of a sale or a preauth. The security code decides the bank's answer, unless the row states one.",
    ["authorize"]
  ],
  ["Captures", "The bank answers the payment itself at once.", ["capture"]],
  ["Returns of captured money", "The bank answers the payment itself at once.", ["refund"]],
  ["Voids, and returns of a hold", "The bank answers the payment itself at once.", ["void"]],
  [
    "Cards that send money",
    "These cards apply to the payer of a transfer, and to the check whether a card can send money. For all other operations they are ordinary cards.",
    ["eligible"]
  ],
  ["All operations", "", ["authorize", "capture", "void", "refund"]]
]

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const spaced = (number: string): string => number.replace(/(.{4})(?=.)/g, "$1 ")

const section = ([title, text, kinds]: (typeof groups)[number]): string => {
  const cards = TestCards.cards.filter(
    ({ scenarios }) => (Object.keys(scenarios).join() || "authorize") === kinds.join()
  )
  const rows = cards.map(({ number, result }) => [`\`${spaced(number)}\``, result])
  return [`### ${title}`, ...(text === "" ? [] : [text]), table(["card number", "what happens"], rows)].join("\n\n")
}

const threeds: ReadonlyArray<readonly [title: string, first: string]> = [
  ["Public cards", "44440"],
  ["Without a challenge", "4444020"],
  ["The method page", "4444021"],
  ["The challenge without a person", "4444022"],
  ["Faults of the look-up and the issuer", "4444023"],
  ["Version 1.0.2", "4444024"]
]

/** The group with the longest beginning takes the card. */
const groupOf = (number: string): string | undefined =>
  threeds.filter(([, first]) => number.startsWith(first)).at(-1)?.[0]

const threedsSection = ([title]: (typeof threeds)[number]): string => {
  const cards = ThreeDSTestCards.cards.filter(({ number }) => groupOf(number) === title)
  return [
    `### ${title}`,
    table(
      ["card number", "what happens"],
      cards.map(({ number, result }) => [`\`${spaced(number)}\``, result])
    )
  ].join("\n\n")
}

const text = (): string =>
  [
    "# Test cards",
    "<!-- Written by `npm run docs` from gateway/sandbox/src/TestCvv.ts, TestCards.ts and ThreeDSTestCards.ts. -->",
    "The sandbox simulates the bank. You can use any card number with a valid check digit and any expiry in the future. None of these cards works in production.",
    "## The security code decides the bank's answer",
    table(
      ["cvv2", "result"],
      [...TestCvv.rows, TestCvv.other, TestCvv.none].map(({ cvv, result }) => [
        /^\d/.test(cvv) ? `\`${cvv}\`` : cvv,
        result
      ])
    ),
    "A payment without a security code is a payment without the cardholder. Three or four digits are valid for every brand.",
    "## The card number decides what happens to the message",
    "After a lost answer, an order is `processing`, then `unknown`. The gateway then inquires at the bank for the outcome. All times are business time: `pay clock advance` moves it forward.",
    ...groups.map(section),
    "## The card that receives a transfer",
    "The payer's card number and security code also apply. If either card is declined, so is the transfer. Any other card can receive money.",
    table(
      ["card number", "what happens"],
      TestRecipients.recipients
        .filter(({ scenarios }) => scenarios.pay !== undefined && scenarios.pay.lateRefusal === undefined)
        .map(({ numbers, result }) => [`\`${spaced(numbers.card)}\``, result])
    ),
    "## The card number decides what 3-D Secure does",
    `These cards apply to endpoints with 3-D Secure. Any other card is enrolled in version 2 and has no method page. Its challenge asks for the password, which is \`${ThreeDSTestCards.password}\`. Three wrong passwords end the challenge, and a button cancels it. After the authentication, the security code decides the bank's answer.`,
    ...threeds.map(threedsSection)
  ].join("\n\n")

const recipients = (): string =>
  [
    "# Test recipients of payouts",
    "<!-- Written by `npm run docs` from gateway/sandbox/src/TestRecipients.ts. -->",
    "The sandbox simulates the payout rail. It pays any recipient with a valid number at once. Use the recipients below for other outcomes. Send the numbers without spaces. All times are business time. The rail can refuse a paid payout within five days. The gateway inquires 2 hours, 1, 3 and 5 days after the payment. None of these recipients works in production.",
    `The sandbox's merchant starts with ${OpeningBalance.amount} in each currency of each endpoint. \`pay balance add\` adds more.`,
    table(
      ["what happens", "card", "account", "e-wallet", "phone"],
      TestRecipients.recipients.map(({ numbers, result }) => [
        result,
        `\`${spaced(numbers.card)}\``,
        `\`${numbers.account}\``,
        `\`${numbers.wallet}\``,
        `\`${numbers.phone}\``
      ])
    )
  ].join("\n\n")

type Endpoint = (typeof SandboxMerchant.directory)[number]["endpoints"][number]

const threedsOf: Readonly<Record<string, string>> = {
  off: "no 3-D Secure",
  gateway: "3-D Secure on the gateway's own pages",
  merchant: "3-D Secure that your shop runs, by uploads"
}

/** What an endpoint does, of its settings that differ from their defaults. */
const behaviour = (endpoint: Endpoint): string =>
  [
    threedsOf[endpoint.threeds ?? ""],
    endpoint.maxAmount && `payments above ${Object.values(endpoint.maxAmount)[0]} end as \`filtered\``,
    endpoint.payoutMaxAmount && `payouts above ${Object.values(endpoint.payoutMaxAmount)[0]}, too`,
    endpoint.payoutApproval && "payouts wait until a second person has approved them",
    endpoint.callbackFormat === "json" && "callbacks are posted as JSON",
    endpoint.controlAmount === "x100" && "`control` covers the amount times 100, whatever the currency"
  ]
    .filter(Boolean)
    .join("; ")

const endpoints = (): string =>
  table(
    ["endpoint", "currencies", "what it does"],
    SandboxMerchant.directory.flatMap((merchant) => [
      ...merchant.endpoints.map((endpoint) => [
        `\`${endpoint.id}\``,
        endpoint.currencies.join(", "),
        behaviour(endpoint)
      ]),
      ...(merchant.groups ?? []).map((group) => [
        `\`${group.id}\``,
        "",
        `the group of ${group.endpoints.join(", ")}: the currency of the order chooses the endpoint`
      ])
    ])
  )

const [begin, end] = [
  "<!-- endpoints: from gateway/sandbox/src/SandboxMerchant.ts, by npm run docs -->",
  "<!-- end -->"
]

/** The page as it stands, with its table anew. */
const sandbox = (): string => {
  const text = readFileSync(new URL("../../../docs/merchants/sandbox.md", import.meta.url), "utf8")
  const [before, rest] = text.split(`${begin}\n`)
  if (rest === undefined) throw new Error(`docs/merchants/sandbox.md lacks the mark ${begin}`)
  return `${before}${begin}\n\n${endpoints()}\n\n${rest.slice(rest.indexOf(end))}`
}

export default async (): Promise<Record<string, string>> => ({
  "docs/merchants/test-cards.md": `${text()}\n`,
  "docs/merchants/test-recipients.md": `${recipients()}\n`,
  "docs/merchants/sandbox.md": sandbox()
})
