import { colors } from "../pages/Style.ts"

/** The style sheet of the console: the colours of the hosted pages, in a denser layout for tables. */
export const style = `${colors}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:.9375rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;min-height:100vh}
h1,h2,h3,p,dl,dd,ol,ul,figure{margin:0;padding:0}
ol,ul{list-style:none}
h1{font-size:1.5rem;line-height:1.25;font-weight:650;overflow-wrap:anywhere;letter-spacing:-.01em}
h2{font-size:1rem;font-weight:650}
h3{font-size:.875rem;font-weight:650}
a{color:var(--accent);text-underline-offset:.15em}
code,.number{font-variant-numeric:tabular-nums}
code{font:.875em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
:is(a,button,input,select,textarea,summary,[tabindex]):focus-visible{outline:3px solid var(--ring);outline-offset:2px;border-radius:.25rem}
.skip{position:absolute;inset-inline-start:-99rem}
.skip:focus{inset-inline-start:1rem;inset-block-start:.5rem;background:var(--paper);padding:.5rem 1rem;z-index:1}
.top{background:var(--paper);border-block-end:1px solid var(--rule)}
.top>div{max-width:84rem;margin:auto;padding:.5rem 1.25rem;display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.25rem}
.top .name{font-weight:700;letter-spacing:-.01em;color:var(--ink);text-decoration:none;display:inline-flex;gap:.5rem;align-items:center;min-height:2.25rem}
.top .name::before{content:"";width:.75rem;height:.75rem;border-radius:.25rem;background:var(--accent)}
.top nav ul{display:flex;gap:.25rem}
.top nav a{display:block;padding:.375rem .75rem;border-radius:.5rem;color:var(--soft);text-decoration:none;font-weight:550}
.top nav a:hover{background:var(--page);color:var(--ink)}
.top nav a[aria-current]{background:var(--page);color:var(--ink);box-shadow:inset 0 -2px var(--accent);border-radius:.5rem .5rem 0 0}
.find{flex:1 1 16rem;display:flex;gap:.375rem;min-width:0}
.find input{flex:1;min-width:0}
.who{display:flex;align-items:center;gap:.75rem;color:var(--soft);margin-inline-start:auto}
.who b{color:var(--ink);font-weight:600;overflow-wrap:anywhere}
main{max-width:84rem;margin:auto;padding:1.25rem 1.25rem 3rem;display:grid;gap:1.25rem;grid-template-columns:minmax(0,1fr)}
main>[data-live]{display:grid;gap:1.25rem;grid-template-columns:minmax(0,1fr)}
.head{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:baseline}
.head p,.soft,.hint{color:var(--soft)}
.hint{font-size:.8125rem}
.panel{background:var(--paper);border:1px solid var(--rule);border-radius:.75rem;padding:1rem 1.25rem;min-width:0}
.panel>h2{margin-block-end:.75rem}
.columns{display:grid;gap:1.25rem;grid-template-columns:minmax(0,1fr)}
@media(min-width:64rem){.columns.side{grid-template-columns:minmax(0,5fr) minmax(17rem,2fr);align-items:start}}
.stack{display:grid;gap:1.25rem;grid-template-columns:minmax(0,1fr)}
.narrow{max-width:26rem;margin:10vh auto 0;width:100%}
label{display:block;font-weight:600;font-size:.875rem;margin-block-end:.25rem}
input,select,textarea{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;padding:.375rem .625rem;min-height:2.25rem;max-width:100%}
form.act{display:grid;gap:.75rem}
form.act input,form.act textarea,form.act select{width:100%}
form.act>div{max-width:32rem}
.check{display:flex;align-items:center;gap:.5rem;margin:0}
pre{margin:0;overflow-x:auto;padding:.625rem .875rem;border:1px solid var(--rule);border-radius:.5rem;background:var(--page);font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
form.act input[type=checkbox]{width:1.25rem;height:1.25rem;min-height:0;margin:0;accent-color:var(--accent)}
form.act+form.act,form.act+details,details+details,details+form.act{margin-block-start:.75rem;padding-block-start:.75rem;border-block-start:1px solid var(--rule)}
summary{cursor:pointer;font-weight:600;padding-block:.25rem}
details>form,details>div{margin-block-start:.5rem}
button,.button{font:inherit;font-weight:600;min-height:2.25rem;padding:.375rem .875rem;border-radius:.5rem;border:1px solid var(--line);background:var(--paper);color:var(--ink);cursor:pointer;text-decoration:none;display:inline-flex;align-items:center;justify-content:center}
button:hover,.button:hover{border-color:var(--accent);color:var(--accent)}
button.main{background:var(--accent);color:var(--on);border-color:transparent}
button.main:hover{background:var(--over);color:var(--on)}
button.danger{color:var(--bad);border-color:var(--bad)}
button.danger:hover{background:var(--bad-paper)}
.notice{border-radius:.5rem;padding:.625rem .875rem;border:1px solid transparent}
.notice.bad,.tag.bad{background:var(--bad-paper);color:var(--bad)}
.notice.good,.tag.good{background:var(--good-paper);color:var(--good)}
.notice.wait,.tag.wait{background:var(--wait-paper);color:var(--wait)}
.tag{display:inline-flex;align-items:center;gap:.375rem;border-radius:1rem;padding:.0625rem .625rem;font-size:.8125rem;font-weight:600;white-space:nowrap;background:var(--page);color:var(--soft)}
.tag::before{content:"";width:.5rem;height:.5rem;border-radius:50%;background:currentColor}
.tag.wait::before{border-radius:0;transform:rotate(45deg)}
.tag.bad::before{border-radius:0}
table{border-collapse:collapse;width:100%}
caption{text-align:start;font-weight:650;padding-block-end:.5rem}
th{font-size:.75rem;font-weight:600;color:var(--soft);text-align:start;padding:.375rem .75rem .375rem 0;border-block-end:1px solid var(--rule);vertical-align:bottom}
td{padding:.5rem .75rem .5rem 0;border-block-end:1px solid var(--rule);vertical-align:top;overflow-wrap:break-word}
.any{overflow-wrap:anywhere}
tr:last-child td{border-block-end:0}
tbody tr:hover{background:color-mix(in srgb,var(--page) 60%,transparent)}
.right{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
th.right{padding-inline-end:.75rem}
time{white-space:nowrap;font-variant-numeric:tabular-nums}
@media(min-width:48rem){td code,td .whole{white-space:nowrap}}
@media(max-width:47.99rem){.rows thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.rows,.rows tbody,.rows tr,.rows td{display:block}.rows tr{padding-block:.5rem;border-block-end:1px solid var(--rule)}.rows tr:last-child{border-block-end:0}.rows td{border:0;padding:.125rem 0;display:grid;grid-template-columns:minmax(5rem,2fr) minmax(0,5fr);gap:.75rem;text-align:start;white-space:normal}.rows td::before{content:attr(data-label);color:var(--soft);font-size:.8125rem}.rows td:empty{display:none}.rows td>*{justify-self:start}}
@media(max-width:24rem){.figures dd{font-size:1.0625rem}time{white-space:normal}.figures{grid-template-columns:1fr 1fr}}
.filters{display:flex;flex-wrap:wrap;gap:.375rem}
.filters a,.filters span{padding:.25rem .75rem;border-radius:1rem;border:1px solid var(--rule);background:var(--paper);text-decoration:none;color:var(--soft);font-size:.875rem}
.filters a:hover{border-color:var(--accent);color:var(--accent)}
.filters a[aria-current]{background:var(--accent);border-color:var(--accent);color:var(--on)}
.empty{color:var(--soft);padding:.5rem 0;text-align:center;text-wrap:balance}
.facts{display:grid;grid-template-columns:minmax(5rem,max-content) minmax(0,1fr);gap:.25rem 1rem}
.facts dt{color:var(--soft)}
.facts dd{overflow-wrap:anywhere}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.75rem}
.figures>div{background:var(--paper);border:1px solid var(--rule);border-radius:.5rem;padding:.5rem .75rem}
.figures dt{font-size:.8125rem;color:var(--soft)}
.figures dd{font-size:1.25rem;font-weight:650;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.figures dd small{display:block;font-size:.8125rem;font-weight:400;color:var(--soft)}
[data-live].old::before{content:attr(data-old);border-radius:.5rem;padding:.625rem .875rem;background:var(--wait-paper);color:var(--wait)}
.verdicts{display:grid;gap:1.25rem;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr))}
.verdicts h2{margin:0}
.verdicts ul{margin-block-start:.5rem;display:grid;gap:.25rem}
.parties{display:grid;gap:1.25rem;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr))}
.party{min-width:0;overflow-wrap:anywhere}
.chart{display:block;width:100%;height:3rem;margin-block:.25rem .5rem}
.chart .axis{stroke:var(--line);stroke-width:1}
.chart .answered{fill:var(--accent)}
.chart .failed{fill:var(--bad)}
.list{display:grid;gap:.75rem}
.timeline{border-inline-start:2px solid var(--rule);margin-inline-start:.375rem}
.timeline li{position:relative;padding:0 0 1rem 1.25rem}
.timeline li:last-child{padding-block-end:0}
.timeline li::before{content:"";position:absolute;inset-inline-start:-.4375rem;inset-block-start:.4375rem;width:.75rem;height:.75rem;border-radius:50%;background:var(--paper);border:2px solid var(--line)}
.timeline li.good::before{background:var(--good);border-color:var(--good)}
.timeline li.bad::before{background:var(--bad);border-color:var(--bad);border-radius:0}
.timeline li.wait::before{background:var(--wait);border-color:var(--wait);border-radius:0;transform:rotate(45deg)}
.timeline li.next::before{border-style:dashed;border-color:var(--wait)}
.timeline .when{display:flex;flex-wrap:wrap;gap:.125rem .75rem;font-size:.8125rem;color:var(--soft)}
.timeline .what{font-weight:600;overflow-wrap:anywhere}
.timeline .more{color:var(--soft);overflow-wrap:anywhere}
.command{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;font-size:.8125rem;color:var(--soft)}
.command code{background:var(--paper);border:1px solid var(--rule);border-radius:.375rem;padding:.125rem .5rem;user-select:all;-webkit-user-select:all;color:var(--ink)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`
  .trim()
  .replaceAll("\n", "")
