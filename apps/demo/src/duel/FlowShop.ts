/** The shop on `@pay/client`, as a process: pays for the basket under its own name, and says how the order stands. */
import { Pay } from "@pay/client"
import * as Basket from "./Basket.ts"

const sale = await Pay.fromEnv().cardSale(Basket.payment)
console.log(sale.ok ? sale.order.status : sale.error.message)
