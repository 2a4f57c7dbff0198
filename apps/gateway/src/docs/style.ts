import { Html } from '../pages/html.ts';

/** The page's only style sheet; its hash is what the page's policy lets in. */
export const style = new Html(`
:root{--ink:#1b1f2a;--soft:#5c6474;--line:#e3e6ec;--page:#fff;--panel:#f6f7f9;--accent:#3046c5;--code:#12182b;--codeink:#e6e9f5;--get:#0b6e4f;--post:#3046c5;--must:#a3341f}
@media (prefers-color-scheme:dark){:root{--ink:#e4e7ee;--soft:#9aa3b5;--line:#2a3040;--page:#12151d;--panel:#1a1f2b;--accent:#9aa9ff;--code:#0b0e15;--codeink:#dfe4f5;--get:#5cc9a0;--post:#9aa9ff;--must:#f09a86}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,Ubuntu,sans-serif}
a{color:var(--accent);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible,pre:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-100vw}.skip:focus{left:1rem;top:.5rem;background:var(--page);padding:.5rem 1rem}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1rem;padding:1rem 1.25rem;border-bottom:1px solid var(--line)}
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
nav ul{list-style:none;margin:.35rem 0;padding:0}
nav a{display:block;padding:.28rem 0;color:var(--ink);text-decoration:none;overflow-wrap:anywhere}nav a:hover{color:var(--accent);text-decoration:underline}
code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--panel);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
pre{background:var(--code);color:var(--codeink);padding:1rem;border-radius:10px;overflow-x:auto;margin:.75rem 0;line-height:1.3}
pre code{background:none;padding:0;font-size:.82rem;overflow-wrap:normal;white-space:pre}
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
td a{text-decoration:none}td a:hover{text-decoration:underline}td code{white-space:nowrap}.fields{table-layout:fixed}.fields th:nth-child(1){width:38%}.fields th:nth-child(2){width:17%}
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
@media print{nav,.skip{display:none}pre{white-space:pre-wrap}}
`);
