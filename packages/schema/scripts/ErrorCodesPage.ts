import * as Decline from "../src/Decline.ts"
import * as ErrorCode from "../src/ErrorCode.ts"
import { code, page, table } from "./Markdown.ts"

/** What to do after refusals whose message does not say it. */
const advice: Readonly<Record<string, string>> = {
  authenticationFailed: "[`pay doctor`](cli.md) checks the settings, and `pay explain` names the mistake in `control`",
  oauthSignatureInvalid:
    "[`pay doctor`](cli.md) checks the settings, and `pay explain` names the mistake in the signature"
} satisfies Partial<Record<ErrorCode.Name, string>>

const refusals = Object.entries(ErrorCode.codes).map(([name, { code: number, message, status }]) => [
  String(number),
  code(name),
  String(status),
  message,
  advice[name] ?? ""
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

This is the \`error-code\` of an answer whose HTTP status is not 200. The request had no effect. Only after code 84 the outcome is
unknown: ask \`status\`. \`X\` is the name of a field.`,
    table(["Code", "Name", "HTTP status", "Message", "What to do"], refusals),
    `## Orders that were not approved

This is the \`error-code\` of \`status\` and the \`error_code\` of the callback. The gateway sets the codes from 90 to 99. Codes from 100 on
are action codes of the card issuer (ISO 8583:1993). A bank may use others.`,
    table(["Code", "Name", "Message", "You may try the same card again"], declines)
  )
