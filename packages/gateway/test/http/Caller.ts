/** A client in a thread of its own: sends the same bytes over one connection again and again, and waits for each answer. */
import { connect } from "node:net"
import { parentPort } from "node:worker_threads"

export interface Errand {
  readonly port: number
  readonly bytes: Uint8Array
  readonly times: number
}

const run = ({ bytes, port, times }: Errand): void => {
  let left = times
  let heard = ""
  const socket = connect({ port, host: "127.0.0.1", noDelay: true })
  const send = () => {
    heard = ""
    socket.write(bytes)
  }
  socket.on("connect", send)
  socket.on("data", (chunk) => {
    heard += chunk.toString("latin1")
    const end = heard.indexOf("\r\n\r\n")
    const length = Number(/^content-length: (\d+)\r$/im.exec(heard)?.[1])
    if (end === -1 || heard.length < end + 4 + length) return
    left -= 1
    if (left > 0) return send()
    socket.destroy()
    parentPort?.postMessage(Number(heard.slice(9, 12)))
  })
  socket.on("error", () => parentPort?.postMessage(0))
}

parentPort?.on("message", run)
