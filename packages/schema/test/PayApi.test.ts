import * as Control from "@pay/signing/Control"
import { describe, expect, expectTypeOf, it } from "vitest"
import type * as Operation from "../src/Operation.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Scheme from "../src/Scheme.ts"
import * as TextTable from "./TextTable.ts"

/** The specification's endpoint tables and signing tables, typed off by hand. */
const specification = `
/api/3ds/v1/upload-cres-result       | TDS_UPLOAD_CRES_RESULT       | login client-order-id orderid                  | onOrder
/api/3ds/v1/upload-method-url-result | TDS_UPLOAD_METHOD_URL_RESULT | login client-order-id orderid                  | onOrder
/api/3ds/v1/upload-pares-result      | TDS_UPLOAD_PARES_RESULT      | login client-order-id orderid                  | onOrder
/api/v2/account-verification-form    | ACCOUNT_VERIFICATION_FORM    | endpointId client_orderid email                | creates
/api/v2/account-verification         | ACCOUNT_VERIFICATION         | endpointId client_orderid email                | creates
/api/v2/capture                      | CAPTURE                      | login client_orderid orderid amount currency   | onOrder
/api/v2/create-card-ref              | CARDREF                      | login client_orderid orderid                   | onOrder
/api/v2/get-card-info                | CARDINFO                     | login cardrefid                                | reads
/api/v2/make-rebill                  | REBILL                       | login client_orderid cardrefid amount currency | creates
/api/v2/payment-form                 | PAYMENTFORM                  | endpointId client_orderid amount email         | creates
/api/v2/payout-form                  | PAYOUTFORM                   | HMAC-SHA1 RSA-SHA256                           | creates
/api/v2/payout                       | PAYOUT                       | HMAC-SHA1                                      | creates
/api/v2/preauth-form                 | PREAUTHFORM                  | endpointId client_orderid amount email         | creates
/api/v2/preauth                      | PREAUTH                      | endpointId client_orderid amount email         | creates
/api/v2/return                       | RETURN                       | login client_orderid orderid amount currency   | onOrder
/api/v2/sale-form                    | SALEFORM                     | endpointId client_orderid amount email         | creates
/api/v2/sale                         | SALE                         | endpointId client_orderid amount email         | creates
/api/v2/status                       | STATUS                       | login client_orderid orderid                   | reads
/api/v2/void                         | VOID                         | login client_orderid orderid                   | onOrder
/api/v4/create-card-ref              | CARDREF_V4                   | RSA-SHA256                                     | onOrder
/api/v4/create-recurring-payment     | CREATE_RP_V4                 | RSA-SHA256                                     | creates
/api/v4/payout-check                 | PAYOUT_V4_CHECK              | RSA-SHA256                                     | creates
/api/v4/payout-pay                   | PAYOUT_V4_PAY                | RSA-SHA256                                     | onOrder
/api/v2/pan-eligibility/send         | PAN_ELIGIBILITY_SEND         | HMAC-SHA1                                      | creates
/api/v4/transfer                     | TRANSFER_V4                  | RSA-SHA256                                     | creates
/api/v4/transfer-by-ref              | TRANSFER_BY_REF_V4           | RSA-SHA256                                     | creates
/api/v4/payout                       | PAYOUT_V4                    | RSA-SHA256                                     | creates
/api/v4/process-recurring-payment    | PROCESS_RP_V4                | RSA-SHA256                                     | creates
/api/v4/update-recurring-payment     | UPDATE_RP_V4                 | RSA-SHA256                                     | onSubscription
`

/** What public clients of the protocol family call, and the specification does not name. */
const family = `
/api/v2/sync/account-verification    | SYNC_ACCOUNT_VERIFICATION    | endpointId client_orderid email                | creates
/api/v2/transfer-form                | TRANSFERFORM                 | endpointId client_orderid amount email         | creates
/api/v2/transfer-by-ref              | TRANSFER_BY_REF              | login client_orderid source-card-ref-id destination-card-ref-id amount currency | creates
/api/v2/make-rebill-sale             | REBILL_SALE                  | login client_orderid cardrefid amount currency | creates
/api/v2/make-rebill-preauth          | REBILL_PREAUTH               | login client_orderid cardrefid amount currency | creates
/api/v4/sale                         | SALE_V4                      | RSA-SHA256                                     | creates
/api/v4/status                       | STATUS_V4                    | RSA-SHA256                                     | reads
`

const signing = ({ signing }: Operation.Operation): string =>
  Scheme.match(signing, { Control: ({ recipe }) => recipe.join(" "), OAuth: ({ methods }) => methods.join(" ") })

describe("PayApi", () => {
  it.each([
    ["specification", specification],
    ["family", family]
  ])("has the operations of the %s with their paths, signatures and effects", (origin, table) => {
    const operations = PayApi.all.filter((operation) => operation.origin === origin)
    expect(operations.map((operation) => [operation.path, operation.name, signing(operation), operation.acts])).toEqual(
      TextTable.rows(table)
    )
  })
  it("finds each operation by its name, path and command", () => {
    expect(Object.entries(PayApi.operations).filter(([name, operation]) => name !== operation.name)).toEqual([])
    expect(PayApi.byPath.size).toBe(PayApi.all.length)
    expect(PayApi.byCommand.size).toBe(PayApi.all.length)
    expect(PayApi.byPath.get("/api/v2/sale")).toBe(PayApi.operations.SALE)
    expect(PayApi.byCommand.get("v4/payout")).toBe(PayApi.operations.PAYOUT_V4)
  })
  it("names a command after the path without its version, unless two commands would be the same", () => {
    const short = (path: string) => path.replace(/^\/api\/(3ds\/)?v\d+\//, "")
    const versioned = PayApi.all.filter(({ command, path }) => command !== short(path))
    expect(versioned.map(({ command }) => command)).toEqual([
      "v4/create-card-ref",
      "v4/payout",
      "v2/transfer-by-ref",
      "v4/sale",
      "v4/status"
    ])
    for (const { path } of versioned) expect(PayApi.byCommand.has(short(path))).toBe(true)
  })
  it("uses every recipe of @pay/signing except the callback's", () => {
    const used = new Set(PayApi.all.flatMap(({ signing }) => (signing._tag === "Control" ? [signing.recipe] : [])))
    const unused = Object.entries(Control.recipes).filter(([, recipe]) => !used.has(recipe))
    expect(unused.map(([name]) => name)).toEqual(["callback"])
  })
  it("lets every operation with a later outcome name a callback address", () => {
    const silent = PayApi.all.filter(({ acts, fields }) => acts !== "reads" && !("server_callback_url" in fields))
    expect(silent.map(({ name }) => name)).toEqual(["CARDREF", "CARDREF_V4", "UPDATE_RP_V4"])
  })
})

describe("the types of a request", () => {
  type Request = Operation.Request<typeof PayApi.operations.CAPTURE>
  it("follow the declared fields", () => {
    expectTypeOf<Request["orderid"]>().toEqualTypeOf<string>()
    expectTypeOf<Request>().toHaveProperty("amount")
    expectTypeOf<{ login: string; client_orderid: string; orderid: string }>().toExtend<Request>()
    expectTypeOf<{ login: string; client_orderid: string }>().not.toExtend<Request>()
    expectTypeOf<Operation.Request<typeof PayApi.operations.SALE>["expire_month"]>().toEqualTypeOf<number>()
    expectTypeOf<Operation.Answer<typeof PayApi.operations.SALE>["paynet-order-id"]>().toEqualTypeOf<string>()
  })
  it("refuse a signature recipe with a slot that is not a field", () => {
    type Declared = Scheme.Scheme<"login" | "endpointId" | "orderid">
    expectTypeOf<Scheme.Control<"login" | "orderid">>().toExtend<Declared>()
    expectTypeOf<Scheme.Control<"login" | "cardrefid">>().not.toExtend<Declared>()
  })
})
