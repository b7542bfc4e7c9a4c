import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as OpenApi from "../src/OpenApi.ts"
import * as PayApi from "../src/PayApi.ts"

const config = await createConfig({ extends: ["recommended"] })

const problems = async (document: unknown): Promise<ReadonlyArray<string>> => {
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi.json", config })
  return found.map(({ location, message, ruleId }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    paths: Schema.Record(
      Schema.String,
      Schema.Struct({
        post: Schema.Struct({ operationId: Schema.String, "x-pay-signing": Schema.Struct({ scheme: Schema.String }) })
      })
    ),
    components: Schema.Struct({ schemas: Schema.Record(Schema.String, Schema.Struct({ properties: Schema.Unknown })) })
  })
)

describe("OpenApi.document", () => {
  const document = OpenApi.document()
  const { components, paths } = decode(document)

  it("satisfies the linter, warnings included", async () => expect(await problems(document)).toEqual([]))
  it("would not satisfy it with an example that does not fit its schema", async () => {
    const broken = JSON.parse(JSON.stringify(document).replaceAll('"login":"merchantlogin"', '"login":7'))
    expect((await problems(broken)).join()).toContain("example")
  })
  it("has every operation with its way of signing", () =>
    expect(
      Object.entries(paths).map(([path, { post }]) => [path, post.operationId, post["x-pay-signing"].scheme])
    ).toEqual(
      PayApi.all.map(({ name, path, signing }) => [
        `${path}/{endpointId}`,
        name,
        signing._tag === "Control" ? "control" : "oauth1"
      ])
    ))
  it("has a schema for every request, and names the control where there is one", () => {
    expect(components.schemas.SaleRequest?.properties).toHaveProperty("control")
    expect(components.schemas.V4PayoutRequest?.properties).not.toHaveProperty("control")
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(["StatusResponse", "ServerErrorResponse"]))
  })
})
