// A shop with a checkout form. It gives orders its own numbers, and believes only forms with the cookie and the token that it gave out.
import { createServer } from "node:http"

const orders = new Map()
const password = `Basic ${btoa("office:secret")}`
let visitors = 0

const html = (response, text, headers = {}) => {
  response.writeHead(200, { "content-type": "text/html", ...headers })
  response.end(`<!doctype html><main>${text}</main>`)
}
const end = (response, status, headers = {}) => {
  response.writeHead(status, headers)
  response.end()
}

const buy = (response) => {
  visitors += 1
  const number = `S-${visitors}`
  html(
    response,
    `<form action="/search"><input name="words"></form>
     <form method="post" action="/buy"><input type="hidden" name="token" value="t${visitors}">
     <input type="hidden" name="number" value="${number}"><input name="amount"><input name="name">
     <select name="way"><option>card</option></select><button>Pay</button></form>`,
    { "set-cookie": `visitor=${visitors}; Path=/; HttpOnly` }
  )
}

/** What the customer's name of the order wants to happen. The order is stored in each case. */
const bought = (response, { name, number, presses }) => {
  if (name.startsWith("fails") && presses === 1) return end(response, 500)
  end(response, 303, { location: name.startsWith("waits") ? `/waits/${number}` : `/thanks/${number}` })
}

createServer(async (request, response) => {
  let body = ""
  for await (const piece of request) body += piece
  const form = Object.fromEntries(new URLSearchParams(body))
  const [what, number] = request.url.split("/").slice(1)
  if (request.method === "POST" && what === "buy") {
    if (`t${/visitor=(\d+)/.exec(request.headers.cookie)?.[1]}` !== form.token || form.way !== "card")
      return end(response, 403)
    const order = orders.get(form.number) ?? { ...form, presses: 0, refunds: [], loads: 0 }
    order.presses += 1
    orders.set(form.number, order)
    return bought(response, order)
  }
  if (what === "buy") return buy(response)
  const order = orders.get(number)
  if (what === "office" && request.headers.authorization !== password) return end(response, 401)
  if (order === undefined) return end(response, what === "" ? 200 : 500)
  if (what === "thanks") return html(response, "One moment", { refresh: `0; url=/done/${number}` })
  if (what === "waits") {
    order.loads += 1
    return html(response, "We are confirming your payment", { refresh: "1" })
  }
  if (what === "done") return html(response, "Thank you")
  if (what === "office" && request.method === "POST") {
    order.refunds.push(form.action)
    return end(response, order.refunds.length === 1 ? 500 : 303, { location: "/office" })
  }
  if (what === "office")
    return html(
      response,
      `<form method="post"><input type="hidden" name="action" value="${Math.random()}"><input name="amount"></form>`
    )
  response.end(JSON.stringify({ ...order, state: "paid", refunds: [...new Set(order.refunds)] }))
}).listen(Number(process.env.PORT), "127.0.0.1")
