/**
 * The public modules of the older dialect that can be tried against a sandbox (docs/merchants/older-dialect.md), each with the address that it
 * accepts and the settings to enter.
 */
import * as Sandbox from "@pay/server/Sandbox"

const { controlKey, endpoints, login } = Sandbox.olderMerchant

/** The address and the files by which a module reaches the gateway. */
interface Reach {
  /** The address of the gateway, without a path and without a slash at the end. */
  readonly origin: string
  readonly certificateFile: string
  readonly privateKeyFile: string
}

export interface Module {
  readonly name: string
  readonly about: string
  /** `https`: the module accepts neither a port nor http, so that the gateway must be reached at port 443. */
  readonly scheme: "http" | "https"
  readonly settings: (reach: Reach) => Readonly<Record<string, string>>
}

const keys = { login, key: controlKey, "end point": endpoints.usd }

const library = ({ origin }: Reach) => ({ "gateway url": `${origin}/paynet/api/v2/`, ...keys })
const shop = ({ origin }: Reach) => ({ "sandbox URL": `${origin}/`, ...keys })

export const all: ReadonlyArray<Module> = [
  {
    name: "php-library",
    about: "the PHP library, and modules that contain it: PrestaShop, older WooCommerce",
    scheme: "http",
    settings: library
  },
  { name: "ruby-library", about: "the Ruby library", scheme: "http", settings: library },
  {
    name: "woocommerce",
    about: "the module for WooCommerce, whose settings refuse a port and a path; it verifies no certificate",
    scheme: "https",
    settings: shop
  },
  { name: "opencart", about: "the module for OpenCart", scheme: "http", settings: shop },
  { name: "magento", about: "the module for Magento 2", scheme: "http", settings: shop },
  { name: "cs-cart", about: "the module for CS-Cart", scheme: "http", settings: shop },
  {
    name: "node",
    about: "the Node client, which requires https at port 443 and verifies certificates",
    scheme: "https",
    settings: ({ certificateFile, origin }) => ({
      hostname: new URL(origin).hostname,
      login,
      control: controlKey,
      endpointid: endpoints.usd,
      "start it with": `NODE_EXTRA_CA_CERTS=${certificateFile}`
    })
  },
  {
    name: "oauth",
    about: "the examples of version 4, which sign with the merchant's RSA key, require https and verify certificates",
    scheme: "https",
    settings: ({ certificateFile, origin, privateKeyFile }) => ({
      "server host": new URL(origin).hostname,
      login,
      "private key": privateKeyFile,
      "cacert.pem": certificateFile,
      "end point": endpoints.usd
    })
  }
]
