/** A client in its own thread. It sends the same bytes repeatedly and waits for each answer, on one connection if possible. */
import { connect } from "node:net"
import { parentPort } from "node:worker_threads"

export interface RequestLoad {
  readonly port: number
  readonly bytes: Uint8Array
  readonly times: number
}

const run = ({ bytes, port, times }: RequestLoad): void => {
  let left = times
  let received = ""
  let status = 0
  const answered = (): boolean => {
    const end = received.indexOf("\r\n\r\n")
    const length = Number(/^content-length: (\d+)\r$/im.exec(received)?.[1])
    return end !== -1 && received.length >= end + 4 + length
  }
  const dial = () => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true })
    const send = () => {
      received = ""
      socket.write(bytes)
    }
    socket.on("connect", send)
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1")
      if (!answered()) return
      status = Number(received.slice(9, 12))
      left -= 1
      if (left === 0) socket.destroy()
      else if (!/^connection: close\r$/im.test(received)) send()
    })
    socket.on("error", () => socket.destroy())
    socket.on("close", () => {
      if (left > 0) dial()
      else parentPort?.postMessage(status)
    })
  }
  dial()
}

parentPort?.on("message", run)
