/**
 * Scripts that improve the pages; each page also works without JavaScript. A script is constant text under the nonce. Data of a
 * request is never part of it, but in attributes of the page.
 */
import * as BrowserForm from "@pay/schema/BrowserForm"
import { expiryMarginMs } from "@pay/schema/Card"
import { brands } from "./CardBrands.ts"

/**
 * Part of the scripts of forms: `hold` prevents a second submission. The form can be sent again when the page is shown again, and
 * after 20 s, because the customer may have stopped the browser. The gateway takes a form that arrives twice once.
 */
const heldOnce = `const free=()=>{sent=false;button.removeAttribute("aria-disabled");button.textContent=label}
const hold=()=>{sent=true;setTimeout(free,20000)}
addEventListener("pageshow",event=>{if(event.persisted)location.reload();free()})`

/**
 * Script of the card form: groups digits by four, shows the brand, runs the server's checks before the form is sent, permits one
 * submission at a time, and fills in the browser's facts for 3-D Secure.
 */
export const cardForm = `(()=>{
const brands=${JSON.stringify(brands.map(({ begins, codeLength, name }) => [begins, name, codeLength]))}
const form=document.getElementById("card"),at=id=>document.getElementById(id)
const number=at("number"),expiry=at("expiry"),code=at("code"),holder=at("holder"),button=at("pay"),label=button.textContent
const digits=text=>text.replace(/[٠-٩]/g,d=>d.charCodeAt(0)-1632).replace(/\\D/g,"")
const brandOf=text=>brands.find(([begins])=>new RegExp(begins).test(text))
const luhn=text=>{let sum=0;for(let i=text.length-1,twice=false;i>=0;i--,twice=!twice){const d=+text[i]*(twice?2:1);sum+=d>9?d-9:d}return sum%10===0}
const say=(input,key)=>{const box=at(input.id+"-error");box.textContent=key?input.dataset[key]:"";key?input.setAttribute("aria-invalid","true"):input.removeAttribute("aria-invalid")}
const keepCaret=(input,text)=>{const before=digits(input.value.slice(0,input.selectionStart)).length;input.value=text;if(document.activeElement!==input)return;let i=0,count=0;while(i<text.length&&count<before){if(/\\d/.test(text[i]))count++;i++}input.setSelectionRange(i,i)}
const showBrand=()=>{const brand=brandOf(digits(number.value));at("brand").textContent=brand?brand[1]:"";for(const mark of document.querySelectorAll("[data-brand]")){const is=brand&&mark.dataset.brand===brand[1];mark.classList.toggle("match",!!is);mark.classList.toggle("other",!!brand&&!is)}for(const card of document.querySelectorAll("[data-digits]"))card.toggleAttribute("hidden",card.dataset.digits!==String(brand&&brand[2]===4?4:3));at("code-hint").textContent=code.dataset[brand&&brand[2]===4?"four":"three"]}
number.addEventListener("input",()=>{const all=digits(number.value).slice(0,19),amex=brandOf(all)?.[2]===4;keepCaret(number,amex?all.replace(/^(\\d{4})(\\d{1,6})?(\\d+)?/,(_,a,b,c)=>[a,b,c].filter(Boolean).join(" ")):all.replace(/(\\d{4})(?=\\d)/g,"$1 "));showBrand();if(number.hasAttribute("aria-invalid"))say(number)})
expiry.addEventListener("input",event=>{let all=digits(expiry.value).slice(0,6);if(/^[2-9]/.test(all))all="0"+all;const year=all.length>4&&all.slice(2,4)==="20"?all.slice(2):all.slice(2,4);const gone=event.inputType&&event.inputType.startsWith("delete");if(!gone)keepCaret(expiry,all.length>=2?all.slice(0,2)+" / "+year:all);if(!gone&&document.activeElement===expiry)expiry.setSelectionRange(expiry.value.length,expiry.value.length);if(expiry.hasAttribute("aria-invalid"))say(expiry)})
code.addEventListener("input",()=>{code.value=digits(code.value).slice(0,4);if(code.hasAttribute("aria-invalid"))say(code)})
holder.addEventListener("input",()=>{if(holder.hasAttribute("aria-invalid"))say(holder)})
const wrong={number:()=>{const all=digits(number.value);return all===""?"missing":all.length<12||all[0]==="0"||!luhn(all)?"wrong":""},expiry:()=>{const all=digits(expiry.value);if(all==="")return"missing";const month=+all.slice(0,2),year=all.length===4?2000+ +all.slice(2):all.length===6?+all.slice(2):0;if(month<1||month>12||year<2000)return"wrong";return Date.UTC(year,month)+${expiryMarginMs}<=Date.now()?"past":""},code:()=>{const all=digits(code.value);return all===""?"missing":all.length<3?"wrong":""},holder:()=>holder.value.trim()===""?"missing":""}
let sent=false
form.addEventListener("submit",event=>{
if(sent){event.preventDefault();return}
if(event.submitter&&event.submitter.value==="cancel"){hold();return}
let first
for(const input of[number,expiry,code,holder]){const key=wrong[input.id]();say(input,key);if(key&&!first)first=input}
if(first){event.preventDefault();first.focus();return}
(${BrowserForm.fill})(form)
hold();button.setAttribute("aria-disabled","true");button.textContent=button.dataset.busy})
${heldOnce}
showBrand()
})()`

/**
 * Script that sends a form only once, however often its button is pressed. It groups card numbers and accounts while they are
 * typed.
 */
export const once = `(()=>{
const form=document.querySelector("main form"),button=document.getElementById("pay"),label=button.textContent
for(const id of["number","account"]){
const input=document.getElementById(id)
input?.addEventListener("input",event=>{if(input.selectionStart!==input.value.length||event.inputType?.startsWith("delete"))return
input.value=input.value.replace(/\\s/g,"").replace(/(.{4})(?=.)/g,"$1 ")})}
let sent=false
form.addEventListener("submit",event=>{
if(sent){event.preventDefault();return}
hold()
if(event.submitter&&event.submitter.value==="cancel")return
button.setAttribute("aria-disabled","true");button.textContent=button.dataset.busy})
${heldOnce}
})()`

/**
 * Script that polls the state of the page, first after 0.8 s, then less and less often, at most every 5 s, and loads the next
 * page when the state changes.
 */
export const wait = `(()=>{
const root=document.getElementById("wait"),shown=root.dataset.state
let pause=700
const next=()=>setTimeout(ask,pause=Math.min(pause*1.15,5000))
const ask=()=>fetch(root.dataset.ask,{cache:"no-store",credentials:"omit"}).then(answer=>answer.ok?answer.text():shown).then(state=>{if(state===shown)next();else location.replace(root.dataset.next)},next)
next()
})()`

/**
 * Script that sends the page's form: at once to an issuer, after a moment back to the shop. If the customer returns by the
 * browser's history, the page is shown and the form is not sent again.
 */
export const sendOn = `(()=>{
const form=document.getElementById("onward"),url=new URL(location.href)
if(!form||form.dataset.always===undefined&&url.searchParams.get("then")!=="return")return
url.searchParams.delete("then")
history.replaceState(null,"",url)
let sent=false
const send=()=>{if(!sent){sent=true;form.submit()}}
form.addEventListener("submit",()=>{sent=true})
setTimeout(send,+form.dataset.after)
})()`

/** Script that copies a test card. Without it, the number can be selected. */
export const copy = `(()=>{
if(!navigator.clipboard)return
for(const button of document.querySelectorAll("[data-copy]")){
const label=button.textContent
button.hidden=false
button.addEventListener("click",()=>navigator.clipboard.writeText(button.dataset.copy).then(()=>{button.textContent=button.dataset.done;setTimeout(()=>{button.textContent=label},1500)},()=>{}))}
})()`

/** Script that sends the method form into its hidden frame. */
export const method = `document.getElementById("method").submit()`
