/**
 * Summaries of key rings, which processes on one store compare: the versions of the keys, each with a check value that does not
 * reveal the key. A process must have the key with which another process encrypts or hashes now. Otherwise it could not read what
 * that process writes, and would not recognize a repeated request.
 */
import { createHmac } from "node:crypto"
import { Redacted } from "effect"
import type { KeyRing, Keys } from "./KeyRing.ts"

/** Returns the check value of a key, which does not reveal it: processes, logs and `pay keyring show` name the key by it. */
export const checkValue = (key: Uint8Array): string =>
  createHmac("sha256", key).update("pay/key-check").digest("hex").slice(0, 8)

const listed = ({ current, keys }: Keys): string =>
  Object.entries(keys)
    .sort(([one], [other]) => Number(Number(other) === current) - Number(Number(one) === current))
    .map(([version, key]) => `${version}.${checkValue(Redacted.value(key))}`)
    .join(",")

/**
 * Returns the summary of a ring, without spaces: `master:2.0c8f6a11,1.5be0d2f7;hashing:1.77a90b3e`. The current key of each kind
 * comes first.
 */
export const of = ({ hashing, master }: KeyRing): string => `master:${listed(master)};hashing:${listed(hashing)}`

const parse = (summary: string): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    summary.split(";").map((part) => {
      const [kind = "", keys = ""] = part.split(":")
      return [kind, keys.split(",")]
    })
  )

/** Returns the keys with which `other` works now and which `own` does not have, such as `master key 2`. */
export const lacking = (own: string, other: string): ReadonlyArray<string> => {
  const ownKeys = parse(own)
  return [...parse(other)].flatMap(([kind, [current = ""]]) =>
    ownKeys.get(kind)?.includes(current) === true ? [] : [`${kind} key ${current.split(".")[0]}`]
  )
}
