import { html } from '@rubrica/html';
import type { Page } from '../../pages/layout.ts';
import { address, type Report } from '../claim-link.ts';
import { toProgress } from '../progress/watch-state.ts';
import {
  renderCertificateFacts,
  renderContact,
  renderFaultSummary,
  renderLostNote,
  renderPageHeading,
  renderProgramsLink,
  renderSteps,
} from '../render-parts.ts';
import { selectTexts } from '../texts/texts.ts';
import type { ScreenParts } from './screen.ts';

const refreshSeconds = 5;
/** Longer, because a review takes hours. */
const reviewRefreshSeconds = 60;

/** Renders the progress of issuance, or what blocks it and the next step. */
export function renderProgressScreen(parts: ScreenParts): Page {
  const { view, context, refused } = parts;
  if (view.obstacle === 'ERROR') return stoppedScreen(parts);
  const words = selectTexts(context);
  const isReviewed = view.obstacle === 'REVIEW';
  const { title, lead } = isReviewed
    ? words.review
    : { title: words.title.IN_PROGRESS, lead: words.lead.IN_PROGRESS };
  const working = isReviewed ? words.review.working : words.progress.working;
  return {
    title,
    main: html`${renderFaultSummary(refused, context)}${renderSteps(3, words)}<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p>
<p class="working" data-progress="${address(context, '/progress')}" data-shown="${toProgress(view)}"><span class="spinner" aria-hidden="true"></span><span role="status">${working}</span></p>
<noscript><p class="actions"><a class="button quiet" href="${address(context)}">${words.progress.refresh}</a></p></noscript>${renderCertificateFacts(view, context)}${isReviewed && renderContact(view, words)}`,
    refreshSeconds: isReviewed ? reviewRefreshSeconds : refreshSeconds,
  };
}

function stoppedScreen({ view, context, refused }: ScreenParts): Page {
  const words = selectTexts(context);
  const { title, lead } = words.stopped;
  return {
    title,
    main: html`${renderFaultSummary(refused, context)}<h1 tabindex="-1">${title}</h1><p class="lead">${lead(view.partnerName)}</p>
<p class="actions"><a class="button quiet" href="${address(context)}">${words.progress.refresh}</a></p>${renderContact(view, words)}`,
  };
}

/** Renders the final screen, without further actions. */
export function renderEndScreen({ view, context, refused }: ScreenParts): Page {
  const words = selectTexts(context);
  if (view.reported !== null) {
    const { title, lead } = words.reported[view.reported];
    return {
      title,
      main: html`<h1 tabindex="-1">${title}</h1><p class="lead">${lead(view.partnerName)}</p>${renderContact(view, words)}`,
    };
  }
  const hasFile = view.state === 'DOWNLOAD_ENDED';
  return {
    title: words.title[view.state],
    main: html`${renderFaultSummary(refused, context)}${renderPageHeading(view, words)}${hasFile ? html`${renderCertificateFacts(view, context)}<section>${renderLostNote(context, words)}${renderProgramsLink(context, words)}</section>` : renderContact(view, words)}`,
  };
}

/** Renders the confirmation before a report of wrong data or a wrong person. */
export function renderReportScreen({ view, context }: ScreenParts, report: Report): Page {
  const { reports } = selectTexts(context);
  const { title, lead, submit } = reports[report];
  return {
    title,
    main: html`<h1 tabindex="-1">${title}</h1><p class="lead">${lead} <strong>${view.partnerName}</strong>.</p>
<form method="post" action="${address(context, `/${report}`)}"><button type="submit">${submit}</button></form>
<p class="actions"><a class="button quiet" href="${address(context)}">${reports.back}</a></p>`,
  };
}
