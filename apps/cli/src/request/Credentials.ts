/** Reads settings from flags or, if a flag is not given, from the environment: `--base-url` or `PAY_BASE_URL`. */
import { createPublicKey, type KeyObject } from "node:crypto"
import * as Blanks from "@pay/schema/Blanks"
import type { Scheme } from "@pay/schema/Scheme"
import * as RsaKey from "@pay/signing/RsaKey"
import type { Given } from "../command/Flags.ts"
import { variable } from "../terminal/Environment.ts"
import * as Files from "../terminal/Files.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** Returns the environment variable of a flag. */
export const variableOf = (flag: string): string => `PAY_${flag.toUpperCase().replaceAll("-", "_")}`

export const setting = ({ flags }: Given, flag: string): string | undefined =>
  flags.get(flag) ?? variable(variableOf(flag))

/** Returns a setting that the command requires. Fails if it is missing. */
export const need = (given: Given, flag: string): string => {
  const value = setting(given, flag)
  if (value !== undefined) return value
  throw new UsageError(`Give --${flag}, or set ${variableOf(flag)}`)
}

export const controlAmount = (given: Given): "minor" | "x100" => {
  const mode = setting(given, "control-amount") ?? "minor"
  if (mode === "minor" || mode === "x100") return mode
  throw new UsageError("--control-amount is minor or x100")
}

/** Returns the control key from a file or from the environment, without blanks around it, or `undefined`. */
export const findControlKey = async (given: Given): Promise<string | undefined> => {
  const key = given.flags.has("control-key-file") ? undefined : variable("PAY_CONTROL_KEY")
  if (key !== undefined) return Blanks.trim(key)
  const path = setting(given, "control-key-file")
  return path === undefined ? undefined : keyIn(path)
}

const keyIn = async (path: string): Promise<string> => {
  const key = Blanks.trim(await Files.read("control-key-file", path))
  if (key === "") throw new UsageError("--control-key-file names an empty file")
  return key
}

export const controlKey = async (given: Given): Promise<string> => {
  const key = await findControlKey(given)
  if (key !== undefined) return key
  throw new UsageError("Set PAY_CONTROL_KEY, or give --control-key-file FILE (- reads standard input)")
}

/** Verifies that requests with this signature can be signed, before their fields are requested from the user. */
export const needSigning = (given: Given, signing: Scheme): void => {
  if (signing._tag === "OAuth" && !signing.methods.includes("HMAC-SHA1")) need(given, "private-key-file")
}

/** Reads the merchant's private RSA key. */
export const privateKey = async (given: Given): Promise<KeyObject> => {
  const path = need(given, "private-key-file")
  return loaded("private-key-file", RsaKey.privateFromPem(await Files.read("private-key-file", path)))
}

/** Reads the public key that verifies signatures. The default is the public half of the private key. */
export const publicKey = async (given: Given): Promise<KeyObject> => {
  const path = setting(given, "public-key-file")
  if (path === undefined && setting(given, "private-key-file") === undefined) need(given, "public-key-file")
  return path === undefined
    ? createPublicKey(await privateKey(given))
    : loaded("public-key-file", RsaKey.publicFromPem(await Files.read("public-key-file", path)))
}

const unusable: Readonly<Record<RsaKey.Reason["_tag"], string>> = {
  Malformed: "holds no key in PEM form",
  Encrypted: "is protected by a passphrase; give a key without one",
  NotRsa: "is not an RSA key",
  TooShort: `is shorter than ${RsaKey.MIN_BITS} bits`,
  PrivateKeyGiven: "is a private key; the public one is needed here, and the private one stays with the merchant",
  PublicKeyGiven: "is a public key; signing needs the private one"
}

const loaded = (flag: string, key: RsaKey.Loaded): KeyObject => {
  if (key.ok) return key.key
  throw new UsageError(`The key of --${flag} ${unusable[key.reason._tag]}`)
}
