// A shop with a checkout of its own, which works only with scripts. It asks another machine for a picture.
import { createServer } from "node:http"

const states = new Map()

const page = (content) =>
  `<!doctype html><html><head><link rel="icon" href="data:,"></head><body>${content}</body></html>`
const checkout = (order) =>
  page(`<h1>Checkout</h1><img src="http://192.0.2.1/logo.png" alt="">
<form method="post" action="/pay/${order}"><input id="card" name="card"><input name="amount" type="hidden">
<select id="country" name="country"><option value="">Choose</option><option value="US">United States</option></select></form>
<script>
const button = document.createElement("button")
button.textContent = "Pay"
button.disabled = true
document.forms[0].append(button)
document.getElementById("card").addEventListener("input", ({ target }) => { button.disabled = target.value.length < 12 })
</script>`)

createServer(async (request, response) => {
  let body = ""
  for await (const piece of request) body += piece
  const [, what, order = ""] = new URL(request.url, "http://shop").pathname.split("/")
  response.setHeader("content-type", "text/html")
  if (what === "checkout") return response.end(checkout(order))
  if (what === "pay") {
    const form = new URLSearchParams(body)
    const isRight = form.get("card") === "4444555566661111" && form.get("country") === "US"
    const state = order.startsWith("declined") || !isRight ? "declined" : "paid"
    states.set(order, state)
    response.writeHead(303, { location: `/done/${order}` })
    return response.end()
  }
  if (what === "done")
    return response.end(page(states.get(order) === "paid" ? "<h1>Thank you!</h1>" : "<h1>Your card was declined</h1>"))
  response.end(JSON.stringify({ state: states.get(order) }))
}).listen(Number(process.env.PORT), "127.0.0.1")
