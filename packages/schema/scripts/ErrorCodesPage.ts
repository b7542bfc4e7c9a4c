import * as Decline from "../src/Decline.ts"
import * as ErrorCode from "../src/ErrorCode.ts"
import { code, page, table } from "./Markdown.ts"

const refusals = Object.entries(ErrorCode.codes).map(([name, { code: number, message, status }]) => [
  String(number),
  code(name),
  String(status),
  message
])

const declines = Object.entries(Decline.declines).map(([name, { code: number, hard, message }]) => [
  String(number),
  code(name),
  message,
  hard ? "no" : "yes"
])

export const errorCodes = (): string =>
  page(
    "# Error codes",
    "Written from `packages/schema`; change it there.",
    `## Refused requests

\`error-code\` of an answer that is not 200. No order comes to be, and the \`client_orderid\` stays free. \`X\` stands for
the name of a field.`,
    table(["Code", "Name", "HTTP status", "Message"], refusals),
    `## Orders that were not approved

\`error-code\` of \`status\` and \`error_code\` of the callback. From 100 on these are the card issuer's action codes
(ISO 8583:1993); 90–99 are the gateway's own. A bank may say others.`,
    table(["Code", "Name", "Message", "Worth another try with the same card"], declines)
  )
