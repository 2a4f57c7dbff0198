export const styles = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5d6877;--line:#dfe4ea;--page:#f5f7f9;--card:#fff;--mark:#0b6e5b;--pick:#e3f1ee}
@media(prefers-color-scheme:dark){:root{--ink:#e8ecf1;--soft:#98a4b3;--line:#2b343f;--page:#12171d;--card:#1a2129;--mark:#52c7ae;--pick:#1d3a36}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1.25rem;padding:1rem 1.5rem;background:var(--card);border-bottom:1px solid var(--line)}
h1{margin:0;font-size:1.15rem;letter-spacing:-.01em;color:var(--mark)}
h1 span{font-weight:400;color:var(--soft)}
header p{margin:0;color:var(--soft);font-size:.9rem}
main{flex:1;display:grid;grid-template-columns:minmax(17rem,24rem) 1fr;min-height:0}
nav{border-right:1px solid var(--line);overflow:auto;max-height:calc(100vh - 4rem)}
ol{list-style:none;margin:0;padding:0}
li a{display:block;padding:.7rem 1.5rem;border-bottom:1px solid var(--line);color:inherit;text-decoration:none}
li a:hover{background:var(--card)}
li a:focus-visible{outline:2px solid var(--mark);outline-offset:-2px}
li a[aria-current]{background:var(--pick);box-shadow:inset 3px 0 var(--mark)}
.row{display:flex;justify-content:space-between;gap:.75rem;align-items:baseline}
.row b,.subject{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.subject{color:var(--soft)}
time{color:var(--soft);font-size:.8rem;white-space:nowrap;font-variant-numeric:tabular-nums}
.badge{font-size:.72rem;padding:.05rem .5rem;border:1px solid currentColor;border-radius:99px;color:var(--mark)}
.badge.sms{color:#a35a00}
@media(prefers-color-scheme:dark){.badge.sms{color:#f0b45f}}
article,.empty{padding:1.5rem 2rem;overflow:auto}
h2{margin:0 0 .25rem;font-size:1.35rem;line-height:1.25}
.meta{color:var(--soft);margin:0 0 1.25rem}
pre{margin:0;padding:1rem 1.25rem;background:var(--card);border:1px solid var(--line);border-radius:.5rem;white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.55 ui-monospace,SFMono-Regular,Menlo,monospace}
iframe{display:block;width:100%;height:min(70vh,46rem);border:1px solid var(--line);border-radius:.5rem;background:#fff}
details{margin-top:1rem;color:var(--soft)}
summary{cursor:pointer;margin-bottom:.5rem}
.empty{color:var(--soft)}
code{font-family:ui-monospace,SFMono-Regular,Menlo,monospace}
@media(max-width:46rem){main{grid-template-columns:1fr}nav{border-right:0;max-height:38vh}article,.empty{padding:1.25rem 1.5rem}}
`;
