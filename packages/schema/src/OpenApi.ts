/** The interface as an OpenAPI 3.1 document, derived from the operations. */
import * as Control from "@pay/signing/Control"
import { Schema } from "effect"
import { ServerErrorResponse, ValidationErrorResponse } from "./answers/ErrorResponse.ts"
import * as Canonical from "./Canonical.ts"
import { mediaType } from "./Dialect.ts"
import * as Field from "./Field.ts"
import * as OpenApiWebhook from "./OpenApiWebhook.ts"
import type { Operation } from "./Operation.ts"
import * as PayApi from "./PayApi.ts"
import * as Sample from "./Sample.ts"
import * as Scheme from "./Scheme.ts"

/** A JSON object of the document. */
export interface Node {
  readonly [key: string]: unknown
}

const formType = "application/x-www-form-urlencoded"

/**
 * The control key of the public samples. The control of each example is computed with this key, for {@link exampleEndpointId}.
 */
const exampleKey = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
const exampleEndpointId = "1111"

const schemaReference = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })

const tagOf = ({ path }: Operation): string => path.split("/").slice(2, -1).join(" ").replace(" pan-eligibility", "")

const controlField: Node = {
  type: "string",
  description: "SHA-1 over the values of x-pay-signing.recipe and the merchant's control key: 40 hex digits.",
  pattern: "^[0-9A-Fa-f]{40}$"
}

const property = (operation: Operation, name: string, info: Field.Info): Node => {
  const others = Object.keys(operation.aliases).filter((alias) => operation.aliases[alias] === name)
  const also = others.length === 0 ? "" : ` Also accepted as ${others.map((alias) => `\`${alias}\``).join(", ")}.`
  return {
    type: "string",
    description: info.about + also,
    ...(info.json.enum === undefined ? { maxLength: info.maxLength } : {}),
    ...info.json,
    examples: [info.sample]
  }
}

const requestSchema = (operation: Operation): Node => {
  const signed = operation.signing._tag === "Control"
  const required = Object.entries(operation.fields).flatMap(([name, field]) => (Field.isOptional(field) ? [] : [name]))
  const properties = [...operation.infos].map(([name, info]) => [name, property(operation, name, info)])
  return {
    type: "object",
    properties: { ...Object.fromEntries(properties), ...(signed ? { control: controlField } : {}) },
    required: [...required, ...(signed ? ["control"] : [])]
  }
}

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

const describe = (operation: Operation): string =>
  [operation.summary, ...operation.rules.map(({ about }) => `- ${about}`)].join("\n")

const answerName = (operation: Operation): string =>
  Schema.toJsonSchemaDocument(operation.response).schema.$ref?.toString().split("/").at(-1) ?? operation.name

const endpoint = (operation: Operation): Node => {
  const oauth = operation.signing._tag === "OAuth"
  return {
    operationId: operation.name,
    tags: [tagOf(operation)],
    summary: operation.summary.replace(/[.:].*$/s, ""),
    description: describe(operation),
    "x-pay-signing": signing(operation),
    "x-pay-acts": operation.acts,
    ...(operation.origin === "specification" ? {} : { "x-pay-origin": operation.origin }),
    security: oauth ? [{ oauth1: [] }] : [],
    parameters: [
      { $ref: "#/components/parameters/endpointId" },
      ...(operation.acts.startsWith("on") ? [{ $ref: "#/components/parameters/idempotencyKey" }] : [])
    ],
    requestBody: {
      required: true,
      content: { [formType]: { schema: schemaReference(operation.requestName), example: requestExample(operation) } }
    },
    responses: {
      "200": {
        description: "Accepted. The answer is durable before it is sent.",
        content: { [mediaType]: { schema: schemaReference(answerName(operation)), example: Sample.answer(operation) } }
      },
      "400": { $ref: "#/components/responses/ValidationError" },
      ...(oauth ? { "401": { $ref: "#/components/responses/Unauthorized" } } : {}),
      "429": { $ref: "#/components/responses/TooManyRequests" },
      "500": { $ref: "#/components/responses/ServerError" },
      default: { $ref: "#/components/responses/Refusal" }
    }
  }
}

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
  content: { [mediaType]: { schema: schemaReference(schema) } }
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
    ...Object.fromEntries(PayApi.all.map((operation) => [operation.requestName, requestSchema(operation)])),
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
    PayApi.all.map((operation) => [`${operation.path}/{endpointId}`, { post: endpoint(operation) }])
  ),
  webhooks: { callback: { get: OpenApiWebhook.callback } },
  components: components()
})
