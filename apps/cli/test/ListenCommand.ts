/** `pay listen` while a test sends to it. */
import { connect } from "node:net"
import { pay, type RunResult } from "./Pay.ts"

/** Runs the command, sends to its address, and ends it as soon as it has shown so many callbacks. */
export const payListen = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  count: number,
  send: (url: string) => Promise<unknown>
): Promise<RunResult> => {
  const sending: Array<Promise<unknown>> = []
  const run = await pay(["listen", "--port=0", ...args], {
    env,
    onError: (err, kill) => {
      const [, url] = /received at (\S+):/.exec(err) ?? []
      if (url === undefined || sending.length > 0) return
      sending.push(send(url).then(() => (count === 0 ? kill("SIGINT") : undefined)))
    },
    onOutput: (out, kill) => {
      if (count > 0 && out.split("\n").length > count) kill("SIGINT")
    }
  })
  await Promise.all(sending)
  return run
}

/** Sends these bytes and returns the bytes of the answer. */
export const exchange = (url: string, lines: ReadonlyArray<string>, body = ""): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let answer = ""
    socket.setEncoding("latin1").on("data", (text) => {
      answer += text
    })
    socket.on("error", reject)
    socket.on("close", () => resolve(answer))
    socket.write([...lines, "Connection: close", "", body].join("\r\n"))
  })
