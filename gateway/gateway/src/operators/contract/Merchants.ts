/** Operations on the merchants that a gateway serves. */
import { Schema } from "effect"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const Texts = Schema.Array(Schema.String)

export const listMerchants = Operation.make("listMerchants", {
  method: "GET",
  path: "/operator/merchants",
  command: "merchants list",
  about: "Lists merchants with the numbers of their endpoints and endpoint groups.",
  input: Schema.Struct({}),
  answer: Schema.Struct({
    merchants: Schema.Array(
      Schema.Struct({ login: Schema.String, name: Schema.String, endpoints: Texts, groups: Texts })
    )
  }),
  rows: { field: "merchants", columns: ["login", "name", "endpoints", "groups"] }
})

const Endpoint = Schema.Struct({
  id: Schema.String,
  enabled: Schema.Boolean,
  currencies: Texts,
  operations: Schema.NullOr(Texts),
  controlAmount: Schema.String,
  callbackFormat: Schema.String,
  actingControl: Schema.String,
  maxAmount: Schema.Record(Schema.String, Schema.String),
  threeds: Schema.NullOr(Schema.String),
  threedsUnavailable: Schema.String,
  payoutApproval: Schema.Boolean,
  unexpectedApproval: Schema.String,
  payoutMaxMinor: Schema.Record(Schema.String, Schema.Int),
  timeZone: Schema.String,
  catchUpOccurrences: Schema.Int,
  descriptor: Schema.NullOr(Schema.String)
})

export const showMerchant = Operation.make("showMerchant", {
  method: "GET",
  path: "/operator/merchants/:merchant",
  command: "merchants show",
  operands: ["merchant"],
  about: "Shows one merchant: endpoints with their settings, endpoint groups and approvers.",
  input: Schema.Struct({ merchant: Parameter.Merchant }),
  answer: Schema.Struct({
    login: Schema.String,
    name: Schema.String,
    approvers: Schema.Array(Schema.Struct({ name: Schema.String, fingerprint: Schema.String })),
    endpoints: Schema.Array(Endpoint),
    groups: Schema.Array(Schema.Struct({ id: Schema.String, endpoints: Texts }))
  }),
  tables: [
    {
      field: "endpoints",
      columns: [
        "id",
        "enabled",
        "currencies",
        "controlAmount",
        "callbackFormat",
        "threeds",
        "payoutApproval",
        "unexpectedApproval",
        "timeZone",
        "descriptor"
      ]
    }
  ]
})

export const reloadMerchants = Operation.make("reloadMerchants", {
  method: "POST",
  path: "/operator/merchants/reload",
  command: "merchants reload",
  about: "Reads the merchants of the configuration file again; if anything is wrong, nothing changes.",
  changes: { audit: "merchants.reload", role: "admin" },
  input: Schema.Struct({}),
  answer: Schema.Struct({ merchants: Schema.Int, added: Texts, removed: Texts, changed: Texts, keys: Texts })
})
