/**
 * The orders that `Fill` copies, processed by the gateway: paid, declined, authorized and captured. The callbacks of all are
 * delivered.
 */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { Job, Order } from "@pay/gateway/Entities"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { merchant } from "@pay/server/Sandbox"
import * as Load from "../gateway/Load.ts"
import * as Servers from "../gateway/Servers.ts"

const { CAPTURE, PREAUTH, SALE } = PayApi.operations
const captured = "template-captured"

/** The orders to create; seven of ten are plain sales. The simulated bank declines the security code `555`. */
const created: ReadonlyArray<readonly [operation: Operation, clientOrderId: string, fields?: Record<string, string>]> =
  [
    ...Array.from({ length: 7 }, (_, n) => [SALE, `template-sale-${n}`] as const),
    [SALE, "template-declined", { cvv2: "555" }],
    [PREAUTH, "template-held"],
    [PREAUTH, captured]
  ]

/** Creates the orders and waits until their jobs are done. Returns the number of orders. */
export const carryThrough = async (folder: string): Promise<number> => {
  const server = await Servers.start("GatewayServer.ts", folder, "running")
  const listener = await Load.listen()
  try {
    const requests = created.map(([operation, clientOrderId, fields]) =>
      Load.signed(operation, {
        ...Sample.request(operation),
        ...fields,
        client_orderid: clientOrderId,
        server_callback_url: listener.url
      })
    )
    await Load.send(server.port, requests, 1)
    await listener.received(created.length)
    const database = new DatabaseSync(join(folder, "gateway.db"), { readOnly: true })
    const order = database.prepare(`SELECT orderId FROM ${Order.name} WHERE clientOrderId = ?`).get(captured)
    const capture = { login: merchant.login, client_orderid: captured, orderid: `${order?.orderId}` }
    await Load.send(server.port, [Load.signed(CAPTURE, capture)], 1)
    await listener.received(1)
    const moving = database.prepare(`SELECT 1 FROM ${Job.name} WHERE kind <> 'lapse'`)
    while (moving.get() !== undefined) await setTimeout(10)
    database.close()
  } finally {
    listener.close()
    server.stop()
    await server.ended
  }
  return created.length
}
