/** `pay listen` while a test sends to it, and a merchant's own program behind it. */
import { createServer } from "node:http"
import { connect } from "node:net"
import { pay, type RunResult } from "./Pay.ts"

export interface Arrival {
  readonly line: string
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: string
}

export interface OwnProgram {
  readonly url: string
  readonly arrivals: ReadonlyArray<Arrival>
  readonly close: () => void
}

/** Answers everything with 203. */
export const ownProgram = (): Promise<OwnProgram> =>
  new Promise((resolve) => {
    const arrivals: Array<Arrival> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const { method, rawHeaders, url } = request
        arrivals.push({ line: `${method} ${url}`, rawHeaders, body: Buffer.concat(chunks).toString("latin1") })
        response.writeHead(203, { "X-Own": "yes" }).end("taken")
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({ url: `http://127.0.0.1:${port}`, arrivals, close: () => server.close() })
    })
  })

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
