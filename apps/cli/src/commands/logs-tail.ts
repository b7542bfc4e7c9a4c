/** `pay logs tail`: prints the latest requests that arrived at the gateway, then each new request, until it is stopped. */
import { operations } from "@pay/gateway/OperatorApi"
import * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect } from "effect"
import { codes, type ExitCode } from "../ExitCode.ts"
import * as Operands from "../Operands.ts"
import { OperatorFailure } from "../OperatorClient.ts"
import type { OperatorWork } from "../OperatorWork.ts"
import * as Program from "../Program.ts"

type Page = (typeof operations.listRequests)["answer"]["Encoded"]
type Row = Page["requests"][number]

const lookAgain = "500 millis"

const signatures = { right: "signed", wrong: "NOT SIGNED", unchecked: "unchecked" } as const

const words = (...parts: ReadonlyArray<string | number | null>): string =>
  parts.filter((part) => part !== null && part !== "").join(" ")

const meaning = (code: number): string | null =>
  Object.values(ErrorCode.codes).find((each) => each.code === code)?.message ?? null

/** Formats a request as one line. The meaning of an error code follows the code. */
const line = (row: Row): string => {
  const { code, endpoint, fields, merchantOrder, operation, order, signature, status, tookMs } = row
  const what = words(operation ?? "no operation", endpoint === null ? null : `at ${endpoint}`)
  const about = words(merchantOrder, order === null ? null : `(${order})`)
  const end = code === null ? "" : words(`${code}`, meaning(code), fields === "" ? null : `[${fields}]`)
  return `${row.at.slice(11, 23)}  ${status}  ${signatures[signature].padEnd(10)}  ${what.padEnd(24)}  ${[about, end].filter((part) => part !== "").join(": ")}  ${tookMs} ms`
}

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
  const show = ({ missed, requests }: Page) => {
    if (missed > 0) progress(`${missed} requests are no longer kept`)
    for (const row of requests) print(line(row), row)
  }
  const follow = Effect.fnUntraced(function* (begin: Page) {
    let after = begin.next
    let isAway = false
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
      after = page.next
    }
  })
  const isOnce = given.flags.has("once")
  const ended = await Program.run(
    Effect.gen(function* () {
      const begin = yield* ask(given.flags.get("after"))
      if (begin instanceof OperatorFailure) return begin
      show(begin)
      return isOnce ? undefined : yield* follow(begin)
    })
  )
  if (ended._tag === "Done" && ended.value !== undefined) throw ended.value
  return codes.ok
}
