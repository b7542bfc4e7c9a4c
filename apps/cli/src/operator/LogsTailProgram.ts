/** `pay logs tail`: prints the latest requests that arrived at the gateway, then each new request, until it is stopped. */
import { operations } from "@pay/gateway/OperatorApi"
import * as ErrorCode from "@pay/schema/ErrorCode"
import { Clock, Effect } from "effect"
import * as Color from "../terminal/Color.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Program from "../terminal/Program.ts"
import * as Operands from "./Operands.ts"
import { OperatorFailure } from "./OperatorClient.ts"
import type { OperatorWork } from "./OperatorWork.ts"
import * as RequestFolding from "./RequestFolding.ts"

type Page = (typeof operations.listRequests)["answer"]["Encoded"]
type Row = Page["requests"][number]

const lookAgain = "500 millis"

/** Time after which the number of folded requests is shown. */
const COUNT_EVERY_MS = 60_000

const signatures = { right: "signed", wrong: "NOT SIGNED", unchecked: "unchecked" } as const

const words = (...parts: ReadonlyArray<string | number | null>): string =>
  parts.filter((part) => part !== null && part !== "").join(" ")

/** Returns the meaning of an error code, with the names of the wrong fields in it. */
const meaning = (code: number, fields: string): string => {
  const message = Object.values(ErrorCode.codes).find((each) => each.code === code)?.message ?? ""
  if (!message.includes("Parameter X")) return words(message, fields === "" ? null : `[${fields}]`)
  return message.replace("Parameter X", fields === "" ? "A parameter" : `Parameter ${fields}`)
}

/** Formats a request as one line. The meaning of an error code follows the code. */
const line = (row: Row): string => {
  const { address, code, endpoint, fields, key, merchantOrder, operation, order, signature, status, tookMs } = row
  const what = words(operation ?? "no operation", endpoint === null ? null : `at ${endpoint}`)
  const about = words(merchantOrder, order === null ? null : `(${order})`)
  const sender = words("from", address, key === null ? null : `with ${key}`)
  const end = code === null ? "" : words(`${code}`, meaning(code, fields))
  return `${row.at.slice(11, 23)}  ${status}  ${signatures[signature].padEnd(10)}  ${what.padEnd(24)}  ${[about, end].filter((part) => part !== "").join(": ")}  ${sender}  ${tookMs} ms`
}

const colors = Color.matching(
  [/ {2}2\d\d {2}/, "green"],
  [/ {2}4\d\d {2}/, "yellow"],
  [/ {2}5\d\d {2}/, "red"],
  [/NOT SIGNED/, "red"]
)

const counted = (equal: number): string => `${equal} equal ${equal === 1 ? "request" : "requests"}`

export const run = async ({ client, given, operands, operation, print, progress }: OperatorWork): Promise<ExitCode> => {
  const filters = await Operands.read(operation, given, operands, "logs")
  const call = async (after: string | undefined): Promise<Page | OperatorFailure> => {
    try {
      return await client.call(operations.listRequests, { ...filters, ...(after !== undefined && { after }) })
    } catch (error) {
      if (error instanceof OperatorFailure) return error
      throw error
    }
  }
  const ask = (after: string | undefined) => Effect.promise(() => call(after))
  const isFolding = !given.flags.has("all") && !given.flags.has("json")
  const folding = RequestFolding.make(isFolding)
  const show = ({ missed, requests }: Page) => {
    if (missed > 0) progress(`${missed} requests are no longer kept`)
    for (const row of requests) {
      const { equal, isShown } = folding.take(row)
      if (isShown)
        print(equal === 0 ? line(row) : `${line(row)}  after ${counted(equal)} with another answer`, row, colors)
    }
  }
  const sum = () => {
    for (const { equal, row } of folding.rest()) print(`${line(row)}  the last of ${counted(equal)} more`, row, colors)
  }
  const follow = Effect.fnUntraced(function* (begin: Page) {
    let after = begin.next
    let isAway = false
    let countedAtMs = yield* Clock.currentTimeMillis
    while (true) {
      yield* Effect.sleep(lookAgain)
      const page = yield* ask(after)
      if (page instanceof OperatorFailure) {
        if (page.code === codes.refused) return page
        if (!isAway) progress("The gateway does not answer; this goes on when it does.")
        isAway = true
        continue
      }
      isAway = false
      show(page)
      const nowMs = yield* Clock.currentTimeMillis
      if (nowMs - countedAtMs >= COUNT_EVERY_MS) {
        sum()
        countedAtMs = nowMs
      }
      after = page.next
    }
  })
  const isOnce = given.flags.has("once") || given.flags.has("limit")
  const ended = await Program.run(
    Effect.gen(function* () {
      const begin = yield* ask(given.flags.get("after"))
      if (begin instanceof OperatorFailure) return begin
      show(begin)
      return isOnce ? undefined : yield* follow(begin)
    })
  )
  sum()
  if (ended._tag === "Done" && ended.value !== undefined) throw ended.value
  return codes.ok
}
