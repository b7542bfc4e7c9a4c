/**
 * The baseline on PostgreSQL: `node:http` without a gateway, which parses the form, hashes and compares the control, encrypts the
 * same card data and commits the same rows by the same batched procedure. Runs as a process: the database's URL is the argument,
 * the port is printed on stdout.
 */
import { createCipheriv, createSecretKey, hash, randomBytes, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { parse } from "node:querystring"
import { merchant } from "@pay/server/Sandbox"
import { Effect } from "effect"
import * as Sale from "../storage/Sale.ts"
import * as Stores from "./Stores.ts"

const { store } = await Stores.open(process.argv[2] ?? "")
const master = createSecretKey(randomBytes(32))

const encrypt = (key: Parameters<typeof createCipheriv>[1], plain: string | Buffer): Buffer => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, nonce)
  const sealed = typeof plain === "string" ? cipher.update(plain, "utf8") : cipher.update(plain)
  return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()])
}

/** Encrypts with a new data key, which the master key encrypts, as the gateway does. */
const seal = (plain: string): Buffer => {
  const dataKey = randomBytes(32)
  return Buffer.concat([encrypt(master, dataKey), encrypt(dataKey, plain)])
}

let turn = 0
const text = (value: string | ReadonlyArray<string> | undefined): string => (typeof value === "string" ? value : "")

const server = createServer((request, response) => {
  let body = ""
  request.setEncoding("latin1")
  request.on("data", (chunk: string) => {
    body += chunk
  })
  request.on("end", () => {
    const fields = parse(body)
    const endpointId = (request.url ?? "").slice((request.url ?? "").lastIndexOf("/") + 1)
    const minor = text(fields.amount).replace(".", "")
    const signed = endpointId + text(fields.client_orderid) + minor + text(fields.email) + merchant.controlKey
    const genuine = timingSafeEqual(Buffer.from(hash("sha1", signed)), Buffer.from(text(fields.control)))
    if (!genuine) {
      response.writeHead(400)
      response.end()
      return
    }
    seal(text(fields.credit_card_number))
    seal(text(fields.cvv2))
    const mine = turn++
    Effect.runFork(
      Effect.map(store.commit(Sale.accept(mine)), () => {
        const answer = `{"type":"async-response","serial-number":"00000000-0000-0000-0000-${String(mine).padStart(12, "0")}","merchant-order-id":"${text(fields.client_orderid)}","paynet-order-id":"${mine}","end-point-id":"${endpointId}"}`
        response.writeHead(200, {
          "content-type": "application/vnd.pay+json; charset=utf-8",
          "content-length": Buffer.byteLength(answer)
        })
        response.end(answer)
      })
    )
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object") console.log(`port ${address?.port}`)
})
