// Drives the public Node client against a gateway: FOLDER HOST LOGIN KEY ENDPOINT. NODE_PATH has its libraries, lodash-node and when.
// Prints a line for each promise: `ok` or `FAILED`, a tab, and what was tried.
const Module = require("node:module")
const { join } = require("node:path")

const [, , folder, hostname, login, control, endpointid] = process.argv
const load = Module._load
const noLogger = () => ({ debug() {}, info() {}, warn() {}, error() {} })
Module._load = (name, ...others) => {
  if (name.endsWith("logger")) return noLogger
  if (name === "config-of-the-driver") return config
  return load(name, ...others)
}
const config = { PAYNETEASY: { ENDPOINTS: { [endpointid]: { login, control, endpointid, hostname } } } }
global.__modulesCustom = join(folder, "node_modules_custom/")
global.__cfg = "config-of-the-driver"
const preauth = require(join(folder, "src/pne/preauthReq.js"))
const preauthStatus = require(join(folder, "src/pne/preauthStatusReq.js"))

const attempt = async (what, run) => {
  try {
    const problem = await run()
    console.log(problem === undefined ? `ok\t${what}` : `FAILED\t${what}\t${problem}`)
  } catch (error) {
    console.log(`FAILED\t${what}\t${String(error?.stack ?? JSON.stringify(error)).replaceAll(/\s+/g, " ")}`)
  }
}

const main = async () => {
  const transactionUuid = `node-${Date.now()}`
  const data = {
    endpointid,
    transactionUuid,
    comission: 0,
    payer_firstName: "John",
    payer_lastName: "Smith",
    userUuid: "user",
    orderDesc: "A hold of the Node client",
    amount: 10.5,
    currency: "USD",
    payer_country: "US",
    payer_city: "Seattle",
    payer_zipCode: "98102",
    payer_address1: "100 Main st",
    payer_phone: "+12063582043",
    payer_email: "john.smith@gmail.com",
    payer_ipaddress: "65.153.12.232",
    redirectUrl: "https://shop.example/back",
    serverCallbackUrl: "https://shop.example/callback"
  }
  let order
  await attempt("preauth-form", async () => {
    const { data: answer, err } = await preauth(data)
    order = answer
    return answer?.url === undefined ? JSON.stringify(err) : undefined
  })
  await attempt("status", async () => {
    const { data: answer, err } = await preauthStatus({
      endpointid,
      transactionUuid,
      preauthPneId: order?.preauthPneId
    })
    return answer?.status === "processing" ? undefined : JSON.stringify(err ?? answer)
  })
}
main()
