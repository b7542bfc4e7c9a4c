/** The programs of docs/merchants/callback-receivers.md on the packed client and on real frameworks, which npm installs from its registry. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { Effect, Schedule } from "effect"
import * as Gateway from "../../packages/client/test/Gateway.ts"
import { card, customer, freshId } from "../../packages/client/test/Samples.ts"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import { read } from "../../scripts/Workspace.ts"
import { passes, tool } from "../rules/Tool.ts"
import type { Project } from "./ClientShop.ts"

const { merchant } = Gateway

/** Exact versions. Those of the frameworks are in the table of the page. */
const packages = ["react@19.3.1", "react-dom@19.3.1", "@hono/node-server@2.1.8"]

const page = () => read("docs/merchants/callback-receivers.md")

/** The programs of the page by their file names. */
export const programs = (): ReadonlyMap<string, string> =>
  new Map([...page().matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", code = ""]) => [name, code]))

/** The frameworks of the page's table, each with its version. */
export const frameworks = (): ReadonlyArray<readonly [name: string, version: string]> =>
  [...page().matchAll(/^\| \[([\w.-]+)\]\(#\S+\) ([\d.]+) \|/gm)].map(([, name = "", version = ""]) => [
    name === "Next.js" ? "next" : name.toLowerCase(),
    version
  ])

const events = {
  "1": `{ ...common, version: "1.0", httpMethod: request.method, path: url.pathname, requestContext: {}, multiValueHeaders: {}, queryStringParameters: first, multiValueQueryStringParameters: all }`,
  "2": `{ ...common, version: "2.0", rawPath: url.pathname, rawQueryString: url.searchParams.toString(), queryStringParameters: Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values.join()])), requestContext: { http: { method: request.method, path: url.pathname } } }`,
  balancer: `{ httpMethod: request.method, path: url.pathname, multiValueHeaders: lists, multiValueQueryStringParameters: sent, body, isBase64Encoded: false }`
}

/** Calls a function as API Gateway or a load balancer does: with an event made of the request. */
const gatewayOf = (file: string, version: "1" | "2" | "balancer") => `
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { handler } from "./${file}"

createServer(async (request, response) => {
  const url = new URL(request.url, "http://shop.example")
  const all = {}
  for (const [name, value] of url.searchParams) (all[name] ??= []).push(value)
  const body = (await text(request)) || null
  const common = { headers: request.headers, body, isBase64Encoded: false }
  const first = Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values.at(-1)]))
  const sent = {}
  for (const pair of url.search.slice(1).split("&")) {
    const [name, value = ""] = pair.split(/=(.*)/s)
    ;(sent[name] ??= []).push(value)
  }
  const lists = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value]]))
  const event = ${events[version]}
  const { statusCode } = await handler(event, {})
  response.writeHead(statusCode).end()
}).listen(process.env.PORT)
`

/** A program that listens on the port of its environment, with the file of the page that it runs. */
export interface Server {
  readonly name: string
  readonly file: string
  readonly command: ReadonlyArray<string>
}

const node = (name: string, file: string, main = file): Server => ({ name, file, command: [main] })
const next = "node_modules/next/dist/bin/next"

export const servers: ReadonlyArray<Server> = [
  { name: "Next.js", file: "app/callback/route.js", command: [next, "start"] },
  node("Express", "express.mjs"),
  node("Fastify", "fastify.mjs"),
  node("Hono", "hono.mjs"),
  node("Koa", "koa.mjs"),
  node("h3", "h3.mjs"),
  node("serverless-http in events of version 1.0", "serverless.mjs", "serverless-1.mjs"),
  node("serverless-http in events of version 2.0", "serverless.mjs", "serverless-2.mjs"),
  node("a function with events of version 1.0", "event1.mjs", "function-1.mjs"),
  node("a function with events of version 2.0", "event2.mjs", "function-2.mjs"),
  node("a function with events of a load balancer", "balancer.mjs", "function-balancer.mjs")
]

export const files = (): ReadonlyMap<string, string> =>
  new Map([
    ...programs(),
    ["serverless-1.mjs", gatewayOf("serverless.mjs", "1")],
    ["serverless-2.mjs", gatewayOf("serverless.mjs", "2")],
    ["function-1.mjs", gatewayOf("event1.mjs", "1")],
    ["function-2.mjs", gatewayOf("event2.mjs", "2")],
    ["function-balancer.mjs", gatewayOf("balancer.mjs", "balancer")]
  ])

/** The settings of docs/merchants/callback-receivers.md. Next.js reads them when it builds, too. */
const settings = (baseUrl: string) => ({
  PATH: process.env.PATH,
  PAY_BASE_URL: baseUrl,
  PAY_LOGIN: merchant.login,
  PAY_CONTROL_KEY: merchant.controlKey,
  NEXT_TELEMETRY_DISABLED: "1"
})

/** Writes the programs into a project that has the packed client, installs the frameworks, and builds the Next.js program. */
export const install = async ({ folder }: Project, baseUrl: string): Promise<void> => {
  for (const [name, code] of files()) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), code)
  }
  const flags = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
  const versions = frameworks().map(([name, version]) => `${name}@${version}`)
  await passes(tool("npm", ["install", ...flags, ...packages, ...versions], { cwd: folder }))
  await passes(tool(process.execPath, [next, "build"], { cwd: folder, env: settings(baseUrl) }))
}

export interface Opened {
  readonly send: (callback: Recorded) => Promise<number>
  readonly close: () => void
}

/** Starts a server of the project, and waits until it answers. */
export const open = async ({ folder }: Project, { command }: Server, baseUrl: string): Promise<Opened> => {
  const port = await Effect.runPromise(freePort)
  const child: ChildProcess = spawn(process.execPath, command, {
    cwd: folder,
    stdio: "ignore",
    env: { ...settings(baseUrl), PORT: String(port) }
  })
  const send = ({ body, headers, method, target }: Recorded): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = httpRequest({ port, method, path: target, headers, agent: false }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0))
      })
      request.on("error", reject).end(body)
    })
  const empty = { method: "GET", target: "/callback", headers: {}, body: "" }
  const answers = Effect.tryPromise(() => send(empty)).pipe(
    Effect.retry({ schedule: Schedule.spaced("50 millis"), while: () => child.exitCode === null })
  )
  await Effect.runPromise(answers)
  return { send, close: () => void child.kill("SIGKILL") }
}

/** A callback as it was sent. */
export interface Recorded {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The query of the merchant's own address, with everything that writers encode differently. */
const own = "x=a+b&x=%2B&p[0]=1&flag&t=%7E'!*()&%C3%A9=%C3%BC"

/** Returns the callback of a sale at an endpoint, as the gateway has sent it. */
export const record = async (gateway: Gateway.Gateway, endpointId: string): Promise<Recorded> => {
  const recorded: Array<Recorded> = []
  const server = createServer(async (request, response) => {
    const { headers, method = "", url: target = "" } = request
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type", "user-agent"]
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)))
    recorded.push({ method, target, headers: kept, body: await text(request) })
    response.end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  const serverCallbackUrl = `http://127.0.0.1:${port}/callback?${own}`
  const payment = { clientOrderId: freshId(), amount: "10.42", currency: "USD", card, customer, serverCallbackUrl }
  const sold = await gateway.client({ endpointId }).cardSale({ ...payment, orderDesc: "Größe 1+1 & 100%" })
  if (!sold.ok) throw sold.error
  if (recorded.length === 0) await once(server, "request")
  server.close()
  const [callback] = recorded
  if (callback === undefined) throw new Error("the gateway has sent no callback")
  return callback
}
