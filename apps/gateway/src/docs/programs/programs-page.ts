import type { Language } from '../../context.ts';
import { html } from '../../pages/html.ts';
import { renderDocument } from '../../pages/layout.ts';
import { type Program, programTexts } from './program-texts.ts';
// Written by `npm run interop -- --write apps/gateway/src/docs/programs/table.json`.
import table from './table.json' with { type: 'json' };

export const programsPath = '/docs/programs';

/** What other makers' programs made of our files, and how a subscriber brings the file into the own ones. */
export function renderProgramsPage(language: Language): string {
  const words = programTexts[language];
  const rows = table.map(({ name, passed, failed }) => {
    const does = words.results[name as Program];
    return html`<div><dt>${name}</dt><dd>${does}: ${words.passed(passed, failed)}.</dd></div>`;
  });
  const steps = words.imports.map(([where, how]) => html`<div><dt>${where}</dt><dd>${how}</dd></div>`);
  const main = html`<h1 tabindex="-1">${words.title}</h1><p class="lead">${words.lead}</p>
<section aria-labelledby="import"><h2 id="import">${words.importHeading}</h2><p>${words.before}</p><dl class="long">${steps}</dl></section>
<section aria-labelledby="limits"><h2 id="limits">${words.limitsHeading}</h2>${words.limits.map((limit) => html`<p>${limit}</p>`)}</section>
<section aria-labelledby="engineers"><h2 id="engineers">${words.engineersHeading}</h2>${words.engineers.map((one) => html`<p>${one}</p>`)}</section>
<section aria-labelledby="tried"><h2 id="tried">${words.tried}</h2><dl class="long">${rows}</dl></section>`;
  return renderDocument({ title: words.title, main }, { language });
}
