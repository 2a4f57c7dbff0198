import { type Html, html } from '@rubrica/html';
import { selectPluralText } from '../../pages/counts.ts';
import { formatDate } from '../../pages/dates.ts';
import type { Page } from '../../pages/layout.ts';
import { address } from '../claim-link.ts';
import {
  renderCodeField,
  renderDownloadButtons,
  renderFaultSummary,
  renderSteps,
  renderWaitHint,
} from '../render-parts.ts';
import { selectTexts, type Texts } from '../texts/texts.ts';
import type { ScreenParts } from './screen.ts';

/** Initial number of tries; below it the page shows how many are left. */
const maxTries = 5;

/** Renders the form for the code alone, so that a wrong code costs only a try. For a download it returns the file. */
export function renderCodeScreen(parts: ScreenParts): Page {
  const { view, context, refused } = parts;
  const words = selectTexts(context);
  const title = view.code === null ? words.code.spentTitle : words.code.title;
  // With a single field, its own fault is enough; without a valid code the text explains everything.
  const others = refused && { ...refused, faults: refused.faults.filter(({ field }) => field === 'page') };
  return {
    title,
    main: html`${renderFaultSummary(others, context)}${renderSteps(view.state === 'ISSUED' ? 3 : 1, words)}<h1 tabindex="-1">${title}</h1>
${view.code === null ? html`<p class="lead" role="alert">${words.code.spent}</p>` : renderEntry(parts, words)}${renderResendForm(parts, words)}`,
  };
}

function renderEntry({ view, context, refused }: ScreenParts, words: Texts): Html {
  const { code, codeChannel, codeSentTo, state } = view;
  const [below, submit] =
    state === 'ISSUED'
      ? (['/download', words.file.submit] as const)
      : (['/check', words.code.submit] as const);
  const until = code && `${words.code.validUntil} ${formatDate(code.expiresAt, context, 'time')}.`;
  const tries =
    code &&
    code.triesLeft < maxTries &&
    selectPluralText(code.triesLeft, words.code.triesLeft, context.language);
  return html`<p class="lead" role="status">${words.code.wasSent[codeChannel]} <strong>${codeSentTo}</strong>. ${until ?? ''} ${tries || ''}</p>
<form method="post" action="${address(context, below)}"${state === 'ISSUED' && html` data-download`}>
${renderCodeField({ refused, words, isFirst: true })}
${state === 'ISSUED' ? renderDownloadButtons(view, { label: submit, attributes: html`` }, words) : html`<button type="submit">${submit}</button>`}</form>`;
}

function renderResendForm({ view, context, now }: ScreenParts, words: Texts): Html {
  return html`<form method="post" action="${address(context, '/code')}" class="again">
<button id="send" type="submit"${view.code !== null && html` class="quiet"`}>${words.code.sendAgain}</button>${renderWaitHint(view.nextCodeAt, { context, now }, words)}</form>`;
}
