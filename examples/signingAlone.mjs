/**
 * `@pay/signing` alone in a plain Node script, without TypeScript, Effect or another package. It signs a sale for any HTTP
 * client, compares a signature in constant time, and names the mistake behind a signature that does not match.
 */
import * as Control from "@pay/signing/Control"
import * as Explain from "@pay/signing/Explain"
import * as Form from "@pay/signing/Form"

const controlKey = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
const endpointId = "1111"
const fields = { client_orderid: "902B4FF5", amount: "10.42", currency: "USD", email: "john.smith@gmail.com" }

// The signature covers the amount in minor units. The form has the decimal text.
const recipe = Control.recipes.sale
const values = { ...fields, endpointId, amount: "1042" }
const control = Control.sign(recipe, values, controlKey)

console.log(`POST /api/v2/sale/${endpointId}
Accept: application/vnd.pay+json
Content-Type: application/x-www-form-urlencoded

${Form.write(Object.entries({ ...fields, control }))}
`)

// A shop that signs the decimal text is refused. `Explain` says why.
const received = Control.sign(recipe, { ...values, amount: fields.amount }, controlKey)
if (Control.matches(received, control)) throw new Error("a wrong signature passed")

const explanation = Explain.control({ recipe, values, key: controlKey, received, fields })
if (explanation._tag !== "Explained") throw new Error(`expected a mistake to be named, got ${explanation._tag}`)
for (const { mistakes } of explanation.findings) {
  for (const { description, detail, remedy } of mistakes) console.log(`${description} (${detail})\n→ ${remedy}`)
}
