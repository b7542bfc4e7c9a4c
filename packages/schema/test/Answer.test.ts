import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { AsyncResponse } from "../src/answers/AsyncResponse.ts"
import { ValidationErrorResponse } from "../src/answers/ErrorResponse.ts"
import { StatusResponse } from "../src/answers/StatusResponse.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Sample from "../src/Sample.ts"

const operations = PayApi.all.map((operation) => ({ name: operation.name, operation }))

describe.each(operations)("the response of $name", ({ operation }) => {
  const decode = Schema.decodeUnknownResult(operation.response)
  const answer = Sample.answer(operation)
  it("decodes its sample, and encodes it unchanged", () => {
    expect(decode(answer)).toEqual(Result.succeed(answer))
    expect(Schema.encodeUnknownSync(operation.response)(answer)).toEqual(answer)
  })
  it("has kebab-case keys, a type and a serial number", () => {
    expect(Object.keys(answer).filter((key) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(key))).toEqual([])
    expect(answer).toHaveProperty("type")
    expect(answer).toHaveProperty("serial-number")
  })
  it("is refused without any one of its required keys", () => {
    for (const key of Object.keys(answer)) {
      const { [key]: _, ...rest } = answer
      expect(Result.isFailure(decode(rest)), key).toBe(true)
    }
  })
})

describe("a response of another gateway", () => {
  const decode = Schema.decodeUnknownResult(AsyncResponse)
  const answer = { type: "async-response", "serial-number": "s", "paynet-order-id": "1", "merchant-order-id": "2" }
  it("may write identifiers as numbers", () =>
    expect(decode({ ...answer, "paynet-order-id": 6768788, "end-point-id": 1111 })).toEqual(
      Result.succeed({ ...answer, "paynet-order-id": "6768788", "end-point-id": "1111" })
    ))
  it("may contain additional keys, which are ignored", () =>
    expect(decode({ ...answer, "new-key": [] })).toEqual(Result.succeed(answer)))
  it.each([null, true, {}, []])("is refused if an identifier is %j", (value) =>
    expect(Result.isFailure(decode({ ...answer, "paynet-order-id": value }))).toBe(true)
  )
  it.each([null, "approved", [], 1])("is refused if it is %j", (value) =>
    expect(Result.isFailure(decode(value))).toBe(true)
  )
  it("may contain an unknown status and an unknown transaction type", () => {
    const status = { ...answer, type: "status-response", status: "chain_declined", "transaction-type": "retrieval" }
    expect(Schema.decodeResult(StatusResponse)(status)).toEqual(Result.succeed(status))
  })
  it("may be a refusal with only a message, or with a list of errors", () => {
    const decodeError = Schema.decodeUnknownResult(ValidationErrorResponse)
    const bare = { type: "validation-error", "error-message": "no" }
    expect(decodeError(bare)).toEqual(Result.succeed(bare))
    expect(decodeError({ ...bare, "error-code": 1, errors: [{ field: "amount", code: 1, message: "no" }] })).toEqual(
      Result.succeed({ ...bare, "error-code": "1", errors: [{ field: "amount", code: "1", message: "no" }] })
    )
  })
})
