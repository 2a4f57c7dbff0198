import { importSteps } from '@rubrica/contracts/shared/import-steps';
import { html } from '@rubrica/html';
import results from '../content/program-results.json' with { type: 'json' };
import { type Program, programTexts } from '../content/programs.ts';
import type { Language } from '../language.ts';
import { renderFrame } from './frame.ts';

/** Renders the page for subscribers about programs that read their file, and its import. */
export function renderProgramsPage(language: Language): string {
  const text = programTexts[language];
  const rows = results.map(({ name, passed, failed }) => {
    const check = text.results[name as Program];
    return html`<div><dt>${name}</dt><dd>${check}: ${text.passed(passed, failed)}.</dd></div>`;
  });
  const steps = importSteps[language].map(
    ([program, how]) => html`<div><dt>${program}</dt><dd>${how}</dd></div>`,
  );
  const paragraphs = (list: readonly string[]) => list.map((paragraph) => html`<p>${paragraph}</p>`);
  const main = html`<h1>${text.title}</h1><p class="lead">${text.lead}</p>
<section aria-labelledby="import"><h2 id="import">${text.importHeading}</h2><p>${text.before}</p><dl>${steps}</dl></section>
<section aria-labelledby="limits"><h2 id="limits">${text.limitsHeading}</h2>${paragraphs(text.limits)}</section>
<section aria-labelledby="engineers"><h2 id="engineers">${text.engineersHeading}</h2>${paragraphs(text.engineers)}</section>
<section aria-labelledby="tried"><h2 id="tried">${text.tried}</h2><dl>${rows}</dl></section>`;
  const other = language === 'es' ? 'en' : 'es';
  const translation = `/docs/programs?lang=${other}`;
  return renderFrame({
    title: `${text.title} · Rubrica`,
    description: text.lead,
    language,
    translation,
    main,
  });
}
