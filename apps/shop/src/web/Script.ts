import * as BrowserData from "@pay/flows/BrowserData"

/** What makes the pages better where there is JavaScript; each works without. Runs in the browser; no data is part of it. */
export const script = `(()=>{
const watched=document.querySelector("[data-watch]")
if(watched){
let pause=500
const {watch,state}=watched.dataset
const next=()=>setTimeout(ask,pause=Math.min(pause*1.15,5000))
const ask=()=>fetch(watch,{cache:"no-store"}).then(answer=>answer.ok?answer.text():state).then(now=>{if(now===state)next();else location.reload()},next)
next()}
for(const form of document.querySelectorAll("form")){
if(form.hasAttribute("data-browser"))(${BrowserData.fill})(form)
if(form.hasAttribute("data-go")){form.submit();continue}
let sent=false
form.addEventListener("submit",event=>{
if(sent){event.preventDefault();return}
const facts={colorDepth:screen.colorDepth,screenHeight:screen.height,screenWidth:screen.width,timeZone:new Date().getTimezoneOffset()}
for(const name in facts)if(form.elements[name])form.elements[name].value=facts[name]
const way=form.querySelector("[name=way]:checked")
for(const input of form.querySelectorAll(".own input"))input.disabled=way?.value!=="card"
sent=true
if(event.submitter)event.submitter.setAttribute("aria-disabled","true")})
addEventListener("pageshow",()=>{sent=false;for(const input of form.querySelectorAll(".own input"))input.disabled=false;for(const button of form.querySelectorAll("[aria-disabled]"))button.removeAttribute("aria-disabled")})}
const number=document.getElementById("credit_card_number")
if(number)number.addEventListener("change",()=>{number.value=number.value.replace(/\\D/g,"").replace(/(\\d{4})(?=\\d)/g,"$1 ")})
})()`
