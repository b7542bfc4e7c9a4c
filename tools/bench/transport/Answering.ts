/** A minimal gateway that reads the body and accepts every request. It is a separate process, so that its work is not counted. */
import { createServer } from "node:http"

let answered = 0

/** Returns an answer with its own serial number, which names the order of the request. */
const accept = (body: string): string =>
  JSON.stringify({
    type: "async-response",
    "serial-number": `00000000-0000-0000-0000-${String(answered++).padStart(12, "0")}`,
    "merchant-order-id": /(?:^|&)client_orderid=([^&]*)/.exec(body)?.[1] ?? "",
    "paynet-order-id": "6768788",
    "end-point-id": "1111"
  })

const server = createServer((request, response) => {
  let body = ""
  request.setEncoding("latin1").on("data", (part: string) => {
    body += part
  })
  request.on("end", () => {
    const accepted = accept(body)
    response.writeHead(200, {
      "content-type": "application/vnd.pay+json; charset=utf-8",
      "content-length": Buffer.byteLength(accepted)
    })
    response.end(accepted)
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address !== "string") process.send?.(address.port)
})
process.on("disconnect", () => process.exit())
