/** A gateway of one line, in a process of its own so that its work is not counted: reads the body, accepts everything. */
import { createServer } from "node:http"

const accepted = JSON.stringify({
  type: "async-response",
  "serial-number": "00000000-0000-0000-0000-0000005b2a8a",
  "merchant-order-id": "902B4FF5",
  "paynet-order-id": "6768788",
  "end-point-id": "1111"
})
const headers = {
  "content-type": "application/vnd.pay+json; charset=utf-8",
  "content-length": Buffer.byteLength(accepted)
}

const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, headers).end(accepted))
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address !== "string") process.send?.(address.port)
})
process.on("disconnect", () => process.exit())
