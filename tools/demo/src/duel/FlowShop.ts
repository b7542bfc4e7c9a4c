/** The shop on `@pay/client`, as a process: pays for the order under a fixed `client_orderid`, and prints the order's status. */
import { Pay } from "@pay/client"
import * as Basket from "./Basket.ts"

const sale = await Pay.fromEnv().cardSale(Basket.payment)
console.log(sale.ok ? sale.order.status : sale.error.message)
