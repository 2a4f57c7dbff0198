import type { DeadLink } from '@rubrica/contracts/services/schemas/claims';
import { html } from '@rubrica/html';
import type { Page } from '../../pages/layout.ts';
import { address } from '../claim-link.ts';
import { renderContact, renderFaultSummary, renderLogo, renderWaitHint } from '../render-parts.ts';
import { selectTexts } from '../texts/texts.ts';
import type { PageContext, RefusedFormView } from '../types.ts';

/** Content of the page of an invalid link. */
export interface DeadLinkScreenParts {
  readonly dead: DeadLink;
  readonly context: PageContext;
  readonly now: Date;
  readonly refused?: RefusedFormView | undefined;
}

/** Renders the partner's name, and offers a new link where one is possible. */
export function renderDeadLinkScreen({ dead, context, now, refused }: DeadLinkScreenParts): Page {
  const words = selectTexts(context);
  const { title, lead } = words.dead[dead.renewableAt === null ? dead.reason : 'RENEWABLE'];
  const { renewableAt } = dead;
  const form =
    renewableAt !== null &&
    html`<form method="post" action="${address(context, '/new-link')}" class="again"><button id="link" type="submit">${words.dead.submit}</button>${renderWaitHint(renewableAt, { context, now }, words)}</form>`;
  return {
    title,
    hasPicture: dead.hasLogo,
    main: html`${renderFaultSummary(refused, context)}${renderLogo(dead, context)}<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p>
${renderContact(dead, words)}${form}`,
  };
}

/** Confirms that a new link is being sent, without its destination. */
export function renderNewLinkScreen({ dead, context }: DeadLinkScreenParts): Page {
  const words = selectTexts(context);
  const { title, lead } = words.dead.sent;
  return {
    title,
    hasPicture: dead.hasLogo,
    main: html`${renderLogo(dead, context)}<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p>
${renderContact(dead, words)}`,
  };
}
