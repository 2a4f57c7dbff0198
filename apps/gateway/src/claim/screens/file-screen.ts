import { importSteps } from '@rubrica/contracts/shared/import-steps';
import { type Html, html } from '@rubrica/html';
import { formatDate } from '../../pages/dates.ts';
import type { Page } from '../../pages/layout.ts';
import { address } from '../claim-link.ts';
import { buildFileName } from '../file-name.ts';
import {
  renderCertificateFacts,
  renderContinueButton,
  renderDownloadButtons,
  renderFaultSummary,
  renderLostNote,
  renderProgramsLink,
  renderSendForm,
  renderSteps,
} from '../render-parts.ts';
import { selectTexts, type Texts } from '../texts/texts.ts';
import type { ScreenParts } from './screen.ts';

/**
 * Renders the download: immediate for the browser that claimed, with a new code for any other; afterwards the next
 * steps.
 */
export function renderFileScreen(parts: ScreenParts): Page {
  const { view, context, browser, refused } = parts;
  const words = selectTexts(context);
  const title = browser.taken ? words.file.takenTitle : words.title.ISSUED;
  return {
    title,
    main: html`${renderFaultSummary(refused, context)}${renderSteps(3, words)}<h1 tabindex="-1"${browser.taken && html` data-taken`}>${title}</h1>
${renderLead(parts, words)}${renderAction(parts, words)}${renderCertificateFacts(view, context)}${renderGuide(parts, words)}`,
  };
}

function renderLead({ view, context, browser }: ScreenParts, words: Texts): Html {
  const { retrieval, taken } = browser;
  if (taken) {
    return html`<p class="lead">${words.file.taken}</p><p class="name">${buildFileName(view, context)}</p>`;
  }
  if (retrieval === undefined) return html`<p class="lead">${words.lead.ISSUED}</p>`;
  const until = formatDate(retrieval.until.toISOString(), context, 'time');
  return html`<p class="lead">${words.file.hint} ${words.file.lead} ${until}.</p>`;
}

function renderAction(parts: ScreenParts, words: Texts): Html {
  const { view, context, browser } = parts;
  const { retrieval, taken } = browser;
  if (retrieval === undefined) {
    return renderContinueButton(view.code && '/code', context) ?? renderSendForm(parts, words);
  }
  return html`<form method="post" action="${address(context, '/download')}" data-download>
${renderDownloadButtons(view, { label: taken ? words.file.again : words.file.submit, attributes: html` id="download"${taken && html` class="quiet"`}` }, words)}</form>`;
}

/**
 * Renders collapsible sections: how to store the file, how to import it into programs, and what to do if it is lost.
 */
function renderGuide({ context, browser }: ScreenParts, words: Texts): Html {
  const { language } = context;
  const { file } = words;
  const imports = importSteps[language].map(
    ([where, how]) => html`<details><summary>${file.importInto} ${where}</summary><p>${how}</p></details>`,
  );
  return html`<section aria-labelledby="next"><h2 id="next">${file.next}</h2>
<details${browser.taken && html` open`}><summary>${file.keep}</summary>${file.keepSteps.map((step) => html`<p>${step}</p>`)}</details>
${imports}
${renderLostNote(context, words)}
${renderProgramsLink(context, words)}</section>`;
}
