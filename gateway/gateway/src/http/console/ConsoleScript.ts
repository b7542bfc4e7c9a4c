/**
 * The only script of the console. Each page is whole without it. `/` moves to the search field; a page with `data-live` replaces its content
 * by what the gateway sends as server-sent events.
 */
export const script = `(()=>{
"use strict"
const typing=element=>element instanceof HTMLElement&&(element.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName))
addEventListener("keydown",event=>{
if(event.key!=="/"||event.ctrlKey||event.metaKey||event.altKey||typing(event.target))return
const field=document.getElementById("q")
if(!field)return
event.preventDefault();field.focus();field.select()})
const live=document.querySelector("[data-live]")
if(!live)return
let source,received=0
const listen=()=>{
source=new EventSource(live.dataset.live)
source.addEventListener("page",event=>{received=event.timeStamp;live.classList.remove("old");if(!live.contains(document.activeElement))live.innerHTML=JSON.parse(event.data)})
source.addEventListener("ended",()=>{source.close();location.reload()})
source.addEventListener("error",event=>{live.classList.toggle("old",event.timeStamp-received>15000);if(source.readyState===EventSource.CLOSED)setTimeout(listen,5000)})}
listen()
addEventListener("pagehide",()=>source.close())
})()
`
