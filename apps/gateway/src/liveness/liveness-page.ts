import type * as apiFlowContract from '@rubrica/contracts/services/schemas/api-flow';
import { html } from '@rubrica/html';
import { formatDate } from '../pages/dates.ts';
import type { Page } from '../pages/layout.ts';
import type { PageLanguage } from '../pages/page-language.ts';
import { texts } from './texts.ts';

export interface PageContext extends PageLanguage {
  readonly sessionId: string;
  readonly timeZone: string;
}

/** Builds the address of a session's page, with the chosen language. */
export function address({ sessionId, query }: Pick<PageContext, 'sessionId' | 'query'>): string {
  return `/liveness/${sessionId}${query}`;
}

/**
 * Renders the page of a session: the partner and one button. It does not name the applicant, because others may see the
 * address.
 */
export function renderLivenessPage(view: apiFlowContract.LivenessPage, context: PageContext): Page {
  const words = texts[context.language];
  const [title, lead] = words.states[view.state];
  const isReady = view.state === 'READY';
  return {
    title,
    main: html`<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p>
<dl><div><dt>${words.partner}</dt><dd>${view.partnerName}</dd></div>${isReady && html`<div><dt>${words.until}</dt><dd>${formatDate(view.expiresAt, context, 'time')}</dd></div>`}</dl>
${isReady && html`<section><form method="post" action="${address(context)}"><button type="submit">${words.submit}</button></form><p class="hint">${words.sandbox}</p></section>`}`,
  };
}
