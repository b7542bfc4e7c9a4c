import * as Signed from "@pay/signing/Callback"
import type * as Form from "@pay/signing/Form"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as OpenApi from "../scripts/OpenApi.ts"
import * as CallbackFields from "../src/CallbackFields.ts"
import * as PayApi from "../src/PayApi.ts"
import * as TextTable from "./TextTable.ts"

const config = await createConfig({ extends: ["recommended"] })

const problems = async (document: unknown): Promise<ReadonlyArray<string>> => {
  const matches = await lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi.json", config })
  return matches.map(({ location, message, ruleId }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

const Reference = Schema.Struct({ $ref: Schema.String })
const Content = Schema.Record(Schema.String, Schema.Struct({ schema: Reference }))
const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    paths: Schema.Record(
      Schema.String,
      Schema.Struct({
        post: Schema.Struct({
          operationId: Schema.String,
          "x-pay-signing": Schema.Struct({ scheme: Schema.String }),
          requestBody: Schema.Struct({ content: Content }),
          responses: Schema.Struct({ "200": Reference })
        })
      })
    ),
    webhooks: Schema.Struct({
      callback: Schema.Struct({
        get: Schema.Struct({ parameters: Schema.Array(Reference) })
      })
    }),
    components: Schema.Struct({
      parameters: Schema.Record(
        Schema.String,
        Schema.Struct({
          name: Schema.String,
          in: Schema.String,
          schema: Schema.Unknown,
          example: Schema.optionalKey(Schema.String)
        })
      ),
      responses: Schema.Record(Schema.String, Schema.Struct({ content: Content })),
      schemas: Schema.Record(Schema.String, Schema.Struct({ properties: Schema.optionalKey(Schema.Unknown) }))
    })
  })
)

/** The specification's endpoint tables: path, request schema and response schema, typed off by hand. */
const specification = TextTable.rows(`
/api/3ds/v1/upload-cres-result       | TdsCResResultRequest           | AsyncResponse
/api/3ds/v1/upload-method-url-result | TdsMethodUrlResultRequest      | AsyncResponse
/api/3ds/v1/upload-pares-result      | TdsPaResResultRequest          | AsyncResponse
/api/v2/account-verification-form    | AccountVerificationFormRequest | AsyncCheckoutFormRedirect
/api/v2/account-verification         | AccountVerificationRequest     | AsyncResponse
/api/v2/capture                      | CaptureRequest                 | AsyncResponse
/api/v2/create-card-ref              | CreateCardRefRequest           | CardRefAsyncResponse
/api/v2/get-card-info                | GetCardInfoRequest             | CardInfoAsyncResponse
/api/v2/make-rebill                  | RebillRequest                  | AsyncResponse
/api/v2/payment-form                 | PaymentFormRequest             | AsyncCheckoutFormRedirect
/api/v2/payout-form                  | PayoutFormRequest              | AsyncCheckoutFormRedirect
/api/v2/payout                       | PayoutRequest                  | AsyncResponse
/api/v2/preauth-form                 | AuthFormRequest                | AsyncCheckoutFormRedirect
/api/v2/preauth                      | AuthRequest                    | AsyncResponse
/api/v2/return                       | ReturnRequest                  | AsyncResponse
/api/v2/sale-form                    | SaleFormRequest                | AsyncCheckoutFormRedirect
/api/v2/sale                         | SaleRequest                    | AsyncResponse
/api/v2/status                       | StatusRequest                  | StatusResponse
/api/v2/void                         | VoidRequest                    | AsyncResponse
/api/v4/create-card-ref              | CreateCardRefV4Request         | CardRefV4AsyncResponse
/api/v4/create-recurring-payment     | RecurringPaymentForCreation    | CreateRecurringPaymentResponse
/api/v4/payout-check                 | PayoutCheckRequest             | AsyncResponse
`)

describe("OpenApi.document", () => {
  const document = OpenApi.document()
  const { components, paths, webhooks } = decode(document)

  it("passes the linter without warnings", async () => expect(await problems(document)).toEqual([]))
  it("fails the linter with an example that does not match its schema", async () => {
    const broken = JSON.parse(JSON.stringify(document).replaceAll('"login":"merchantlogin"', '"login":7'))
    expect((await problems(broken)).join()).toContain("example")
  })
  it("describes every operation with its signature scheme", () =>
    expect(
      Object.entries(paths).map(([path, { post }]) => [path, post.operationId, post["x-pay-signing"].scheme])
    ).toEqual(
      PayApi.all.map(({ name, path, signing }) => [
        `${path}/{endpointId}`,
        name,
        signing._tag === "Control" ? "control" : "oauth1"
      ])
    ))
  it("names request and response schemas as the specification does", () => {
    const nameOf = (content: { readonly schema: { readonly $ref: string } } | undefined) =>
      content?.schema.$ref.replace("#/components/schemas/", "")
    const answerOf = (answer = "") => components.responses[answer.replace("#/components/responses/", "")]?.content
    const named = specification.map(([path = ""]) => {
      const post = paths[`${path}/{endpointId}`]?.post
      const request = post?.requestBody.content["application/x-www-form-urlencoded"]
      return [path, nameOf(request), nameOf(answerOf(post?.responses["200"].$ref)?.["application/vnd.pay+json"])]
    })
    expect(named).toEqual(specification)
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(named.flatMap(([, ...names]) => names)))
  })
  it("describes endpointId as int64, like the specification", () =>
    expect(components.parameters.endpointId?.schema).toMatchObject({ type: "integer", format: "int64" }))
  const callback = webhooks.callback.get.parameters.flatMap(
    ({ $ref }) => components.parameters[$ref.replace("#/components/parameters/", "")] ?? []
  )
  it("describes the callback with all its parameters and headers", () => {
    const names = (place: string) => callback.filter((one) => one.in === place).map(({ name }) => name)
    expect(names("query")).toEqual(Object.keys(CallbackFields.fields))
    expect(names("header")).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"])
  })
  it("has a signed example of the callback", () => {
    const values = callback.map(({ example = "", name }): Form.Parameter => [name, example])
    expect(Signed.verify(values, ["B17F59B4-A7DC-41B4-8FF9-37D986B43D20"]).ok).toBe(true)
  })
  it("describes equal requests once", () => {
    expect(document).toMatchObject({
      components: { schemas: { SaleRequest: { $ref: "#/components/schemas/AuthRequest" } } }
    })
  })
  it("has a schema for every request, with the control where the operation is signed by one", () => {
    expect(components.schemas.StatusRequest?.properties).toHaveProperty("control")
    expect(components.schemas.PayoutV4Request?.properties).not.toHaveProperty("control")
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(["StatusResponse", "ServerErrorResponse"]))
  })
})
