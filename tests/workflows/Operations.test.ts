import { assert, it } from "@effect/vitest"
import * as Flows from "@pay/flows"
import * as PayApi from "@pay/schema/PayApi"

/** Operations without a flow of their own: the browser's results and the questions are parts of others. */
const parts = [
  "TDS_UPLOAD_CRES_RESULT",
  "TDS_UPLOAD_METHOD_URL_RESULT",
  "TDS_UPLOAD_PARES_RESULT",
  // Changes nothing, so nothing has to be resolved.
  "CARDINFO"
]

const modules: ReadonlyArray<object> = Object.values(Flows)
const carried = modules
  .flatMap((module): ReadonlyArray<unknown> => Object.values(module))
  .flatMap((value) =>
    typeof value === "object" && value !== null && "operation" in value && "idempotencyKey" in value
      ? PayApi.all.filter((operation) => operation === value.operation)
      : []
  )
  .map(({ name }) => name)

it("every operation has one flow that carries it out, or is a part of one", () => {
  assert.deepStrictEqual([...carried, ...parts].sort(), PayApi.all.map(({ name }) => name).sort())
})
