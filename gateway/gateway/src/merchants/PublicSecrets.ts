/**
 * Logins and keys that are published, such as those of the sandbox. A gateway for real money refuses them, from a file, from its
 * store and from an operator. They are identified by hashes, so that the gateway does not contain them.
 */
import { createHash } from "node:crypto"
import { Context, Redacted } from "effect"
import type { Described } from "./CheckedMerchants.ts"
import * as PublicKeys from "./PublicKeys.ts"
import type { UnstoredKey } from "./StoredKeys.ts"

const hash = (text: string): string =>
  `SHA256:${createHash("sha256").update(text).digest("base64").replaceAll("=", "")}`

export const ofLogin = (login: string): string => hash(`login ${login}`)

export const ofKey = ({ key, kind }: UnstoredKey): string =>
  kind === "rsa" ? PublicKeys.fingerprint(key) : hash(`control ${Redacted.value(key)}`)

/** The hashes of the logins and keys that are refused. Empty where no real money is involved. */
export const PublicSecrets = Context.Reference<ReadonlySet<string>>("@pay/gateway/PublicSecrets", {
  defaultValue: () => new Set<string>()
})

/** Returns which parts of a merchant's description are published, in words for an operator. */
export const problems = (
  { approvers, controlKeys, login, publicKeys }: Described,
  secrets: ReadonlySet<string>
): ReadonlyArray<string> => {
  const isKnown = (what: string, mark: string) =>
    secrets.has(mark) ? [`${what} is published, so everybody has it`] : []
  return [
    ...isKnown(`the login ${login}`, ofLogin(login)),
    ...controlKeys.flatMap((key) => isKnown(`a control key of ${login}`, ofKey({ kind: "control", key }))),
    ...publicKeys.flatMap((key) => isKnown(`a public key of ${login}`, ofKey({ kind: "rsa", key }))),
    ...approvers.flatMap(({ key, name }) =>
      isKnown(`the key of ${login}'s approver ${name}`, PublicKeys.fingerprint(key))
    )
  ]
}
