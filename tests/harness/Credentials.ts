/** What the sandbox's merchant has to sign with, and the settings of a client that has it. Loads no gateway. */
import { merchant } from "@pay/sandbox/SandboxMerchant"
import { Redacted } from "effect"

export const { approver, controlKey, endpoints, login, privateKeyPem } = merchant

/** A client of the sandbox's merchant on the gateway at this address; it has both keys. */
export const clientSettings = (baseUrl: string) => ({
  baseUrl,
  login,
  controlKey: Redacted.make(controlKey),
  privateKey: Redacted.make(privateKeyPem),
  endpointId: endpoints.usd
})
