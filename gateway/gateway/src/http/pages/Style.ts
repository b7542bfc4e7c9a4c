import { backgrounds } from "../../merchants/Brand.ts"

/** The colours of every page, as variables: light, and dark where the browser prefers that. */
export const colors = `
:root{color-scheme:light dark;--page:${backgrounds.light};--paper:#fff;--ink:#16202b;--soft:#55626f;--line:#858f9a;--rule:#e1e5ea;--accent:#14507a;--on:#fff;--over:#0f3f61;--bad:#b3261e;--bad-paper:#fdf0ef;--good:#17663a;--good-paper:#eaf6ee;--wait:#7a5200;--wait-paper:#fdf5e4;--ring:#2f80c3}
@media(prefers-color-scheme:dark){:root{--page:#0f151b;--paper:${backgrounds.dark};--ink:#edf1f5;--soft:#a9b5c1;--line:#7c8997;--rule:#2b3743;--accent:#7ec0f2;--on:#08202f;--over:#a3d3f8;--bad:#ffb4ab;--bad-paper:#3a1d1b;--good:#8fdcab;--good-paper:#15301f;--wait:#f3cd82;--wait-paper:#33290f;--ring:#7ec0f2}}
`
  .trim()
  .replaceAll("\n", "")

/**
 * The style sheet of every page, which is part of the page. It uses logical properties, so that right-to-left pages need few
 * rules of their own.
 */
export const style = `
${colors}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Arabic",sans-serif;min-height:100vh;display:flex;flex-direction:column;align-items:center;padding:1rem}
main{width:100%;max-width:27rem;background:var(--paper);border:1px solid var(--rule);border-radius:1rem;padding:1.5rem;box-shadow:0 1px 2px rgb(16 32 48/.06),0 8px 24px rgb(16 32 48/.06)}
@media(min-width:30rem){body{padding:3rem 1rem}main{padding:2rem}}
h1,h2,p,dl,dd{margin:0}
h1{font-size:1.25rem;line-height:1.3;text-wrap:balance}
h2{font-size:1rem;margin-block:1.5rem 1rem}
.order{padding-block-end:1.25rem;border-block-end:1px solid var(--rule)}
.order .logo{display:block;max-width:100%;height:2.5rem;margin-block-end:1rem;object-fit:contain;object-position:left}
[dir=rtl] .order .logo{object-position:right}
.order .to{color:var(--soft);font-size:.875rem}
.order h1{overflow-wrap:anywhere}
.order .amount{overflow-wrap:anywhere;font-size:2rem;line-height:1.2;font-weight:650;margin-block-start:.75rem;font-variant-numeric:tabular-nums}
.order .about{color:var(--soft);margin-block-start:.5rem;overflow-wrap:anywhere;white-space:pre-line;max-height:6.2em;overflow:auto}
.field{margin-block-end:1.125rem}
label{display:block;font-weight:600;font-size:.9375rem;margin-block-end:.375rem}
.box{position:relative}
input{width:100%;min-height:3rem;padding:.625rem .875rem;font:inherit;font-size:1.0625rem;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.625rem;font-variant-numeric:tabular-nums}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--ring);outline-offset:2px}
input[aria-invalid=true]{border-color:var(--bad);box-shadow:inset 0 0 0 1px var(--bad)}
input[dir=ltr]{text-align:start}
[dir=rtl] input[dir=ltr]{text-align:end}
.marks{list-style:none;margin:.5rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem}
.marks svg{display:block;width:2.25rem;height:1.4375rem}
.marks rect,.where .face{fill:var(--paper);stroke:var(--line)}
.marks text,.where text{fill:var(--ink);font-weight:700}
.marks li.other{opacity:.3}
.marks li.match rect{stroke:var(--accent);stroke-width:2}
.where{position:absolute;inset-inline-end:.625rem;inset-block-start:.5625rem;width:2.75rem;height:1.875rem;pointer-events:none}
.where[hidden]{display:none}
.where .dark{fill:var(--soft)}
.where .line{stroke:var(--line);stroke-width:1.5}
.where .ring{fill:none;stroke:var(--bad);stroke-width:1.5}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem;align-items:start}
@media(max-width:22rem){.pair{grid-template-columns:1fr}}
fieldset{border:0;margin:0 0 1.125rem;padding:0;min-width:0}
legend{font-weight:600;font-size:.9375rem;margin-block-end:.375rem;padding:0}
.ways{display:grid;grid-template-columns:1fr 1fr;gap:.5rem}
.ways .error{grid-column:1/-1}
.way{position:relative;margin:0;font-weight:500}
.way input{position:absolute;inset:0;width:100%;height:100%;min-height:0;margin:0;opacity:0;cursor:pointer}
.way span{display:grid;place-items:center;height:100%;min-height:3rem;padding:.5rem .25rem;hyphens:auto;overflow-wrap:anywhere;text-align:center;border:1px solid var(--line);border-radius:.625rem}
.way input:checked+span{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent);font-weight:650}
.way input:focus-visible+span{outline:3px solid var(--ring);outline-offset:2px}
form:has([name=way]:checked) .part{display:none}
${["card", "account", "phone", "wallet"].map((way) => `form:has([value=${way}]:checked) .part[data-way=${way}]`).join(",")}{display:block}
.hint{color:var(--soft);font-size:.8125rem;margin-block-start:.375rem}
.error{color:var(--bad);font-size:.875rem;font-weight:500;margin-block-start:.375rem}
.error:empty{display:none}
.notice{border-radius:.625rem;padding:.75rem 1rem;margin-block:1.25rem 0;font-size:.9375rem;background:var(--bad-paper);color:var(--bad)}
.notice strong{display:block}
button{width:100%;min-height:3.125rem;padding:.75rem 1rem;font:inherit;font-weight:650;border-radius:.625rem;border:1px solid transparent;background:var(--accent);color:var(--on);cursor:pointer}
button:hover{background:var(--over)}
button.quiet{background:none;color:var(--accent);margin-block-start:.5rem;min-height:2.75rem;font-weight:600}
button.quiet:hover{text-decoration:underline}
button[aria-disabled=true]{opacity:.75;cursor:progress}
.secure{display:flex;gap:.5rem;align-items:flex-start;color:var(--soft);font-size:.8125rem;margin-block-start:1rem}
.secure svg{flex:none;width:1rem;height:1rem;margin-block-start:.125rem}
.state{text-align:center;padding-block:1.75rem .25rem}
.state h2{font-size:1.25rem;line-height:1.3;margin:0;text-wrap:balance}
.state p{color:var(--soft);margin-block-start:.5rem;text-wrap:pretty}
.state form{margin-block-start:1.5rem}
.sign{width:4rem;height:4rem;border-radius:50%;margin:0 auto 1.25rem;display:grid;place-items:center;background:var(--wait-paper);color:var(--wait)}
.sign svg{width:2rem;height:2rem}
.good .sign{background:var(--good-paper);color:var(--good)}
.bad .sign{background:var(--bad-paper);color:var(--bad)}
.turn{width:4rem;height:4rem;border-radius:50%;margin:0 auto 1.25rem;border:.375rem solid var(--rule);border-block-start-color:var(--accent);animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.turn{animation-duration:6s}}
footer{width:100%;max-width:27rem;padding-block:1rem;text-align:center;font-size:.875rem}
footer ul{list-style:none;display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem;margin:0;padding:0}
footer a{display:inline-block;padding:.5rem .75rem;min-height:2.5rem;color:var(--soft)}
footer a[aria-current]{color:var(--ink);font-weight:650;text-decoration:none}
.test{width:100%;max-width:27rem;margin-block-end:1rem;padding:.625rem 1rem;border-radius:.625rem;background:var(--wait-paper);color:var(--wait);font-size:.875rem}
.test p{margin:0}
.test summary{cursor:pointer;font-weight:650;padding-block:.25rem;width:fit-content}
.test ul{list-style:none;margin:.5rem 0;padding:0;display:grid;gap:.625rem}
.test li{display:grid;grid-template-columns:1fr auto;gap:.125rem .75rem;align-items:center}
.test li span{grid-column:1/-1}
.test code{font:600 .9375rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;user-select:all;-webkit-user-select:all;text-align:start}
.test button{width:auto;min-height:2rem;padding:.125rem .75rem;font-size:.8125rem;background:none;color:inherit;border-color:currentColor}
.test button:hover{text-decoration:underline}
.home{overflow-wrap:anywhere}
.home h2{margin-block:1.5rem .25rem}
.home p+p,.home ul{margin-block:.5rem 0}
.home code{font:.9375rem ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.home h1+p{margin-block-start:.5rem}
.home p:last-child{margin-block-start:1.5rem;font-size:.875rem}
a{color:var(--accent)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
iframe.unseen{border:0}
`
  .trim()
  .replaceAll("\n", "")
