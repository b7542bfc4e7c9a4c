/** The interface as an OpenAPI 3.1 document, derived from the operations. */
import * as Control from "@pay/signing/Control"
import { Schema } from "effect"
import { ServerErrorResponse, ValidationErrorResponse } from "../src/answers/ErrorResponse.ts"
import * as Canonical from "../src/Canonical.ts"
import { mediaType } from "../src/Dialect.ts"
import type { Operation } from "../src/Operation.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Sample from "../src/Sample.ts"
import * as Scheme from "../src/Scheme.ts"
import { type Node, reference, schemas } from "./OpenApiRequests.ts"
import * as OpenApiWebhook from "./OpenApiWebhook.ts"

const formType = "application/x-www-form-urlencoded"

/**
 * The control key of the public samples. The control of each example is computed with this key, for {@link exampleEndpointId}.
 */
const exampleKey = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
const exampleEndpointId = "1111"

const tagOf = ({ path }: Operation): string => path.split("/").slice(2, -1).join(" ").replace(" pan-eligibility", "")

const requestExample = (operation: Operation): Node => {
  const fields = Sample.request(operation)
  if (operation.signing._tag === "OAuth") return fields
  const values = Canonical.controlValues(operation, fields, { endpointId: exampleEndpointId, mode: "minor" })
  return { ...fields, control: Control.sign(operation.signing.recipe, values, exampleKey) }
}

const signing = (operation: Operation): Node =>
  Scheme.match(operation.signing, {
    Control: ({ recipe }): Node => ({ scheme: "control", hash: "SHA-1", encoding: "hex", recipe }),
    OAuth: ({ methods }): Node => ({ scheme: "oauth1", methods })
  })

const answerName = (operation: Operation): string =>
  Schema.toJsonSchemaDocument(operation.response).schema.$ref?.toString().split("/").at(-1) ?? operation.name

const firstSentence = ({ summary }: Operation): string => summary.split(/[.:](?:\s|$)/, 1).join()

/** Returns what the first sentence of the summary, which the document has as such, does not say. */
const description = (operation: Operation): Node => {
  const { rules, summary } = operation
  const isLonger = summary.replace(/\.$/, "") !== firstSentence(operation)
  const lines = [...(isLonger ? [summary] : []), ...rules.map(({ about }) => `- ${about}`)]
  return lines.length === 0 ? {} : { description: lines.join("\n") }
}

const parameterReference = (name: string): Node => ({ $ref: `#/components/parameters/${name}` })
const responseReference = (name: string): Node => ({ $ref: `#/components/responses/${name}` })

const endpoint = (operation: Operation): Node => {
  const oauth = operation.signing._tag === "OAuth"
  return {
    operationId: operation.name,
    tags: [tagOf(operation)],
    summary: firstSentence(operation),
    ...description(operation),
    "x-pay-signing": signing(operation),
    "x-pay-acts": operation.acts,
    ...(operation.origin === "specification" ? {} : { "x-pay-origin": operation.origin }),
    security: oauth ? [{ oauth1: [] }] : [],
    ...(operation.acts.startsWith("on") ? { parameters: [parameterReference("idempotencyKey")] } : {}),
    requestBody: {
      required: true,
      content: { [formType]: { schema: reference(operation.requestName), example: requestExample(operation) } }
    },
    responses: {
      "200": responseReference(answerName(operation)),
      "400": responseReference("ValidationError"),
      ...(oauth ? { "401": responseReference("Unauthorized") } : {}),
      "429": responseReference("TooManyRequests"),
      "500": responseReference("ServerError"),
      default: responseReference("Refusal")
    }
  }
}

/** The answers by name. All operations with one answer have one example of it. */
const answers = (): Node =>
  Object.fromEntries(
    PayApi.all.map((operation) => [
      answerName(operation),
      {
        description: "Accepted. The answer is durable before it is sent.",
        content: { [mediaType]: { schema: reference(answerName(operation)), example: Sample.answer(operation) } }
      }
    ])
  )

const answerSchemas = (): Node => {
  const responses = [
    ...new Set(PayApi.all.map(({ response }) => response)),
    ValidationErrorResponse,
    ServerErrorResponse
  ]
  const definitions = Object.assign(
    {},
    ...responses.map((response) => Schema.toJsonSchemaDocument(Schema.toType(response)).definitions)
  )
  return JSON.parse(JSON.stringify(definitions).replaceAll("#/$defs/", "#/components/schemas/"))
}

const refusal = (description: string, schema: string, headers: Node = {}): Node => ({
  description,
  ...(Object.keys(headers).length === 0 ? {} : { headers }),
  content: { [mediaType]: { schema: reference(schema) } }
})

const header = (description: string): Node => ({ description, schema: { type: "string" } })

const components = (): Node => ({
  parameters: {
    endpointId: {
      name: "endpointId",
      in: "path",
      required: true,
      description: "The endpoint, or an endpoint group.",
      schema: { type: "integer", format: "int64", minimum: 1, examples: [Number(exampleEndpointId)] }
    },
    idempotencyKey: {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "A repetition with the same key and content has no second effect. 1 to 255 printable ASCII characters.",
      schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" }
    },
    ...OpenApiWebhook.parameters(exampleKey)
  },
  responses: {
    ...answers(),
    ValidationError: refusal("The request is refused. All problems are listed at once.", "ValidationErrorResponse"),
    Unauthorized: refusal("The signature, its time or its nonce is refused.", "ValidationErrorResponse", {
      "WWW-Authenticate": header("`OAuth` (RFC 5849, section 3.2).")
    }),
    TooManyRequests: refusal("Too many requests.", "ValidationErrorResponse", {
      "Retry-After": header("Seconds to wait.")
    }),
    Refusal: refusal("Refused before the form is read: 404, 405, 408, 413; or 503.", "ValidationErrorResponse"),
    ServerError: refusal("The outcome is not known: ask for the status.", "ServerErrorResponse")
  },
  securitySchemes: {
    oauth1: {
      type: "http",
      scheme: "OAuth",
      description: "OAuth 1.0a (RFC 5849) without token. The consumer key is the merchant login; see x-pay-signing."
    }
  },
  schemas: {
    ...schemas(),
    ...answerSchemas()
  }
})

const introduction = `Server-to-server payments: card sales, preauthorisations, stored cards, recurring payments, payouts
and hosted forms. Every operation is a POST of a form. The header \`Accept\` must be \`${mediaType}\`. Operations signed
by \`control\` carry it as a field; the others are signed by OAuth 1.0a in the header \`Authorization\`. Unknown fields
are ignored. Identifiers and amounts in answers are text.`

const tags: ReadonlyArray<Node> = [
  { name: "3ds v1", description: "Results of 3-D Secure steps that the merchant ran." },
  { name: "v2", description: "Operations of version 2." },
  { name: "v4", description: "Operations of version 4, signed with the merchant's RSA key." }
]

/** Returns the whole OpenAPI document. */
export const document = (): Node => ({
  openapi: "3.1.0",
  info: {
    title: "Payment Processing Server-to-Server API",
    version: "dev",
    description: introduction,
    license: { name: "MIT", identifier: "MIT" }
  },
  servers: [
    {
      url: "{base_url}",
      description: "The gateway.",
      variables: { base_url: { default: "https://gateway.example", description: "Where the gateway is." } }
    }
  ],
  tags,
  paths: Object.fromEntries(
    PayApi.all.map((operation) => [
      `${operation.path}/{endpointId}`,
      { parameters: [parameterReference("endpointId")], post: endpoint(operation) }
    ])
  ),
  webhooks: { callback: { get: OpenApiWebhook.callback, post: OpenApiWebhook.posted } },
  components: components()
})
