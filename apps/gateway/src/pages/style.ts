import { Html } from './html.ts';

/** The only style sheet, in the colours of our mails; its hash is what the page's policy lets in. */
export const style = new Html(`
:root{color-scheme:light dark;--ink:#111827;--text:#374151;--soft:#5b6472;--line:#e2e5ea;--field:#8a93a3;--page:#f3f4f6;--card:#fff;--panel:#f5f7fb;--brand:#1e3a8a;--accent:#1d4ed8;--button:#1d4ed8;--pressed:#1e40af;--bad:#b42318;--badpanel:#fef3f2;--good:#0b7a4b;--fair:#a15c07}
@media (prefers-color-scheme:dark){:root{--ink:#f0f3f9;--text:#cbd2de;--soft:#9ca6b8;--line:#2b3446;--field:#66728a;--page:#0d121c;--card:#151c2a;--panel:#1b2434;--brand:#b4c8ff;--accent:#9dbaff;--button:#2f5fe0;--pressed:#3f6ff0;--bad:#ff9d92;--badpanel:#2d1a1d;--good:#5fd09b;--fair:#f0b45c}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--text);font:400 1rem/1.55 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;overflow-wrap:break-word}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:6px}
h1:focus,.summary:focus{outline:none}
.skip{position:absolute;left:-100vw}.skip:focus{left:1rem;top:.5rem;z-index:1;background:var(--card);padding:.75rem 1rem;border-radius:8px}
.column{width:100%;max-width:35rem;margin:0 auto;padding:0 .75rem 3rem}
header{display:flex;align-items:center;justify-content:space-between;padding:.5rem .5rem}
.brand{margin:0;font-weight:700;font-size:1.125rem;letter-spacing:.01em;color:var(--brand)}
.languages{display:flex;gap:.125rem}
.languages a{display:inline-flex;align-items:center;justify-content:center;min-width:44px;min-height:44px;padding:0 .5rem;font-size:.875rem;border-radius:8px;text-decoration:none;color:var(--soft)}
.languages a[aria-current]{font-weight:700;color:var(--ink)}
.languages a:hover{text-decoration:underline}
main{background:var(--card);border-radius:14px;padding:1.5rem 1.25rem 1.75rem;box-shadow:0 1px 2px rgb(16 24 40/.06),0 6px 24px rgb(16 24 40/.05)}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;color:var(--ink);text-wrap:balance}
section>h2{display:flex;align-items:baseline}h2{margin:0 0 .75rem;font-size:1.125rem;line-height:1.35;color:var(--ink)}
p{margin:0 0 .75rem}
.lead{color:var(--text)}
.logo{width:fit-content;max-width:100%;height:64px;margin:0 0 1.25rem;padding:8px 12px;background:#fff;color:#111827;border:1px solid var(--line);border-radius:10px}.logo img{display:block;max-width:100%;height:46px;object-fit:contain;object-position:left}
.steps{display:flex;gap:.5rem;list-style:none;margin:0 0 1.5rem;padding:0;font-size:.8125rem;color:var(--soft)}
.steps li{flex:1;padding-top:.5rem;border-top:4px solid var(--line)}
.steps .done{border-color:var(--good)}
.steps [aria-current]{border-color:var(--accent);color:var(--ink);font-weight:600}
dl{display:grid;gap:.5rem;margin:1.25rem 0 0;padding:1rem;background:var(--panel);border-radius:10px;font-size:.9375rem}
dl div{display:grid;grid-template-columns:minmax(0,7.25rem) minmax(0,1fr);gap:.125rem .75rem}strong{white-space:nowrap}form+.hint{margin-top:.625rem}
dt{color:var(--soft)}dd{margin:0;color:var(--ink);font-weight:500}
.long{gap:1rem}.long div{grid-template-columns:minmax(0,1fr)}.long dt{color:var(--ink);font-weight:600}.long dd{font-weight:400}
section{margin-top:1.5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
.number{flex:none;width:1.75rem;height:1.75rem;margin-right:.5rem;border-radius:50%;background:var(--panel);color:var(--accent);font-size:.9375rem;line-height:1.75rem;text-align:center}
.field{margin:0 0 1.25rem}
label,.label{display:block;font-weight:600;color:var(--ink)}
.hint{margin:.125rem 0 0;font-size:.875rem;line-height:1.45;color:var(--soft)}
.fault{margin:.25rem 0 0;font-size:.9375rem;font-weight:600;color:var(--bad)}
input[type=text],input[type=password]{display:block;width:100%;min-height:48px;margin-top:.625rem;padding:.5rem .875rem;border:1px solid var(--field);border-radius:10px;background:var(--card);color:var(--ink);font:inherit;font-size:1.0625rem}
input[aria-invalid]{border:2px solid var(--bad)}
.code{max-width:12rem;font-size:1.5rem!important;letter-spacing:.25em;font-variant-numeric:tabular-nums}
.check{display:flex;gap:.75rem;align-items:center;min-height:44px;font-weight:500;cursor:pointer}
.check input{flex:none;width:1.5rem;height:1.5rem;margin:0;accent-color:var(--button)}
button,.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:50px;padding:.75rem 1.25rem;border:1px solid transparent;border-radius:10px;background:var(--button);color:#fff;font:inherit;font-weight:600;font-size:1.0625rem;line-height:1.25;text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--pressed)}
.quiet{background:none;border-color:var(--field);color:var(--accent)}.quiet:hover{background:var(--panel)}
.plain{width:auto;min-height:44px;padding:.25rem .5rem;margin:.25rem 0 0 -.5rem;background:none;color:var(--accent);font-size:.9375rem;font-weight:500}.plain:hover{background:none;text-decoration:underline}
button[aria-disabled]{opacity:.65;cursor:progress}
[hidden]{display:none}
details+input+.fault{margin-bottom:.5rem}details{margin:0 0 .75rem;border:1px solid var(--line);border-radius:10px}
summary{min-height:48px;padding:.75rem 1rem;cursor:pointer;font-weight:600;color:var(--accent)}
.terms{max-height:16rem;overflow:auto;padding:0 1rem 1rem;font-size:.9375rem;white-space:pre-line}
.summary{margin:0 0 1.25rem;padding:1rem;border-left:4px solid var(--bad);border-radius:8px;background:var(--badpanel)}
.summary h2{margin:0 0 .25rem;font-size:1rem}.summary ul{margin:0;padding-left:1.25rem}.summary a{color:var(--bad);font-weight:600}.summary p{margin:.25rem 0 0}
.strength{margin-top:.625rem}
.strength span{display:block;height:6px;border-radius:3px;background:linear-gradient(to right,var(--level) var(--part),var(--line) var(--part))}
.strength p{margin:.25rem 0 0;font-size:.875rem}
.strength{--part:0%;--level:var(--bad)}.strength[data-level="1"]{--part:25%}.strength[data-level="2"]{--part:50%;--level:var(--fair)}.strength[data-level="3"]{--part:75%;--level:var(--good)}.strength[data-level="4"]{--part:100%;--level:var(--good)}
.working{display:flex;align-items:center;gap:.875rem;margin-top:1.5rem;font-weight:600;color:var(--ink)}
.spinner{flex:none;width:1.75rem;height:1.75rem;border:3px solid var(--line);border-top-color:var(--accent);border-radius:50%;animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
.send,.again,[data-download]{margin-top:1.25rem}.send .hint,.again .hint{margin-top:.625rem;text-align:center}
.ways{list-style:none;margin:0;padding:0}.ways a{display:flex;align-items:center;min-height:44px}
.name{padding:.75rem 1rem;border-radius:10px;background:var(--panel);color:var(--ink);font-weight:600}
details p{margin:0 1rem .75rem;font-size:.9375rem}
button:disabled{background:none;border-color:var(--line);color:var(--soft);cursor:default}
.trace{margin:1.5rem 0 0;font-size:.8125rem;color:var(--soft)}
.actions{margin-top:1.5rem}
@media (prefers-reduced-motion:reduce){.spinner{animation:none}}
@media (max-width:26rem){main{padding:1.125rem 1.125rem 1.5rem}.logo{height:44px;margin-bottom:.75rem;padding:5px 10px}.logo img{height:32px}.steps{margin-bottom:1rem}h1{margin-bottom:.25rem;font-size:1.375rem}.lead{margin-bottom:.5rem}dl{margin-top:.875rem;padding:.75rem .875rem;gap:.375rem;line-height:1.4}dl div{grid-template-columns:minmax(0,6rem) minmax(0,1fr)}.field{margin-bottom:.75rem}.plain{margin-top:0;margin-bottom:-.5rem}.field input:not([type=checkbox]){margin-top:.375rem}.send,.again,[data-download]{margin-top:1rem}section{margin-top:1.25rem;padding-top:1.25rem}details{margin-bottom:.5rem}.field details{margin-bottom:.25rem}}
@media (max-width:22rem){dl div{grid-template-columns:1fr}}
@media (min-width:40rem){dl div{grid-template-columns:9rem minmax(0,1fr)}.column{padding-top:1.5rem}main{padding:2.25rem 2.5rem 2.5rem}h1{font-size:1.75rem}header{padding:.5rem .25rem 1rem}}
@media (forced-colors:active){.steps li{border-top-color:GrayText}.steps [aria-current]{border-color:Highlight}}
`);
