/** The gateway of the client's tests, with its merchant's client and the merchant's key in a file, as snippets read it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Gateway from "../../../packages/client/test/Gateway.ts"

export const { merchant } = Gateway

export const start = async () => {
  const folder = mkdtempSync(join(tmpdir(), "pay-docs-"))
  const privateKeyFile = join(folder, "merchant.pem")
  writeFileSync(privateKeyFile, merchant.privateKeyPem)
  const gateway = await Gateway.start()
  return {
    ...gateway,
    privateKeyFile,
    pay: gateway.client(),
    close: async () => {
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

export type TestSandbox = Awaited<ReturnType<typeof start>>
