/**
 * Scripts that improve the pages; each page also works without JavaScript. A script is constant text under the nonce. Data of a
 * request is never part of it, but in attributes of the page.
 */
import * as BrowserForm from "@pay/schema/BrowserForm"
import { expiryMarginMs } from "@pay/schema/Card"
import * as CardInput from "@pay/schema/CardInput"
import * as Digits from "@pay/schema/Digits"
import { brands } from "./CardBrands.ts"

/**
 * Part of the scripts of forms: `hold` prevents a second submission. The form can be sent again when the page is shown again, and
 * after 20 s, because the customer may have stopped the browser. The gateway takes a form that arrives twice once.
 */
const heldOnce = `const free=()=>{sent=false;button.removeAttribute("aria-disabled");button.textContent=label}
const hold=()=>{sent=true;setTimeout(free,20000)}
addEventListener("pageshow",event=>{if(event.persisted)location.reload();free()})`

/**
 * Script of the card form. It shows card number and expiry date in groups and the brand, checks each field like the gateway when it
 * is left and before the form is sent, permits one submission at a time, and fills in the browser's facts for 3-D Secure. Password
 * managers fill fields in without events, so a field is read again each time.
 */
export const cardForm = `(()=>{
const brands=${JSON.stringify(brands.map(({ begins, codeLength, name }) => [begins, name, codeLength]))}
const fold=text=>(${Digits.fold})(text,${JSON.stringify(Digits.zeros)})
const read=(${CardInput.make})(fold)
const form=document.getElementById("card"),at=id=>document.getElementById(id)
const number=at("number"),expiry=at("expiry"),code=at("code"),holder=at("holder"),receiver=at("receiver"),button=at("pay"),label=button.textContent
const inputs=[number,expiry,code,holder,receiver].filter(Boolean)
const digits=text=>fold(text).replace(/\\D/g,"")
const brandOf=text=>brands.find(([begins])=>new RegExp(begins).test(text))
const brandNow=()=>brandOf(digits(read.number(number.value)))
const luhn=text=>{let sum=0;for(let i=text.length-1,twice=false;i>=0;i--,twice=!twice){const d=+text[i]*(twice?2:1);sum+=d>9?d-9:d}return sum%10===0}
const say=(input,key)=>{const box=at(input.id+"-error");box.textContent=key?input.dataset[key]:"";key?input.setAttribute("aria-invalid","true"):input.removeAttribute("aria-invalid")}
const put=(input,text,forward)=>{
const old=input.value,caret=input.selectionStart
if(text===old)return
const before=digits(old.slice(0,caret)).length+(digits(text)==="0"+digits(old)?1:0)
input.value=text
if(document.activeElement!==input)return
let i=0,count=0
if(caret===old.length)i=text.length
else while(i<text.length&&count<before){if(/\\d/.test(text[i]))count++;i++}
while(forward&&i<text.length&&/\\D/.test(text[i]))i++
input.setSelectionRange(i,i)}
const grouped=all=>brandOf(all)?.[2]===4?all.replace(/^(\\d{4})(\\d{1,6})?(\\d+)?/,(_,a,b,c)=>[a,b,c].filter(Boolean).join(" ")):all.replace(/(\\d{4})(?=\\d)/g,"$1 ")
const showBrand=()=>{const brand=brandNow();at("brand").textContent=brand?brand[1]:"";for(const mark of document.querySelectorAll("[data-brand]")){const is=brand&&mark.dataset.brand===brand[1];mark.classList.toggle("match",!!is);mark.classList.toggle("other",!!brand&&!is)}for(const card of document.querySelectorAll("[data-digits]"))card.toggleAttribute("hidden",card.dataset.digits!==String(brand&&brand[2]===4?4:3));at("code-hint").textContent=code.dataset[brand&&brand[2]===4?"four":"three"]}
const gone=type=>!!type&&type.startsWith("delete")
const showNumber=(input,type)=>{put(input,grouped(digits(read.number(input.value)).slice(0,19)),type==="deleteContentForward");showBrand()}
const show={number:type=>showNumber(number,type),receiver:type=>showNumber(receiver,type),expiry:type=>{const isInside=document.activeElement===expiry&&expiry.selectionStart<expiry.value.length;if(!gone(type)&&!isInside)put(expiry,read.shownExpiry(expiry.value))},code:()=>put(code,digits(code.value).slice(0,4)),holder:()=>{}}
const codeKey=all=>{const brand=brandNow();return!brand||all.length===brand[2]?"":brand[2]===4?"wrongFour":"wrongThree"}
const numberKey=input=>{const all=read.number(input.value);return all===""?"missing":!/^[1-9]\\d{11,18}$/.test(all)||!luhn(all)?"wrong":""}
const wrong={number:()=>numberKey(number),receiver:()=>numberKey(receiver),expiry:()=>{if(expiry.value.trim()==="")return"missing";const date=read.expiry(expiry.value);return!date?"wrong":Date.UTC(date.year,date.month)+${expiryMarginMs}<=Date.now()?"past":""},code:()=>{const all=read.code(code.value);return all===""?"missing":/^\\d{3,4}$/.test(all)?codeKey(all):"wrong"},holder:()=>holder.value.trim()===""?"missing":/(?:\\p{Nd}\\P{Nd}*){7}/u.test(holder.value)?"wrong":""}
const tooLong=()=>{const brand=brandNow();return!!brand&&digits(code.value).length>brand[2]}
let pressing=false
form.addEventListener("pointerdown",event=>{pressing=!!event.target.closest("button")})
addEventListener("pointerup",()=>{pressing=false})
for(const input of inputs){
let edited=false
const update=type=>{show[input.id](type);if(input.hasAttribute("aria-invalid"))say(input);if(tooLong())say(code,codeKey(read.code(code.value)));else if(input===number&&code.value!=="")say(code)}
input.addEventListener("input",event=>{edited=true;if(!event.isComposing)update(event.inputType)})
for(const event of["change","compositionend"])input.addEventListener(event,()=>update())
input.addEventListener("blur",()=>{show[input.id]();if(!pressing&&(edited||input.value!==""))say(input,wrong[input.id]())})}
let sent=false
form.addEventListener("submit",event=>{
if(sent){event.preventDefault();return}
if(event.submitter&&event.submitter.value==="cancel"){hold();return}
let first
for(const input of inputs){show[input.id]();const key=wrong[input.id]();say(input,key);if(key&&!first)first=input}
if(first){event.preventDefault();first.focus();return}
(${BrowserForm.fill})(form)
hold();button.setAttribute("aria-disabled","true");button.textContent=button.dataset.busy})
${heldOnce}
for(const input of inputs)show[input.id]()
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
