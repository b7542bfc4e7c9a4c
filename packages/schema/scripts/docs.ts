/** The documents that are written from the contract. */

import { errorCodes } from "./ErrorCodesPage.ts"
import { json } from "./Json.ts"
import * as OpenApi from "./OpenApi.ts"
import { operations } from "./OperationsPage.ts"

export default async (): Promise<Record<string, string>> => ({
  "docs/openapi.json": json(OpenApi.document()),
  "docs/merchants/operations.md": operations(),
  "docs/merchants/error-codes.md": errorCodes()
})
