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
    "This page is generated from `packages/schema`.",
    `## Refused requests

This is the \`error-code\` of an answer with another HTTP status than 200. The gateway creates no order, and you can use the
\`client_orderid\` again. \`X\` is the name of a field.`,
    table(["Code", "Name", "HTTP status", "Message"], refusals),
    `## Orders that were not approved

This is the \`error-code\` of \`status\` and the \`error_code\` of the callback. Codes from 90 to 99 are the gateway's own. Codes from 100
on are action codes of the card issuer (ISO 8583:1993). A bank may use other codes.`,
    table(["Code", "Name", "Message", "You may try the same card again"], declines)
  )
