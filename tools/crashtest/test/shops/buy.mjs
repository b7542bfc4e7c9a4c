// A program that buys: its output says what happened, its exit code whether it worked.
const [order, amount] = process.argv.slice(2)
if (order.startsWith("hangs")) setInterval(() => undefined, 1000)
else if (order.startsWith("broken")) process.exit(1)
else
  console.log(
    JSON.stringify({ state: order.startsWith("declined") ? "declined" : "paid", amount, url: process.env.PAY_BASE_URL })
  )
