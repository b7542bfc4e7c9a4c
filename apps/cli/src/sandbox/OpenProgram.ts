/** `pay open`: opens documents, the shop, or the page on which an order waits for its customer. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { variable } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as WebBrowser from "../terminal/WebBrowser.ts"

const slashless = (url: string): string => url.replace(/^(.*[^/])?\/*$/s, "$1")

/**
 * Returns the address of a document: below PAY_DOCS_URL, or a file of the repository, which is beside the sources and beside the
 * built program.
 */
const documentOf = (page: string): string => {
  if (!/^[\w/-]{1,64}$/.test(page))
    throw new UsageError("The name of a page is like operators/operating or merchants/flows/card-sale", "open")
  const base = variable("PAY_DOCS_URL")
  if (base !== undefined) return `${slashless(base)}/${page}.md`
  const path = ["../../../docs", "../../../../docs"]
    .map((folder) => join(import.meta.dirname, folder, `${page}.md`))
    .find(existsSync)
  if (path !== undefined) return path
  throw new UsageError(`There is no page of this name here: pay open docs merchants/cli, or set PAY_DOCS_URL`, "open")
}

const shopAddress = (given: Flags.Given): string => {
  const url = given.flags.get("shop-url") ?? variable("PAY_SHOP_URL") ?? "http://127.0.0.1:8090/"
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url
  throw new UsageError("--shop-url (PAY_SHOP_URL) is an address: http://127.0.0.1:8090", "open")
}

const show = (url: string, given: Flags.Given): ExitCode => {
  Output.print({ text: url, json: { outcome: "answered", url } }, given.flags.has("json"))
  if (!given.flags.has("no-open")) WebBrowser.open(url)
  return codes.ok
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.open, "open")
  const [target, ...others] = given.operands
  if (target === undefined || others.length > (target === "docs" ? 1 : 0))
    throw new UsageError("Say what to open: docs, shop, or the client_orderid of an order", "open")
  if (target === "docs") return show(documentOf(others[0] ?? "merchants/cli"), given)
  if (target === "shop") return show(shopAddress(given), given)
  const { statusOf } = await import("../request/OrderStatus.ts")
  const result = await statusOf(target, given)
  if (result._tag === "Failure") {
    Output.printFailure(result.failure.report, given.flags.has("json"))
    return result.failure.code
  }
  const answer = result.success
  const url = answer["redirect-to"]
  if (url !== undefined) return show(url, given)
  const text = `No page of this order waits for its customer: it is ${answer.status}. pay why ${Output.quoted(target)} says what happens next.
The address of a payment page (redirect-url) stands only in the answer that created it.`
  Output.printFailure({ text, json: { outcome: "refused", status: answer.status } }, given.flags.has("json"))
  return codes.refused
}
