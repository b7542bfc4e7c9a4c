/** The proxies of `deploy/`: a sale goes through each to a gateway for real money, and operators' pages do not. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import { Effect, Schedule } from "effect"
import { Agent, request } from "undici"
import { inProcess } from "../../apps/cli/test/InProcess.ts"
import { identity } from "../../gateway/gateway/test/threeds/Certificates.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as Kit from "./Kit.ts"

const token = "a token of the first operator"
const dayMs = 86_400_000

/** A gateway from the kit with a key for its merchant, and a folder with the certificates that the files name. */
const world = Effect.gen(function* () {
  const kit = yield* Kit.installed
  const environment = { ...kit.environment, PAY_OPERATOR_TOKEN: token }
  const { operatorUrl } = yield* Kit.started({ ...kit, environment })
  const env = { PAY_OPERATOR_URL: operatorUrl, PAY_OPERATOR_TOKEN: token }
  const added = yield* Effect.promise(() => inProcess(["keys", "add", "my-shop", "--json"], { env }))
  const folder = yield* temporaryFolder
  const validity = { fromMs: Date.now() - dayMs, untilMs: Date.now() + dayMs }
  const authority = identity("authority of the kit", { ...validity, ca: true })
  const certified = (name: string) => {
    const { certificate, key } = identity(name, { ...validity, by: authority })
    return { cert: certificate.toString(), key: key.export({ type: "pkcs8", format: "pem" }).toString() }
  }
  const ca = authority.certificate.toString()
  const server = certified("pay.example")
  writeFileSync(join(folder, "tls.pem"), server.cert)
  writeFileSync(join(folder, "tls.key"), server.key)
  writeFileSync(join(folder, "operators-authority.pem"), ca)
  const controlKey = String(JSON.parse(added.out).secret)
  return { environment, controlKey, folder, ca, client: certified("alice"), port: kit.freePort }
})

type World = Effect.Success<typeof world>

/** Returns the file with the test's ports and folder in the place of the machine's. */
const adapted = (name: string, { environment, folder, port }: World): string =>
  Kit.read(name)
    .replaceAll(/\/etc\/pay\/([\w.-]+)/g, `"${folder}/$1"`)
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${environment.PAY_PORT}`)
    .replaceAll("127.0.0.1:8081", `127.0.0.1:${environment.PAY_OPERATOR_PORT}`)
    .replace(/listen [\d.:]*443 ssl/, `listen 127.0.0.1:${port} ssl`)
    .replace("admin off", `admin off\n\thttps_port ${port}\n\tauto_https disable_redirects`)
    .replace("pay.example {", "pay.example {\n\tbind 127.0.0.1")

interface Proxy {
  readonly program: string
  readonly file: string
  /** Returns the arguments that check the file, and those that start it. */
  readonly prepare: (place: World) => Readonly<Record<"check" | "start", ReadonlyArray<string>>>
}

const nginx = (file: string): Proxy => ({
  program: "nginx",
  file,
  prepare: (place) => {
    const { folder } = place
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    for (const each of temporary) mkdirSync(join(folder, each))
    const path = join(folder, "nginx.conf")
    const account = process.getuid?.() === 0 ? "user root;" : ""
    const paths = temporary.map((each) => `${each}_temp_path "${folder}/${each}";`).join(" ")
    writeFileSync(
      path,
      `daemon off; worker_processes 1; ${account} pid "${folder}/nginx.pid"; error_log stderr warn; events {}
http { access_log "${folder}/access.log"; ${paths}
${adapted(file, place)} }`
    )
    const start = ["-e", "stderr", "-c", path]
    return { check: ["-t", ...start], start }
  }
})

const caddy: Proxy = {
  program: "caddy",
  file: "caddy/Caddyfile",
  prepare: (place) => {
    const path = join(place.folder, "Caddyfile")
    writeFileSync(path, adapted("caddy/Caddyfile", place))
    const from = ["--config", path, "--adapter", "caddyfile"]
    return { check: ["validate", ...from], start: ["run", ...from] }
  }
}

/** Starts it. Returns what sends a request through it, and the lines that it logged. Undefined where there is no such program. */
const started = Effect.fnUntraced(function* ({ prepare, program }: Proxy, place: World, client?: World["client"]) {
  const { check, start } = prepare(place)
  const env = { ...process.env, XDG_DATA_HOME: place.folder, XDG_CONFIG_HOME: place.folder }
  const verdict = yield* Effect.promise(() => Kit.ran(program, check, env))
  if (verdict === undefined) return undefined
  assert.strictEqual(verdict.code, 0, verdict.text)
  const lines: Array<string> = []
  yield* Effect.acquireRelease(
    ChildProcess.launch<void>({
      program,
      args: start,
      env: { XDG_DATA_HOME: place.folder, XDG_CONFIG_HOME: place.folder },
      ready: () => undefined,
      onLine: (line) => void lines.push(line)
    }),
    ({ ended, signal }) => Effect.andThen(signal("SIGTERM"), ended)
  )
  const dispatcher = new Agent({ connect: { ca: place.ca, servername: "pay.example", ...client } })
  yield* Effect.addFinalizer(() => Effect.promise(() => dispatcher.close()))
  const send = (path: string, body?: string, headers: Readonly<Record<string, string>> = {}) =>
    Effect.tryPromise(async () => {
      const form = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }
      const answer = await request(`https://127.0.0.1:${place.port}${path}`, {
        dispatcher,
        method: body === undefined ? "GET" : "POST",
        headers: { host: "pay.example", accept: "application/vnd.pay+json", ...form, ...headers },
        body: body ?? null
      })
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
    })
  yield* Effect.retry(send("/healthz"), Schedule.spaced("20 millis"))
  return { send, lines }
})

const fieldsOf = (text: string) => new Map(Object.entries<unknown>(JSON.parse(text)))

describe.each([nginx("nginx/pay.conf"), caddy])("deploy/$file", (proxy) => {
  it.live(
    `carries a sale to the bank's answer with the programs of the machine, and no page of operators${Kit.unless(proxy.program)}`,
    () =>
      Effect.gen(function* () {
        const place = yield* world
        const through = yield* started(proxy, place)
        if (through === undefined) return
        const { lines, send } = through
        const sent = (
          operation: (typeof PayApi.operations)["SALE" | "STATUS"],
          fields: Readonly<Record<string, string>>
        ) =>
          Effect.map(
            send(
              `${operation.path}/22903`,
              Form.write(Object.entries(TestGateway.controlled(operation, fields, "22903", place.controlKey)))
            ),
            (answer) => ({ ...answer, fields: fieldsOf(answer.text) })
          )
        // A long description: with a smaller buffer, nginx would write the card number to a file.
        const sale = yield* sent(PayApi.operations.SALE, {
          ...TestGateway.saleFields,
          client_orderid: "kit-1",
          currency: "EUR",
          order_desc: "x".repeat(60_000)
        })
        assert.strictEqual(sale.fields.get("type"), "async-response", sale.text)
        assert.match(String(sale.headers["strict-transport-security"]), /max-age=\d{8}/)
        const orderid = String(sale.fields.get("paynet-order-id"))
        const { fields } = yield* Effect.repeat(
          sent(PayApi.operations.STATUS, { login: "my-shop", client_orderid: "kit-1", orderid }),
          { schedule: Schedule.spaced("20 millis"), until: (answer) => answer.fields.get("status") !== "processing" }
        )
        assert.strictEqual(fields.get("status"), "declined")
        for (const path of ["/operator/orders", "/metrics"]) assert.strictEqual((yield* send(path)).status, 404, path)
        assert.strictEqual((yield* send("/api/v2/sale/22903", "x".repeat(300_000))).status, 413)
        assert.deepStrictEqual(
          lines.filter((line) => /temporary file|kit-1|4444/.test(line)),
          []
        )
        assert.strictEqual(
          existsSync(join(place.folder, "access.log")) ? readFileSync(join(place.folder, "access.log"), "utf8") : "",
          ""
        )
      })
  )
})

describe("deploy/nginx/pay-operators.conf", () => {
  it.live(
    `serves an operator with a certificate and a token with the programs of the machine, and nothing without both${Kit.unless("nginx")}`,
    () =>
      Effect.gen(function* () {
        const place = yield* world
        const bearer = { authorization: `Bearer ${token}` }
        const through = yield* started(nginx("nginx/pay-operators.conf"), place, place.client)
        if (through === undefined) return
        assert.strictEqual((yield* through.send("/metrics")).status, 401)
        const metrics = yield* through.send("/metrics", undefined, bearer)
        assert.deepStrictEqual([metrics.status, metrics.text.includes("pay_not_ready")], [200, true])
        const dispatcher = new Agent({ connect: { ca: place.ca, servername: "pay.example" } })
        const without = yield* Effect.promise(() =>
          request(`https://127.0.0.1:${place.port}/metrics`, {
            dispatcher,
            headers: { host: "pay.example", ...bearer }
          })
        )
        assert.strictEqual(without.statusCode, 400)
        yield* Effect.promise(() => without.body.dump())
        yield* Effect.promise(() => dispatcher.close())
      })
  )
})
