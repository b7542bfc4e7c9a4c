/** A server whose queue of new connections is short. It prints its port. While the process is stopped, further handshakes wait. */
import { createServer } from "node:net"

const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok"
const server = createServer((socket) =>
  socket.on("error", () => socket.destroy()).once("data", () => socket.end(answer))
)
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
  const address = server.address()
  console.log(typeof address === "object" ? address?.port : undefined)
})
