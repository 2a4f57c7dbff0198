import type { DeadLink } from '@rubrica/contracts/services/schemas/claims';
import { html } from '@rubrica/html';
import type { Page } from '../../pages/layout.ts';
import { address } from '../claim-link.ts';
import { contact, logo, summary, waitHint } from '../parts.ts';
import { wordsOf } from '../texts/texts.ts';
import type { PageContext, Refused } from '../types.ts';

/** What is known of a link that opens nothing any more. */
export interface DeadParts {
  readonly dead: DeadLink;
  readonly context: PageContext;
  readonly now: Date;
  readonly refused?: Refused | undefined;
}

/** Names the partner, and offers a new link where one can be had. */
export function deadLinkScreen({ dead, context, now, refused }: DeadParts): Page {
  const words = wordsOf(context);
  const { title, lead } = words.dead[dead.renewableAt === null ? dead.reason : 'RENEWABLE'];
  const { renewableAt } = dead;
  const form =
    renewableAt !== null &&
    html`<form method="post" action="${address(context, '/new-link')}" class="again"><button id="link" type="submit">${words.dead.submit}</button>${waitHint(renewableAt, { context, now }, words)}</form>`;
  return {
    title,
    hasPicture: dead.hasLogo,
    main: html`${summary(refused, context)}${logo(dead, context)}<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p>
${contact(dead, words)}${form}`,
  };
}

/** A new link is on its way; it does not say where to. */
export function newLinkScreen({ dead, context }: DeadParts): Page {
  const words = wordsOf(context);
  const { title, lead } = words.dead.sent;
  return {
    title,
    hasPicture: dead.hasLogo,
    main: html`${logo(dead, context)}<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p>
${contact(dead, words)}`,
  };
}
