/** Callbacks that somebody made up: each says approved, and none has a signature of the gateway for that. */
import * as CallbackSignature from "@pay/signing/Callback"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import * as SentCallback from "./SentCallback.ts"

/** What a forger can know: the true callback of a decline, and the keys only by what they signed. */
export interface Evidence {
  /** The callback of the gateway that says declined. */
  readonly genuine: SentCallback.Callback
  /** Signs as the gateway does. A forger uses it only for what he has seen signed. */
  readonly controlKey: string
  readonly nowSeconds: number
}

type Forge = (evidence: Evidence) => SentCallback.Callback

const approved = (parameters: SentCallback.Parameters): SentCallback.Parameters =>
  parameters.flatMap(([name, value]) =>
    name === "status" ? [[name, "approved"] as const] : name.startsWith("error_") ? [] : [[name, value] as const]
  )

const replaced = (parameters: SentCallback.Parameters, name: string, value: string | undefined) =>
  parameters.flatMap((parameter) =>
    parameter[0] === name ? (value === undefined ? [] : [[name, value] as const]) : [parameter]
  )

const unsigned = ({ headers }: SentCallback.Callback): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("webhook-")))

const forged = (
  { genuine }: Evidence,
  change: (parameters: SentCallback.Parameters) => SentCallback.Parameters,
  headers = unsigned(genuine)
) => SentCallback.withParameters(genuine, change(approved(SentCallback.parametersOf(genuine))), headers)

/** The ways to forge, each with what a timeline says of it. */
const ways: ReadonlyArray<readonly [says: string, forge: Forge]> = [
  ["without control", (evidence) => forged(evidence, (parameters) => replaced(parameters, "control", undefined))],
  [
    "with the control of another order",
    (evidence) =>
      forged(evidence, (parameters) => {
        const copied = { status: "approved", orderid: "4711", client_orderid: "another" }
        return replaced(parameters, "control", CallbackSignature.sign(copied, evidence.controlKey))
      })
  ],
  [
    "with the control and the headers of the decline",
    (evidence) => forged(evidence, (parameters) => parameters, evidence.genuine.headers)
  ],
  [
    "with a webhook signature of another key",
    (evidence) => {
      const callback = forged(evidence, (parameters) => replaced(parameters, "control", undefined))
      const content = callback.body ?? CallbackSignature.signedForms(callback.url.slice(callback.url.indexOf("?") + 1))
      const message = { id: `forged-${evidence.nowSeconds}`, timestampSeconds: evidence.nowSeconds, content }
      return {
        ...callback,
        headers: {
          ...callback.headers,
          ...StandardWebhooks.sign(message, [StandardWebhooks.secret("a key that the forger made up")])
        }
      }
    }
  ],
  [
    "with an empty control, and approved after the status of the decline",
    ({ genuine }) => {
      const parameters = replaced(SentCallback.parametersOf(genuine), "control", "")
      return SentCallback.withParameters(genuine, [...parameters, ["status", "approved"]], unsigned(genuine))
    }
  ]
]

/** Forges in the way that belongs to a number: each way for the same numbers in each run. */
export const forge = (number: number, evidence: Evidence): readonly [says: string, callback: SentCallback.Callback] => {
  const [says, make] = ways[number % ways.length] ?? ["unchanged", () => evidence.genuine]
  return [says, make(evidence)]
}
