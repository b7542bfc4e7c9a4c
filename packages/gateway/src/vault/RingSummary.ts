/**
 * What processes on one store tell each other of their key rings: the versions of the keys, each with a check value from which no key
 * can be found. A process must have the key with which another one encrypts or hashes now: otherwise it could not read what that one
 * writes, and would take a repeated request for another one.
 */
import { createHmac } from "node:crypto"
import { Redacted } from "effect"
import type { KeyRing, Keys } from "./KeyRing.ts"

const checkValue = (key: Uint8Array): string =>
  createHmac("sha256", key).update("pay/key-check").digest("hex").slice(0, 8)

const listed = ({ current, keys }: Keys): string =>
  Object.entries(keys)
    .sort(([one], [other]) => Number(Number(other) === current) - Number(Number(one) === current))
    .map(([version, key]) => `${version}.${checkValue(Redacted.value(key))}`)
    .join(",")

/** `master:2.0c8f6a11,1.5be0d2f7;hashing:1.77a90b3e`, the current key of each kind first. No spaces. */
export const of = ({ hashing, master }: KeyRing): string => `master:${listed(master)};hashing:${listed(hashing)}`

const parse = (summary: string): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    summary.split(";").map((part) => {
      const [kind = "", keys = ""] = part.split(":")
      return [kind, keys.split(",")]
    })
  )

/** The keys with which `other` works now and which `own` does not have: `master key 2`. */
export const lacking = (own: string, other: string): ReadonlyArray<string> => {
  const ownKeys = parse(own)
  return [...parse(other)].flatMap(([kind, [current = ""]]) =>
    ownKeys.get(kind)?.includes(current) === true ? [] : [`${kind} key ${current.split(".")[0]}`]
  )
}
