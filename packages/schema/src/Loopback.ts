/** Returns whether an address is on this machine, where a sandbox can be controlled. */
export const isOn = (address: string): boolean =>
  /^(localhost|127\.[\d.]+|\[::1\])$/.test(URL.parse(address)?.hostname ?? "")
