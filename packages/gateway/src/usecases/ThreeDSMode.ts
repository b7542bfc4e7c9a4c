/** Whether an endpoint's payments go through 3-D Secure, and who runs it: the endpoint decides, never the request. */
import type { Endpoint } from "../Directory.ts"

/** An endpoint that says nothing has it on the gateway's pages wherever there is a server to ask. */
export const of = ({ threeds }: Endpoint, hasServer: boolean): "off" | "gateway" | "merchant" =>
  threeds ?? (hasServer ? "gateway" : "off")
