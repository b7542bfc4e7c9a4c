/** Whether an endpoint's payments go through 3-D Secure, and who runs it: the endpoint decides, never the request. */
import type { Endpoint } from "./Directory.ts"

/** Who runs an authentication: the gateway on its pages, or the merchant. */
export type Mode = "gateway" | "merchant"

/** An endpoint that says nothing has it on the gateway's pages wherever there is a server to ask. */
export const of = ({ threeds }: Endpoint, hasServer: boolean): "off" | Mode =>
  threeds ?? (hasServer ? "gateway" : "off")
