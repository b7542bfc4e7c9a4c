/** Which addresses are of this machine, where a sandbox may be played with. */
export const isOn = (address: string): boolean =>
  /^(localhost|127\.[\d.]+|\[::1\])$/.test(URL.parse(address)?.hostname ?? "")
