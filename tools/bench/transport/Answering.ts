/** A minimal gateway that reads the body and accepts every request. It is a separate process, so that its work is not counted. */
import * as BareHttp from "../gateway/BareHttp.ts"

BareHttp.serve(({ field, turn }, respond) =>
  respond(
    JSON.stringify({
      type: "async-response",
      "serial-number": `00000000-0000-0000-0000-${String(turn).padStart(12, "0")}`,
      "merchant-order-id": field("client_orderid"),
      "paynet-order-id": "6768788",
      "end-point-id": "1111"
    })
  )
)
