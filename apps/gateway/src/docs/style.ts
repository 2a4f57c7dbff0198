import { Html } from '../pages/html.ts';

/** The page's only style sheet; its hash is what the page's policy lets in. */
export const style = new Html(`
:root{--ink:#1b1f2a;--soft:#5c6474;--line:#e3e6ec;--page:#fff;--panel:#f6f7f9;--accent:#3046c5;--code:#12182b;--codeink:#e6e9f5;--get:#0b6e4f;--post:#3046c5;--must:#a3341f;--c:#8d96b0;--k:#c4a7ff;--s:#8fd6a5;--n:#f2b880}
@media (prefers-color-scheme:dark){:root{--ink:#e4e7ee;--soft:#9aa3b5;--line:#2a3040;--page:#12151d;--panel:#1a1f2b;--accent:#9aa9ff;--code:#0b0e15;--codeink:#dfe4f5;--get:#5cc9a0;--post:#9aa9ff;--must:#f09a86}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,Ubuntu,sans-serif}
a{color:var(--accent);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible,pre:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-100vw}.skip:focus{left:1rem;top:.5rem;background:var(--page);padding:.5rem 1rem}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding:.6rem 1.25rem;border-bottom:1px solid var(--line);background:var(--page)}
.brand a{color:var(--ink);text-decoration:none}.language{margin-left:auto;padding:.4rem 0}
button,input,textarea{font:inherit;color:inherit}button:focus-visible,input:focus-visible,textarea:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
form[role=search]{position:relative;flex:1 1 9rem;max-width:28rem}form[role=search][hidden]{display:none}
form[role=search] input,.try input,.try textarea{width:100%;padding:.5rem .8rem;border:1px solid var(--soft);border-radius:8px;background:var(--panel)}
form[role=search] ul{position:absolute;z-index:2;inset:calc(100% + .3rem) 0 auto;list-style:none;margin:0;padding:.3rem;max-height:70vh;overflow-y:auto;background:var(--page);border:1px solid var(--line);border-radius:10px;box-shadow:0 8px 30px rgb(0 0 0/.2)}
form[role=search] ul[hidden]{display:none}form[role=search] li{padding:.5rem .6rem}form[role=search] li:has(a){padding:0}
form[role=search] ul a{display:block;padding:.45rem .6rem;border-radius:6px;color:var(--ink);text-decoration:none;overflow-wrap:anywhere}form[role=search] ul a:is(:hover,:focus){background:var(--panel)}
form[role=search] ul span{display:block;color:var(--soft);font-size:.8rem}
header p{margin:0}.brand{font-weight:700;font-size:1.15rem;letter-spacing:-.01em}
.quiet{color:var(--soft);font-weight:400;font-size:.875em}
main{padding:1.5rem 1.25rem 5rem;min-width:0;max-width:56rem}
h1{font-size:clamp(1.6rem,5vw,2.4rem);line-height:1.15;letter-spacing:-.02em;margin:.5rem 0 1rem;text-wrap:balance}
.lead{font-size:1.15rem;color:var(--soft);max-width:40rem;margin:0 0 2rem}
h2{font-size:1.5rem;letter-spacing:-.01em;margin:3.5rem 0 1rem;line-height:1.25}
h3{font-size:1.2rem;margin:0 0 .5rem;line-height:1.3}
h4{font-size:.95rem;margin:1.75rem 0 .5rem}
nav{padding:.75rem 1.25rem;border-bottom:1px solid var(--line);font-size:.925rem}
nav.beside{display:none}
nav summary{cursor:pointer;font-weight:600;padding:.25rem 0}
nav p{margin:1.1rem 0 .25rem;font-size:.75rem;font-weight:600;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
nav a[aria-current]{color:var(--accent);font-weight:600}nav details details{margin:.1rem 0}
.beside details>ul,.folded details details>ul{padding-left:.8rem;border-left:1px solid var(--line)}.beside summary,.folded details details summary{font-weight:400}
.neighbours{display:flex;flex-wrap:wrap;justify-content:space-between;gap:1rem;border:0;border-top:1px solid var(--line);margin-top:4rem;padding:1rem 0}.neighbours a:nth-child(2){text-align:right;margin-left:auto}
nav ul{list-style:none;margin:.35rem 0;padding:0}
nav a{display:block;padding:.28rem 0;color:var(--ink);text-decoration:none;overflow-wrap:anywhere}nav a:hover{color:var(--accent);text-decoration:underline}
code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--panel);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
pre{background:var(--code);color:var(--codeink);padding:1rem;border-radius:10px;overflow-x:auto;margin:.75rem 0;line-height:1.3}
pre code{background:none;padding:0;font-size:.82rem;overflow-wrap:normal;white-space:pre}
.code{position:relative;margin:.75rem 0}.code[hidden]{display:none}.code figcaption{color:var(--soft);font-size:.8rem;margin-bottom:.25rem}.code pre{margin:0}.tabbed figcaption{display:none}
.c{color:var(--c)}.k{color:var(--k)}.s{color:var(--s)}.n{color:var(--n)}
.tabs{display:flex;flex-wrap:wrap;gap:.25rem}.tabs button{border:0;background:none;padding:.4rem .8rem;border-radius:8px 8px 0 0;color:var(--soft);cursor:pointer;font-size:.875rem}.tabs button[aria-pressed=true]{color:var(--ink);box-shadow:inset 0 -2px var(--accent);font-weight:600}
.codes{position:relative}.code figcaption{min-height:1.7rem;padding-right:5rem}.tabbed .code{position:static}.tabbed .tabs{padding-right:5rem}.copy{position:absolute;right:0;top:0;border:1px solid var(--line);background:var(--panel);color:var(--ink);border-radius:6px;padding:.15rem .6rem;font-size:.78rem;cursor:pointer}
.anchor{color:var(--soft);text-decoration:none;font-weight:400;opacity:0}:is(h2,h3):hover .anchor,.anchor:focus{opacity:1}
.note{border-left:3px solid var(--accent);padding:.5rem 1rem;background:var(--panel);border-radius:0 8px 8px 0}
.entry{border-top:1px solid var(--line);padding:1.5rem 0 .5rem}.entry:target{background:var(--panel)}.entry p{margin:.25rem 0 .75rem}
.operations{list-style:none;padding:0}.operations li{padding:.5rem 0;border-bottom:1px solid var(--line)}
.try{display:grid;gap:.75rem;padding:1rem;border:1px solid var(--line);border-radius:10px}.try label{display:grid;gap:.25rem;font-size:.9rem}.try textarea{font:.82rem/1.4 ui-monospace,Menlo,Consolas,monospace}.try button{justify-self:start;border:0;border-radius:8px;background:var(--accent);color:var(--page);padding:.6rem 1.4rem;font-weight:600;cursor:pointer}.try pre{margin:0;max-height:30rem;overflow:auto}.try pre[hidden]{display:none}
main p,main li{max-width:46rem}
.life{display:block;width:100%;max-width:27rem;margin:1.5rem 0;font-size:14px}.life text{fill:var(--ink)}.life .when{fill:var(--soft);font-size:11.5px}.life .what{font-weight:600}.life .seen{fill:var(--accent);font:11px ui-monospace,Menlo,Consolas,monospace}.life line{stroke:var(--line);stroke-width:4;stroke-linecap:round}.life line.valid{stroke:var(--get)}.life circle{fill:var(--page);stroke:var(--soft);stroke-width:3}.life circle.valid{stroke:var(--get);fill:var(--get)}
.example{margin:.6rem 0}.example summary{cursor:pointer;font-size:.925rem;width:fit-content}
.operation{border-top:1px solid var(--line);padding:2rem 0 1rem}
.address{margin:0 0 .75rem;display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}.address code{font-size:.95rem}
.method{font:700 .72rem/1 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.04em;padding:.4em .6em;border-radius:5px;border:1.5px solid currentColor;color:var(--post)}
.method.get{color:var(--get)}
.access{color:var(--soft)}
.table{overflow-x:auto;border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th{font-weight:600;color:var(--soft);font-size:.8rem;background:var(--panel)}
th,td{padding:.55rem .8rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tbody tr:last-child td{border-bottom:0}
tr:target td{background:var(--panel)}
td code{white-space:nowrap}.fields{table-layout:fixed}.fields th:nth-child(1){width:38%}.fields th:nth-child(2){width:17%}
td .field{background:none;padding:0;font-weight:600;white-space:normal}
.required{color:var(--must);font-size:.75rem;white-space:nowrap}
.errors td:first-child{white-space:nowrap}
.steps{padding:0;margin:0;list-style:none;counter-reset:step}
.steps>li{counter-increment:step;position:relative;padding-left:2.75rem;margin-bottom:1.5rem;min-width:0}
.steps>li::before{content:counter(step);position:absolute;left:0;top:0;width:1.8rem;height:1.8rem;line-height:1.8rem;text-align:center;border-radius:50%;background:var(--accent);color:var(--page);font-weight:700;font-size:.9rem}
.steps p{margin:.25rem 0}.steps ul{margin:.5rem 0 0;padding-left:1.1rem}.steps ul li{margin:.2rem 0}
dl{display:grid;gap:.35rem 1.5rem;margin:0}dt{font-weight:600}dd{margin:0 0 .75rem}
@media (max-width:40rem){
.table{border:0;overflow:visible}thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
table,tbody,tr,td{display:block}tr{border:1px solid var(--line);border-radius:10px;padding:.5rem .8rem;margin-bottom:.6rem}
td{border:0;padding:.12rem 0;vertical-align:baseline}pre code{font-size:.76rem}td:empty{display:none}td code{white-space:normal}
.fields td:nth-child(-n+2){display:inline}.fields td:nth-child(2){color:var(--soft);font-size:.875em;padding-left:.35rem}
}
@media (min-width:64rem){
.layout{display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav.beside{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;border-bottom:0;border-right:1px solid var(--line);padding-block:1.25rem;min-height:100vh}
nav.folded{display:none}nav.beside{display:block}main{padding:2.5rem 3.5rem 6rem}
dl{grid-template-columns:8rem 1fr}dd{margin:0}
}
@media print{nav,.skip,header form,.language,.copy,.tabs,.anchor,.try{display:none!important}.code[hidden]{display:block!important}.tabbed figcaption{display:block}pre{white-space:pre-wrap;background:none;color:#000;border:1px solid #999}pre code{white-space:pre-wrap}.c,.k,.s,.n{color:inherit}body{font-size:11pt}.entry,figure{break-inside:avoid}}
`);
