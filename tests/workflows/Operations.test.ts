import { assert, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { flows } from "./EveryFlow.ts"

/** Operations without a flow of their own: the browser's results and the questions are parts of others. */
const parts = [
  "TDS_UPLOAD_CRES_RESULT",
  "TDS_UPLOAD_METHOD_URL_RESULT",
  "TDS_UPLOAD_PARES_RESULT",
  // Changes nothing, so nothing has to be resolved.
  "CARDINFO"
]

const carried = flows.map(({ operation }) => operation.name)

it("each operation of the specification belongs to one flow", () => {
  const specified = PayApi.all.filter(({ origin }) => origin === "specification")
  assert.deepStrictEqual([...carried, ...parts].sort(), specified.map(({ name }) => name).sort())
})
