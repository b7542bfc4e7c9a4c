/** `docs/test-cards.md`, from the tables the simulated bank answers by. */

import * as OpeningBalance from "../src/OpeningBalance.ts"
import type { Kind } from "../src/Outcome.ts"
import * as TestCards from "../src/TestCards.ts"
import * as TestCvv from "../src/TestCvv.ts"
import * as TestRecipients from "../src/TestRecipients.ts"
import * as ThreeDSTestCards from "../src/ThreeDSTestCards.ts"

const groups: ReadonlyArray<readonly [title: string, text: string, kinds: ReadonlyArray<Kind>]> = [
  [
    "Payments",
    "What happens to the authorisation of a sale or a preauth. The security code still decides what the bank says, unless the row does.",
    ["authorize"]
  ],
  ["Captures", "The payment itself is answered at once.", ["capture"]],
  ["Returns of captured money", "The payment itself is answered at once.", ["refund"]],
  ["Voids, and returns of a hold", "The payment itself is answered at once.", ["cancel"]],
  [
    "Cards that send money",
    "As the payer of a transfer, and when it is asked whether the card can send. Everything else about them is ordinary.",
    ["eligible"]
  ],
  ["Everything at once", "", ["authorize", "capture", "cancel", "refund"]]
]

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const spaced = (number: string): string => number.replace(/(.{4})(?=.)/g, "$1 ")

const section = ([title, text, kinds]: (typeof groups)[number]): string => {
  const cards = TestCards.cards.filter(({ plans }) => (Object.keys(plans).join() || "authorize") === kinds.join())
  const rows = cards.map(({ number, result }) => [`\`${spaced(number)}\``, result])
  return [`### ${title}`, ...(text === "" ? [] : [text]), table(["card number", "what happens"], rows)].join("\n\n")
}

const threeds: ReadonlyArray<readonly [title: string, first: string]> = [
  ["Public cards", "44440"],
  ["Without a challenge", "4444020"],
  ["The method page", "4444021"],
  ["The challenge without a person", "4444022"],
  ["Look-up and issuer out of order", "4444023"],
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
    "<!-- Written by `npm run docs` from packages/sandbox/src/TestCvv.ts, TestCards.ts and ThreeDSTestCards.ts. -->",
    "The sandbox's bank is a program. Any card number with a right check digit and any expiry in the future will do; spaces are for reading only. Nothing here works in production.",
    "## The security code decides what the bank says",
    table(
      ["cvv2", "result"],
      [...TestCvv.rows, TestCvv.other, TestCvv.none].map(({ cvv, result }) => [
        /^\d/.test(cvv) ? `\`${cvv}\`` : cvv,
        result
      ])
    ),
    "A payment without a security code is one that is made in the cardholder's absence. Three or four digits do for every brand.",
    "## The card number decides how the message travels",
    "A lost answer leaves an order `processing`, then `unknown`, until the gateway has asked the bank what became of it. Times are business time: where the sandbox's clock is moved forward, they pass with it.",
    ...groups.map(section),
    "## The card that receives a transfer",
    "The payer's number and security code still count; a decline of either card declines the transfer. Any other card receives.",
    table(
      ["card number", "what happens"],
      TestRecipients.recipients
        .filter(({ plans }) => plans.pay !== undefined && plans.pay.lateRefusal === undefined)
        .map(({ numbers, result }) => [`\`${spaced(numbers.card)}\``, result])
    ),
    "## The card number decides what 3-D Secure does",
    `On endpoints with 3-D Secure. Any other card is enrolled in version 2, without a method page, and is asked for the password, which is \`${ThreeDSTestCards.password}\`: three wrong ones end the challenge, a button cancels it. The bank is asked afterwards, and the security code decides what it says.`,
    ...threeds.map(threedsSection)
  ].join("\n\n")

const recipients = (): string =>
  [
    "# Test recipients of payouts",
    "<!-- Written by `npm run docs` from packages/sandbox/src/TestRecipients.ts. -->",
    "The sandbox's payout rail is a program. Any recipient with a right number is paid at once; these are for everything else. Spaces are for reading only. Times are business time; a payout that was paid may be refused for five days, and the gateway asks after 2 hours, 1, 3 and 5 days. Nothing here works in production.",
    `The sandbox's merchant starts with ${OpeningBalance.amount} of each currency of each endpoint; \`pay balance add\` adds to it.`,
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

export default async (): Promise<Record<string, string>> => ({
  "docs/test-cards.md": `${text()}\n`,
  "docs/test-recipients.md": `${recipients()}\n`
})
