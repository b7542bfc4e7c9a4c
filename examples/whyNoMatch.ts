/** A control that the gateway refused, explained: `@pay/signing` alone, no Effect, no network. */
import * as Control from "@pay/signing/Control"
import * as Explain from "@pay/signing/Explain"

const key = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
const values = { endpointId: "1111", client_orderid: "902B4FF5", amount: "1042", email: "john.smith@gmail.com" }

// What somebody's shop sent: the amount in major units.
const received = Control.sign(Control.recipes.sale, { ...values, amount: "10.42" }, key)

const explanation = Explain.control({
  recipe: Control.recipes.sale,
  values,
  key,
  received,
  fields: { amount: "10.42" }
})
if (explanation._tag !== "Explained") throw new Error(`expected a mistake to be named, got ${explanation._tag}`)
for (const { mistakes } of explanation.findings) {
  for (const { description, detail, remedy } of mistakes) console.log(`${description} (${detail})\n→ ${remedy}`)
}
