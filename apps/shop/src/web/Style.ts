/** How every page looks. */
export const style = `
:root{color-scheme:light dark;--page:#faf8f4;--paper:#fff;--ink:#24302a;--soft:#5a6a61;--line:#8d978f;--rule:#e4e2da;--accent:#23573e;--over:#174130;--on:#fff;--bad:#a32a1f;--bad-paper:#fcefec;--good:#1f6840;--good-paper:#e8f4ec;--wait:#745100;--wait-paper:#fbf3df;--ring:#5b9b7a}
@media(prefers-color-scheme:dark){:root{--page:#151a17;--paper:#1e2521;--ink:#e8ece8;--soft:#a3b0a8;--line:#6b7a71;--rule:#313b35;--accent:#8fd1ac;--over:#a9e0c2;--on:#10241a;--bad:#ff9d92;--bad-paper:#3a211e;--good:#8fd8ad;--good-paper:#1b3325;--wait:#f0cb78;--wait-paper:#362d17;--ring:#5b9b7a}.goods svg{filter:brightness(.82)}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;min-height:100vh;display:flex;flex-direction:column}
header,main,footer{width:100%;max-width:64rem;margin:0 auto;padding:1rem 1.25rem}
header{display:flex;justify-content:space-between;align-items:center;border-block-end:1px solid var(--rule)}
.name{font:600 1.5rem/1 Georgia,"Times New Roman",serif;letter-spacing:-.01em;color:var(--accent);text-decoration:none;padding-block:.5rem}
nav a{color:var(--ink);padding:.5rem 0;display:inline-block}
main{flex:1;padding-block:2rem 3rem}
footer{color:var(--soft);font-size:.875rem;border-block-start:1px solid var(--rule)}
h1,h2,h3,p,dl,dd,ul{margin:0}
h1{font:600 1.875rem/1.2 Georgia,"Times New Roman",serif;text-wrap:balance}
h2{font-size:1.125rem;margin-block-end:1rem}
.lead{color:var(--soft);max-width:38rem;margin-block:.5rem 2rem}
a{color:var(--accent)}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible{outline:3px solid var(--ring);outline-offset:2px}
.goods{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:1.5rem}
.goods li,.card{background:var(--paper);border:1px solid var(--rule);border-radius:1rem;overflow:hidden;display:flex;flex-direction:column}
.goods svg{display:block;width:100%;height:auto}
.goods div{padding:1.25rem;display:flex;flex-direction:column;flex:1}
.goods p{color:var(--soft);flex:1;margin-block:.375rem 1rem}
.goods h2{margin:0}
.price{white-space:nowrap;font-weight:650;font-variant-numeric:tabular-nums}
.goods .foot{display:flex;flex-direction:row;align-items:center;justify-content:space-between;padding:0;flex:none}
.button,button{display:inline-block;min-height:3rem;padding:.6875rem 1.25rem;font:inherit;font-weight:650;text-align:center;text-decoration:none;border-radius:.625rem;border:1px solid transparent;background:var(--accent);color:var(--on);cursor:pointer}
.button:hover,button:hover{background:var(--over)}
button.quiet{background:none;border-color:var(--line);color:var(--ink);min-height:2.75rem;padding:.5rem .875rem}
button.quiet:hover{background:var(--page)}
button[aria-disabled=true]{opacity:.75;cursor:progress}
.two{display:grid;grid-template-columns:minmax(0,1fr) 20rem;gap:2.5rem;align-items:start;margin-block-start:1.5rem}
@media(max-width:48rem){.two{grid-template-columns:minmax(0,1fr);gap:1.5rem}.two aside{order:-1}}
.card{padding:1.5rem;display:block}
.card+.card{margin-block-start:1.5rem}
.sum{display:flex;justify-content:space-between;gap:1rem;padding-block:.375rem}
.sum.total{border-block-start:1px solid var(--rule);margin-block-start:.75rem;padding-block-start:.75rem;font-weight:650}
.sum dd{font-variant-numeric:tabular-nums;text-align:end;overflow-wrap:anywhere}
.sum dt{color:var(--soft)}
.total dt{color:inherit}
.note{color:var(--soft);font-size:.875rem;margin-block-start:1rem}
.after{margin-block-start:1rem}
fieldset{border:0;margin:0 0 1.75rem;padding:0;min-width:0}
legend{font-size:1.125rem;font-weight:650;padding:0;margin-block-end:1rem}
.field{margin-block-end:1rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem;align-items:start}
@media(max-width:22rem){.pair{grid-template-columns:1fr}}
label{display:block;font-weight:600;font-size:.9375rem;margin-block-end:.375rem}
input,select{width:100%;min-height:3rem;padding:.625rem .875rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.625rem}
input[aria-invalid=true],select[aria-invalid=true]{border-color:var(--bad);box-shadow:inset 0 0 0 1px var(--bad)}
.error{color:var(--bad);font-size:.875rem;font-weight:500;margin-block-start:.375rem}
.way{display:flex;gap:.75rem;align-items:flex-start;border:1px solid var(--line);border-radius:.75rem;padding:.875rem 1rem;margin-block-end:.75rem;font-weight:600;cursor:pointer}
.way:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.way input{width:1.25rem;min-height:1.25rem;height:1.25rem;margin:.125rem 0 0;flex:none;accent-color:var(--accent)}
.way small{display:block;font-weight:400;color:var(--soft);font-size:.875rem}
.own{display:none;padding-block-start:.75rem}
form:has([name=way][value=card]:checked) .own{display:block}
.notice{border-radius:.625rem;padding:.75rem 1rem;margin-block-end:1.5rem;background:var(--bad-paper);color:var(--bad)}
.wide{width:100%}
.state{max-width:36rem;margin:0 auto}
.state .card{padding:2rem}
.sign{display:inline-block;border-radius:99rem;padding:.25rem .75rem;font-size:.875rem;font-weight:650;background:var(--wait-paper);color:var(--wait);white-space:nowrap}
.good{background:var(--good-paper);color:var(--good)}
.bad{background:var(--bad-paper);color:var(--bad)}
.state h1{margin-block:1rem .5rem}
.state .says{color:var(--soft);margin-block-end:1.5rem}
.state form,.state .button{margin-block-start:1.5rem}
.turn{width:3rem;height:3rem;border-radius:50%;border:.25rem solid var(--rule);border-block-start-color:var(--accent);animation:turn 1s linear infinite;margin-block-end:1rem}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.turn{animation-duration:6s}}
.rows{list-style:none;padding:0;margin-block-start:1.5rem}
.rows>li{background:var(--paper);border:1px solid var(--rule);border-radius:.75rem;padding:1rem 1.25rem;margin-block-end:.75rem}
.row{display:flex;flex-wrap:wrap;gap:.375rem 1rem;justify-content:space-between;align-items:baseline}
@media(max-width:30rem){.row>:first-child{flex:1 0 100%}}
@media(min-width:48rem){.row{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,2fr) minmax(0,1fr) 9rem}.row>.soft{grid-column:2}.row>.price{grid-column:3;text-align:end}.row>.sign{grid-column:4;justify-self:end}}
.told{list-style:none;padding:0;margin-block-start:.375rem}
.row span.soft,.soft{color:var(--soft);font-size:.875rem}
.acts{display:flex;flex-wrap:wrap;gap:.75rem;margin-block-start:.75rem;align-items:end}
.acts form{margin:0}
.line{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}
.acts select{width:auto;min-height:2.75rem;padding-block:.5rem}
.acts .line{width:auto}
.acts .note{width:100%;margin:0}
.state .acts .line{width:100%}
.state .acts{margin-block-start:1.5rem}
.state h2{margin-block:2rem 0}
.rows+.rows{margin-block-start:0}
.acts input{width:7.5rem;min-height:2.75rem;padding:.5rem .75rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;border:0}
`.trim()
