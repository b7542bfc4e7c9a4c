/** A callback on the merchant's side: verified before anything of it is read, whatever HTTP server received it. */
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Redacted, Result } from "effect"

const controlKeys = [Redacted.make("B17F59B4-A7DC-41B4-8FF9-37D986B43D20")]
const nowSeconds = 1_790_000_000

const genuine =
  "/callback?status=approved&orderid=6768788&client_orderid=902B4FF5&control=61d6ce8d65ce56dab83a54497b44be466d71be21"
const forged = genuine.replace("902B4FF5", "902B4FF6")

for (const url of [genuine, forged]) {
  const verified = CallbackReceiver.verifyAt({ url }, { controlKeys }, nowSeconds)
  console.log(Result.isSuccess(verified) ? `ask status of order ${verified.success.orderid}` : verified.failure.message)
}
if (Result.isSuccess(CallbackReceiver.verifyAt({ url: forged }, { controlKeys }, nowSeconds)))
  throw new Error("a forgery passed")
