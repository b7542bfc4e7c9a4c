// A shop that sells on the gateway's page. The beginning of an order's name says how it leads the customer there.
import { createHash } from "node:crypto"
import { createServer } from "node:http"

const { PAY_BASE_URL, PAY_CONTROL_KEY, PAY_ENDPOINT_ID, PORT, SHOP_URL } = process.env
const visits = new Set()

const customer = {
  ...{ order_desc: "Two tickets", email: "ada@example.com", address1: "1 Main Street", city: "Los Angeles" },
  ...{ zip_code: "90001", country: "US", state: "CA", ipaddress: "203.0.113.7", currency: "USD" }
}

/** Asks for a page on which the order is paid. */
const page = async (name, amount) => {
  const signed = [PAY_ENDPOINT_ID, name, amount.replace(".", ""), customer.email, PAY_CONTROL_KEY].join("")
  const control = createHash("sha1").update(signed).digest("hex")
  const redirect_url = `${SHOP_URL}/return/${name}?shop=1`
  const answer = await fetch(`${PAY_BASE_URL}/api/v2/sale-form/${PAY_ENDPOINT_ID}`, {
    method: "POST",
    headers: { accept: "application/vnd.pay+json" },
    body: new URLSearchParams({ ...customer, client_orderid: name, amount, redirect_url, control })
  })
  return answer.json()
}

const redirect = (response, url) => {
  response.writeHead(303, { location: url })
  response.end()
}
const html = (response, text) => {
  response.writeHead(200, { "content-type": "text/html" })
  response.end(`<!DOCTYPE html><html><body>${text}</body></html>`)
}
const escaped = (text) => text.replaceAll("&", "&#38;").replaceAll('"', "&#34;")

/** The ways in which shops lead a customer to the gateway. */
const ways = {
  redirect,
  json: (response, url) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ state: "new", redirect_url: url }))
  },
  // Its address has a query, which a form that is sent with GET replaces.
  form: (response, url) =>
    html(
      response,
      `<!-- <form action="/no"> --><FORM METHOD='get' ACTION='/go'><input type='hidden' value='${escaped(url)}' name='to'/></FORM><script>document.forms[0].submit()</script>`
    ),
  refresh: (response, url) => html(response, `<meta content="0; URL='${escaped(url)}'" http-equiv="Refresh">`),
  link: (response, url) =>
    html(response, `<a href="https://shop.example/terms">Terms</a> <a class="pay" href="${escaped(url)}">Pay</a>`)
}

createServer(async (request, response) => {
  let body = ""
  for await (const piece of request) body += piece
  const { pathname, searchParams } = new URL(request.url, SHOP_URL)
  const [, what, name = ""] = pathname.split("/")
  if (what === "go") return redirect(response, searchParams.get("to"))
  if (what === "orders" && request.method === "POST") {
    const { "redirect-url": url, ...answer } = await page(name, new URLSearchParams(body).get("amount"))
    if (url === undefined) return html(response, `refused: ${JSON.stringify(answer)}`)
    return ways[/^[a-z]+/.exec(name)[0]](response, url)
  }
  if (what === "return") {
    visits.add(name)
    const result = body.includes("status=approved") ? "approved" : "nothing"
    console.log(`${name}: ${request.method} ${[...searchParams.keys()]} ${result}`)
    response.setHeader("set-cookie", "visited=yes; Path=/")
    return redirect(response, `/orders/${name}/thanks`)
  }
  if (pathname.endsWith("/thanks")) return html(response, `<h1>Thank you: paid</h1> ${request.headers.cookie}`)
  response.end(JSON.stringify({ state: visits.has(name) ? "paid" : "new" }))
}).listen(Number(PORT), "127.0.0.1")
