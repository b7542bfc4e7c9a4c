/** Tells a repetition of a request from another one under the same name, for requests that carry no card. */
import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import type { Call } from "../merchants/Call.ts"
import type { KeyVault } from "../vault/KeyVault.ts"

/** With the version of the key that made `like`, where an earlier one is to be compared. */
export const of = (vault: KeyVault["Service"], operation: Operation, call: Call, like?: string): string =>
  vault.fingerprint(call.merchant.login, `${call.route.pathId}\n${Canonical.content(operation, call.fields)}`, like)
