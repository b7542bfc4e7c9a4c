/** The documents that are written from the contract. */
import { readFileSync } from "node:fs"
import * as OpenApi from "../src/OpenApi.ts"
import { errorCodes } from "./ErrorCodesPage.ts"
import { operations } from "./OperationsPage.ts"

/** What the gateway serves today, by operation name. A test of the gateway holds the list to what it answers. */
const served = (): ReadonlyArray<string> =>
  JSON.parse(readFileSync(new URL("../../../docs/served.json", import.meta.url), "utf8"))

export default async (): Promise<Record<string, string>> => ({
  "docs/openapi.json": `${JSON.stringify(OpenApi.document(), null, 2)}\n`,
  "docs/operations.md": operations(served()),
  "docs/error-codes.md": errorCodes()
})
