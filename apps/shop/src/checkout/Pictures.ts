/** Pictures of the products, drawn for this shop. */

const drawing = (background: string, shapes: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 160"><rect width="240" height="160" fill="${background}"/>${shapes}</svg>`

/** A drawing by the product's identifier. */
export const pictures: Readonly<Record<string, string>> = {
  can: drawing(
    "#f3e6dc",
    `<path d="M92 66h62l7 60a6 6 0 0 1-6 6H91a6 6 0 0 1-6-6Z" fill="#b4653a"/><path d="M92 66h62l2 14H90Z" fill="#c98257"/><path d="M87 112 52 70l-9 6-4-6 22-16 4 6-6 4 32 34Z" fill="#a5562d"/><path d="M156 78c34-6 36 40 4 40" fill="none" stroke="#a5562d" stroke-width="8"/><path d="M98 66c0-30 50-30 50 0" fill="none" stroke="#b4653a" stroke-width="7"/><g fill="#7fa7bd"><circle cx="36" cy="88" r="3"/><circle cx="28" cy="102" r="3"/><circle cx="42" cy="106" r="3"/><circle cx="34" cy="122" r="3"/></g>`
  ),
  bench: drawing(
    "#e3ecdf",
    `<g fill="#9a6b3f"><rect x="42" y="46" width="156" height="11" rx="3"/><rect x="42" y="62" width="156" height="11" rx="3"/><rect x="36" y="90" width="168" height="12" rx="3"/></g><g fill="#7a5230"><rect x="54" y="38" width="9" height="56"/><rect x="177" y="38" width="9" height="56"/><rect x="48" y="102" width="10" height="34"/><rect x="182" y="102" width="10" height="34"/></g><path d="M20 138h200" stroke="#6f9a63" stroke-width="6" stroke-linecap="round"/>`
  ),
  seeds: drawing(
    "#efe4ef",
    `<rect x="82" y="26" width="76" height="108" rx="6" fill="#fff"/><path d="M82 32a6 6 0 0 1 6-6h64a6 6 0 0 1 6 6v12H82Z" fill="#7a2a63"/><path d="M120 118V86" stroke="#4f8a52" stroke-width="5"/><path d="M120 100c-22 0-24-16-24-16 20-2 24 8 24 16Zm0-8c0-10 6-20 26-18 0 0-2 18-26 18Z" fill="#5f9e62"/><g fill="#c98cb8"><circle cx="120" cy="66" r="8"/><circle cx="109" cy="73" r="7"/><circle cx="131" cy="73" r="7"/></g><circle cx="120" cy="73" r="5" fill="#7a2a63"/>`
  )
}
