/** The files of this package, from the contract and the recipes: `npm run docs` writes them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import * as CallbackVectors from "./CallbackVectors.ts"
import * as ControlVectors from "./ControlVectors.ts"
import * as Keys from "./Keys.ts"
import * as OAuthVectors from "./OAuthVectors.ts"

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/**
 * Writes a table with one vector per line and the names of its columns in the first line, for languages without a JSON parser.
 */
const tsv = <Name extends string>(
  names: ReadonlyArray<Name>,
  rows: ReadonlyArray<Readonly<Record<Name, string>>>
): string => `${[names.join("\t"), ...rows.map((row) => names.map((name) => row[name]).join("\t"))].join("\n")}\n`

/** Reads vectors that others have published: RFC 5849, the documentation of the protocol, Standard Webhooks. */
const published = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../../packages/signing/vectors/${name}.json`), "utf8"))

const { controlKey, login, privateKey, publicKey } = Keys

const controlRows = ControlVectors.vectors.map(({ recipe, values, ...vector }) => ({
  ...vector,
  recipe: recipe.join(" "),
  values: Form.write(recipe.map((slot, index) => [slot, values[index] ?? ""]))
}))

const callbackRows = CallbackVectors.vectors.map(({ about, headers, nowSeconds, query, valid }) => ({
  about,
  valid: String(valid),
  query,
  "webhook-id": headers["webhook-id"],
  "webhook-timestamp": headers["webhook-timestamp"],
  "webhook-signature": headers["webhook-signature"],
  now: String(nowSeconds)
}))

const files: Readonly<Record<string, string>> = {
  "control.json": json({ login, controlKey, vectors: ControlVectors.vectors }),
  "control.tsv": tsv(["about", "recipe", "values", "text", "control"], controlRows),
  "oauth.json": json({ login, controlKey, privateKey, publicKey, vectors: OAuthVectors.vectors }),
  "oauth.tsv": tsv(
    ["about", "signatureMethod", "url", "body", "nonce", "timestamp", "baseString", "signature", "authorization"],
    OAuthVectors.vectors
  ),
  "callbacks.json": json({
    controlKey,
    webhookSecret: StandardWebhooks.secretText(controlKey),
    vectors: CallbackVectors.vectors
  }),
  "callbacks.tsv": tsv(
    ["about", "valid", "query", "webhook-id", "webhook-timestamp", "webhook-signature", "now"],
    callbackRows
  ),
  "published.json": json({
    control: published("control"),
    oauth: published("oauth"),
    webhooks: published("webhooks")
  })
}

export default async (): Promise<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`tools/vectors/${name}`, text]))
