/** The page of one operation, written from the contract. */
import type * as ErrorCode from "@pay/schema/ErrorCode"
import * as Field from "@pay/schema/Field"
import type { Operation } from "@pay/schema/Operation"
import * as Sample from "@pay/schema/Sample"
import * as Scheme from "@pay/schema/Scheme"
import { SchemaAST } from "effect"
import * as ExampleRequest from "../snippets/ExampleRequest.ts"
import { facts, languages } from "../snippets/Language.ts"
import * as Snippets from "../snippets/Snippets.ts"
import { code, codes, fence, folded, list, page, table, tabs } from "./Markdown.ts"
import * as OperationErrors from "./OperationErrors.ts"

/** Returns the name of the page's file without its extension: `v4-payout`. */
export const fileName = ({ command }: Operation): string => command.replaceAll("/", "-")

const again = "If you send the same request again, nothing else happens."

/** Returns the sentence about the effect of a second request with the same content. */
const repetition = (operation: Operation): string => {
  if (operation.acts === "reads") return "It only reads. You may repeat it."
  if (operation.acts === "creates")
    return "It creates an order. If you send the same request again, under the same order name, you get the first answer again and nothing else happens."
  if (OperationErrors.takesKey(operation))
    return "It acts on an order. Send a header `Idempotency-Key` (1 to 255 printable ASCII characters): a repetition with the same key and content has no second effect. Without a key, a repeated whole action has no second effect either, and an equal partial amount within 24 hours is refused."
  return operation.acts === "onOrder" ? `It acts on an order. ${again}` : `It sets the values that you send. ${again}`
}

const signature = ({ signing }: Operation): string =>
  Scheme.match(signing, {
    Control: (scheme) =>
      `by the field \`control\`: SHA-1 of ${ExampleRequest.recipeText(scheme)}, joined without separators, as 40 hex digits. A value that is absent counts as an empty text.`,
    OAuth: ({ methods }) =>
      `by OAuth 1.0a (RFC 5849) without token, in the header \`Authorization\`. Method: ${codes(methods)}. It covers all fields. The consumer key is your login. ${
        methods.includes("HMAC-SHA1") ? "The key of HMAC-SHA1 is the control key, encoded, and `&`." : ""
      }`.trimEnd()
  })

const spellings = (operation: Operation, name: string): string =>
  codes([name, ...Object.keys(operation.aliases).filter((alias) => operation.aliases[alias] === name)])

const longestPattern = 60

const limits = ({ json, maxLength }: Field.Info): string => {
  if (json.enum !== undefined) return `One of ${codes(json.enum)}`
  const length = `At most ${maxLength} characters`
  const { pattern } = json
  return pattern === undefined || pattern.length > longestPattern ? length : `${length}, ${code(pattern)}`
}

const longestSample = 40

const shortened = (sample: string): string =>
  sample.length > longestSample ? `${sample.slice(0, longestSample)}…` : sample

/** More rows than these are folded if not every reader needs them. */
const mostRows = 5

type Rows = ReadonlyArray<ReadonlyArray<string>>

/** Returns a table of fields. If many of them are not always there, they are folded, below a heading that the search finds. */
const fieldTable = (head: ReadonlyArray<string>, rows: Rows, always: string, others: string): string => {
  const more = rows.filter(([, word]) => word !== always)
  if (more.length <= mostRows) return table(head, rows)
  const shown = rows.filter((each) => !more.includes(each))
  return [
    ...(shown.length === 0 ? [] : [table(head, shown)]),
    `### ${others}`,
    folded(`${more.length} fields`, table(head, more))
  ].join("\n\n")
}

const requestFields = (operation: Operation): string =>
  fieldTable(
    ["Field", "Needed", "Meaning", "Format"],
    Object.entries(operation.fields).map(([name, field]) => {
      const info = Field.info(field)
      return [
        spellings(operation, name),
        Field.isOptional(field) ? "optional" : "required",
        info.about,
        `${limits(info)}, such as ${code(shortened(info.sample))}`
      ]
    }),
    "required",
    "Optional fields"
  )

const description = SchemaAST.resolveAt<string>("description")
const examples = SchemaAST.resolveAt<ReadonlyArray<string>>("examples")

/** Returns the table rows of an answer's fields, from the answer's schema. */
const answerFields = ({ response: { ast } }: Operation): Rows =>
  SchemaAST.isObjects(ast)
    ? ast.propertySignatures.map(({ name, type }) => [
        code(String(name)),
        SchemaAST.isOptional(type) ? "sometimes" : "always",
        description(type) ?? "",
        code(examples(type)?.[0] ?? "")
      ])
    : []

const isAsync = (operation: Operation): boolean => Sample.answer(operation).type?.startsWith("async") === true

const errorTable = (errors: ReadonlyArray<ErrorCode.ErrorCode>): string =>
  table(
    ["Code", "HTTP status", "Message"],
    errors.map(({ code: number, message, status }) => [String(number), String(status), message])
  )

const outcome = (operation: Operation): string =>
  isAsync(operation)
    ? "The answer says that the request is accepted and stored, not that it succeeded. The outcome comes by [status](status.md) and by [callback](../callbacks.md). An order ends `approved`, `declined`, `filtered` or `error`; [the reasons](../error-codes.md#orders-that-were-not-approved) are in `error-code`."
    : "The answer is the outcome."

/** Returns the page as Markdown. Its links are relative to the pages of the other operations. */
export const write = (operation: Operation): string => {
  const request = ExampleRequest.of(operation)
  const snippets = Snippets.of(request)
  const needs = ExampleRequest.needs(request)
  const { common, own } = OperationErrors.of(operation)
  return page(
    `# ${operation.command}`,
    operation.summary,
    fence("http", `POST ${operation.path}/{endpointId}`),
    `The request is a form. It is signed ${signature(operation)}`,
    repetition(operation),
    "## Example",
    "`npm start` runs a sandbox. The examples use its merchant and these keys, which are no secret. Start them in the folder of the repository, or set `PAY_BASE_URL` and `PAY_PRIVATE_KEY_FILE`. TypeScript needs `@pay/client`; in the repository, save the file in `tools/docs`.",
    needs.length === 0
      ? ""
      : `They read values of earlier requests from the environment:\n\n${list(needs.map(({ from, variable }) => `${code(variable)}: ${from}`))}`,
    tabs(Object.fromEntries(languages.map((language) => [language, fence(facts[language].fence, snippets[language])]))),
    "An accepted request is answered with HTTP status 200 and at least these fields:",
    fence("json", JSON.stringify(Sample.answer(operation), null, 2)),
    "## Request",
    "The gateway trims values, treats an empty value as absent, and ignores unknown fields. If a field has several names, the first is the primary one.",
    list(operation.rules.map(({ about }) => about)),
    requestFields(operation),
    "## Answer",
    outcome(operation),
    fieldTable(
      ["Field", "Present", "Meaning", "Example"],
      answerFields(operation),
      "always",
      "Fields that are present sometimes"
    ),
    "## Errors",
    "A refused request has no effect. Its answer has `type` `validation-error`, the first problem in `error-code` and `error-message`, and all of them in `errors`.",
    own.length > mostRows ? folded(`${own.length} error codes`, errorTable(own)) : errorTable(own),
    `Any request can also be refused with ${common.map(({ code: number }) => number).join(", ")}: [what they mean](../error-codes.md#refused-requests).`,
    "After HTTP status 500, or without an answer, the outcome is unknown: ask [status](status.md) before you repeat the request."
  )
}
