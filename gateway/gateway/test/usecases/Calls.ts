/** Verified requests of the merchant `shop`, as a use case gets them. */
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import type { Decision } from "../../src/kernel/Decision.ts"
import type { Call } from "../../src/merchants/Call.ts"
import type { Endpoint } from "../../src/merchants/Directory.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

/** A request before the gateway reads rows for it. */
export type Sent = Omit<Call, "rows">

const noNonce: Decision = { guards: [], writes: [] }

/** Returns a request with the fields of the sample, changed; an empty field is left out. */
export const call = (
  name: PayApi.Name,
  fields: Readonly<Record<string, string>>,
  changes: Partial<Sent> = {},
  endpoint: Endpoint = ScriptedServices.endpoint()
): Sent => {
  const operation = PayApi.operations[name]
  const all = Object.entries({ ...Sample.request(operation), ...fields })
  return {
    operation,
    dialect: "json",
    merchant: ScriptedServices.merchant,
    route: { pathId: endpoint.id, merchant: ScriptedServices.merchant, endpoints: [endpoint] },
    fields: Object.fromEntries(all.filter(([, value]) => value !== "")),
    idempotencyKey: undefined,
    nonce: noNonce,
    ...changes
  }
}
