/** A merchant with an RSA key pair of its own, and the commands of `pay` that sign and verify for it. */
import { generateKeyPairSync, hash } from "node:crypto"
import { merchant, pay } from "./Pay.ts"
import { file } from "./TestFiles.ts"

export const rsa = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
})
const privateKeyFile = file("private.pem", rsa.privateKey)
export const publicKeyFile = file("public.pem", rsa.publicKey)
export const env = { ...merchant, PAY_PRIVATE_KEY_FILE: privateKeyFile }
export const sha1 = (text: string): string => hash("sha1", text)

export const json = async (args: ReadonlyArray<string>, more = {}) => {
  const run = await pay([...args, "--json"], { env, ...more })
  return { ...run, json: JSON.parse(run.out) }
}
