/** An example request of an operation, which a sandbox accepts: its fields, and the origin of each value. */
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Scheme from "@pay/schema/Scheme"

const { merchant } = SandboxMerchant

/** The origin of a value: the text itself, a new order name, or the answer to an earlier request. */
export type Value =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "NewName" }
  | { readonly _tag: "Earlier"; readonly variable: string; readonly from: string }

export interface Field {
  readonly name: string
  readonly value: Value
}

export interface ExampleRequest {
  readonly operation: Operation
  readonly endpointId: string
  readonly fields: ReadonlyArray<Field>
}

/** Fields whose value comes from an earlier request or answer: the environment variable with the value, and its description. */
const earlier: Readonly<Record<string, readonly [variable: string, from: string]>> = {
  client_orderid: ["PAY_CLIENT_ORDERID", "your name of the order"],
  "client-order-id": ["PAY_CLIENT_ORDERID", "your name of the order"],
  orderid: ["PAY_ORDERID", "paynet-order-id of the answer to the order"],
  cardrefid: ["PAY_CARDREFID", "card-ref-id of the answer to create-card-ref"],
  "sending-card-ref-id": ["PAY_CARDREFID", "card-ref-id of the answer to create-card-ref"],
  "source-card-ref-id": ["PAY_CARDREFID", "card-ref-id of the answer to create-card-ref"],
  "destination-card-ref-id": ["PAY_CARDREFID", "card-ref-id of the answer to create-card-ref"],
  "recurring-payment-id": [
    "PAY_RECURRING_PAYMENT_ID",
    "recurring-payment-id of the answer to create-recurring-payment"
  ],
  threeDSServerTransID: ["PAY_THREEDS_TRANS_ID", "threeds-server-trans-id of status"],
  cRes: ["PAY_CRES", "cres as redirect_url received it"],
  paRes: ["PAY_PARES", "PaRes as redirect_url received it"],
  md: ["PAY_MD", "MD as redirect_url received it"]
}

/** Field values that replace or complete the contract's samples, by operation. An empty text leaves the field out. */
const changes: Partial<Readonly<Record<PayApi.Name, Readonly<Record<string, string>>>>> = {
  CREATE_RP_V4: { cvv2: "123" },
  TDS_UPLOAD_PARES_RESULT: { md: "" },
  TRANSFER_BY_REF_V4: { "source-card-ref-id": "71573" }
}

const account = { credit_card_number: "", account_number: "DE89370400440532013000" }
const recipients: ReadonlySet<string> = new Set(["PAYOUT", "PAYOUT_V4", "PAYOUT_V4_CHECK"])

const changesOf = ({ name }: Operation): Readonly<Record<string, string>> =>
  recipients.has(name) ? account : (Object.entries(changes).find(([key]) => key === name)?.[1] ?? {})

const isUpload = ({ path }: Operation): boolean => path.startsWith("/api/3ds/")

/** Returns whether the request names an existing order. */
const namesOrder = ({ acts }: Operation): boolean => acts === "onOrder" || acts === "reads"

const originOf = (operation: Operation, name: string, text: string): Value => {
  if (name === "login") return { _tag: "Text", text: merchant.login }
  const isName = name === "client_orderid" || name === "client-order-id"
  if (isName && !namesOrder(operation)) return { _tag: "NewName" }
  const [variable, from] = earlier[name] ?? []
  return variable === undefined || from === undefined ? { _tag: "Text", text } : { _tag: "Earlier", variable, from }
}

/** Returns the example of an operation. The sandbox approves its card or recipient immediately. */
export const of = (operation: Operation): ExampleRequest => {
  const own = changesOf(operation)
  const sample = { ...Sample.request(operation), ...own }
  const names = [...operation.infos.keys()].filter((name) => sample[name] !== undefined)
  const isLeftOut = (name: string) => own[name] === "" && !(name in earlier)
  return {
    operation,
    endpointId: isUpload(operation) ? merchant.endpoints.threedsMerchant : merchant.endpoints.usd,
    fields: names
      .filter((name) => !isLeftOut(name))
      .map((name) => ({ name, value: originOf(operation, name, sample[name] ?? "") }))
  }
}

/** Returns the values from earlier requests or answers that the request needs, without duplicates. */
export const needs = ({ fields }: ExampleRequest): ReadonlyArray<Extract<Value, { readonly _tag: "Earlier" }>> => {
  const values = fields.flatMap(({ value }) => (value._tag === "Earlier" ? [value] : []))
  return values.filter((value, index) => values.findIndex(({ variable }) => variable === value.variable) === index)
}

/** A part of the text that `control` covers: a text, or the value of a field. */
export type SignedPart = { readonly text: string; readonly note: string } | { readonly field: string }

/** Returns the parts that `control` covers, in order, without absent fields. */
export const signedParts = (
  { endpointId, fields, operation }: ExampleRequest,
  { recipe }: Scheme.Control
): ReadonlyArray<SignedPart> => {
  const texts = Object.fromEntries(
    fields.flatMap(({ name, value }) => (value._tag === "Text" ? [[name, value.text]] : []))
  )
  const signed = Canonical.controlValues(operation, texts, { endpointId, mode: "minor" })
  return recipe.flatMap((slot): ReadonlyArray<SignedPart> => {
    if (slot === "endpointId") return [{ text: endpointId, note: "endpoint" }]
    if (slot === "amount") {
      const amount = signed[slot]
      return amount === undefined ? [] : [{ text: amount, note: "amount in minor units" }]
    }
    return fields.some(({ name }) => name === slot) ? [{ field: slot }] : []
  })
}

/** The programs of one language: one for each kind of signature, as lines. */
interface Programs {
  readonly control: (request: ExampleRequest, scheme: Scheme.Control) => ReadonlyArray<string>
  readonly oauth: (request: ExampleRequest, scheme: Scheme.OAuth) => ReadonlyArray<string>
}

/** Returns a function that writes the program of a request in one language. */
export const writer =
  ({ control, oauth }: Programs) =>
  (request: ExampleRequest): string =>
    `${Scheme.match(request.operation.signing, {
      Control: (scheme) => control(request, scheme),
      OAuth: (scheme) => oauth(request, scheme)
    }).join("\n")}\n`

/** Describes the recipe of a `control` in words. */
export const recipeText = ({ recipe }: Scheme.Control): string =>
  [...recipe.map((slot) => (slot === "amount" ? "amount in minor units" : slot)), "control key"].join(", ")

export const defaults = {
  baseUrl: "http://127.0.0.1:8080",
  login: merchant.login,
  controlKey: merchant.controlKey,
  /** The file in which `npm start` stores the merchant's private key. */
  privateKeyFile: ".data/demo/merchant.pem"
} as const

/** Example requests of all operations. */
export const all: ReadonlyArray<ExampleRequest> = PayApi.all.map(of)

/** The `type` of the answer to an accepted request. */
export const answerType = ({ operation }: ExampleRequest): string | undefined => Sample.answer(operation).type

export const named = (name: PayApi.Name): ExampleRequest => of(PayApi.operations[name])
