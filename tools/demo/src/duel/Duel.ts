/**
 * Two shops sell the same order. Each shop is killed when the answer to its payment is lost, is started again, and pays again.
 * One shop is the checkout of docs/from-plain-http.md, the other uses `@pay/client`. The books of the simulated banks show how
 * often each charged.
 */
import { execFile, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import * as Basket from "./Basket.ts"
import { type Line, type Span, span, type Tone } from "./Picture.ts"
import * as ShopEnvironment from "./ShopEnvironment.ts"
import * as Side from "./Side.ts"

const root = join(import.meta.dirname, "../../../..")
const column = 38

/** Prints a line immediately. */
export type Say = (line: Line) => unknown

const beside = (left: string, right: string, tones: readonly [left: Tone, right: Tone] = ["plain", "plain"]): Line => [
  span(`${left.slice(0, column).padEnd(column)}  `, tones[0]),
  span(right, tones[1])
]

const words = (...parts: ReadonlyArray<readonly [text: string, tone?: Tone]>): ReadonlyArray<Span> =>
  parts.map(([content, tone]) => span(content, tone))

/** Writes the first code block of docs/from-plain-http.md to a file that Node can run. Returns its path. */
const writeCheckout = (folder: string): string => {
  const page = readFileSync(join(root, "docs/from-plain-http.md"), "utf8")
  const [, fence = ""] = page.split("```ts\n")
  const [code = ""] = fence.split("\n```")
  const path = join(folder, "checkout.ts")
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  writeFileSync(path, code)
  return path
}

const short = (name: string) => (name.length > 12 ? `${name.slice(0, 8)}…` : name)

/** The requests of both shops, side by side. */
const requests = (sides: readonly [Side.Side, Side.Side], from: readonly [number, number]): ReadonlyArray<Line> => {
  const [left = [], right = []] = sides.map(({ sent }, index) =>
    sent.slice(from[index]).map(({ clientOrderId, operation }) => `→ ${operation} ${short(clientOrderId)}`)
  )
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) =>
    beside(left[row] ?? "", right[row] ?? "")
  )
}

const dollars = (minor: number) => `${(minor / 100).toFixed(2)} USD`

/** Prints the charges in the books of both banks. Returns whether the checkout by hand charged twice and `@pay/client` once. */
const compareBooks = async (sides: readonly [Side.Side, Side.Side], say: Say): Promise<boolean> => {
  const [left, right] = await Promise.all([sides[0].charges(), sides[1].charges()])
  say([])
  say(words(["The bank's books", "bold"]))
  for (let row = 0; row < Math.max(left.length, right.length); row += 1) {
    const [ours, theirs] = [left[row], right[row]].map((minor) =>
      minor === undefined ? "" : `charged ${dollars(minor)}`
    )
    say(beside(ours ?? "", theirs ?? ""))
  }
  const sum = (charges: ReadonlyArray<number>) =>
    `${charges.length} ${charges.length === 1 ? "charge" : "charges"}, ${dollars(charges.reduce((all, one) => all + one, 0))}`
  say(beside(sum(left), sum(right), ["bad", "good"]))
  return left.length === 2 && right.length === 1
}

/** Sends a sale whose signature covers the amount in major units. Returns whether `pay explain` names that mistake. */
const explainRefusal = async (gateway: string, say: Say): Promise<boolean> => {
  const { ENDPOINT = "", KEY = "", ...others } = ShopEnvironment.of(gateway)
  const id = "INV-1043"
  const signed = `${ENDPOINT}${id}${Basket.amount}${Basket.email}${KEY}`
  const control = createHash("sha1").update(signed).digest("hex")
  const order = { client_orderid: id, amount: Basket.amount, currency: "USD", email: Basket.email }
  const body = new URLSearchParams({ ...Basket.fields, ...order, control }).toString()
  const url = `${gateway}/api/v2/sale/${ENDPOINT}`
  const refused = await promisify(execFile)("curl", ["-s", "-H", "accept: application/vnd.pay+json", "-d", body, url])
  const { "error-code": code, "error-message": message } = JSON.parse(refused.stdout)
  say([])
  say(words(["A request that the gateway refuses, and the reason", "bold"]))
  say(
    words([
      `$ curl …/sale/${ENDPOINT} -d 'client_orderid=${id}&amount=${Basket.amount}&…&control=${control.slice(0, 4)}…'`
    ])
  )
  say(words([`${code}: ${message}`, "bad"]))
  say(words([`$ pay explain sale --form body.txt --received ${control.slice(0, 4)}…`]))
  const pay = spawn(
    process.execPath,
    [join(root, "apps/cli/bin/pay"), "explain", "sale", "--form", "-", "--received", control],
    {
      stdio: ["pipe", "pipe", "inherit"],
      env: { NO_COLOR: "1", ...others, PAY_LOG_LEVEL: "error" }
    }
  )
  pay.stdin.end(body)
  const explanation = (await text(pay.stdout)).trim()
  for (const line of explanation.split("\n")) say(words([line, "good"]))
  return /major units/.test(explanation)
}

/** The shop on `@pay/client`: the file of the program and its arguments. */
export const byFlow = [join(import.meta.dirname, "FlowShop.ts")] as const

/**
 * Runs the duel. Returns whether its outcome was as expected. `opponent` replaces the checkout by hand: the file of a program and
 * its arguments.
 */
export const play = async (say: Say, opponent?: ReadonlyArray<string>): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), "pay-duel-shop-"))
  const byHand = opponent ?? [join(import.meta.dirname, "HandShop.ts"), writeCheckout(folder)]
  const shops = [byHand, byFlow] as const
  const sides = await Promise.all([Side.open(shops[0]), Side.open(shops[1])] as const)
  try {
    say(beside("By hand: docs/from-plain-http.md", "With @pay/client: one call", ["bold", "bold"]))
    say(beside("the customer pays 48.00 USD", "the customer pays 48.00 USD", ["dim", "dim"]))
    await Promise.all(sides.map(({ payAndDie }) => payAndDie()))
    for (const line of requests(sides, [0, 0])) say(line)
    say(beside("← the answer is lost", "← the answer is lost", ["bad", "bad"]))
    say(beside("kill -9", "kill -9", ["bad", "bad"]))
    say(beside("the shop restarts, the customer pays", "the shop restarts, the customer pays", ["dim", "dim"]))
    const from = [sides[0].sent.length, sides[1].sent.length] as const
    const statuses = await Promise.all(sides.map(({ payAgain }) => payAgain()))
    for (const line of requests(sides, from)) say(line)
    const [left = "", right = ""] = statuses
    say(beside("a new name for each attempt", "the same name is the same order", ["dim", "dim"]))
    say(beside(`the shop says: ${left}`, `the shop says: ${right}`))
    const isProved = await compareBooks(sides, say)
    const isExplained = await explainRefusal(sides[1].gateway, say)
    return isProved && isExplained && left === "paid" && right === "approved"
  } finally {
    await Promise.all(sides.map(({ close }) => close()))
    rmSync(folder, { recursive: true, force: true })
  }
}
