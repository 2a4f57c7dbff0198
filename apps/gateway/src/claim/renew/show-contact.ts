import type { RenewalContact } from '@rubrica/contracts/services/schemas/claims';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { html } from '@rubrica/html';
import { toAppError } from '@rubrica/process';
import type { Page } from '../../pages/layout.ts';
import { takesPages } from '../../pages/page-language.ts';
import { assertToken, pageContextOf } from '../claim-link.ts';
import { contact, logo } from '../parts.ts';
import { type ShowDeps, sendPage } from '../send-page.ts';
import type { ShowDead } from '../show-dead-link.ts';
import { type AskedFor, renewalTexts } from '../texts/renewal-texts.ts';
import { wordsOf } from '../texts/texts.ts';
import type { PageContext } from '../types.ts';
import type { ContactFlow } from './contact-flow.ts';

const askedFor: ReadonlySet<ErrorCode> = new Set<AskedFor>([
  'QUOTA_EXCEEDED',
  'AUTHORIZATION_VIDEO_REQUIRED',
  'APPOINTMENT_EXPIRED',
  'NO_ACTIVE_TERMS',
]);

/** After which the partner alone can help. */
const partnersOwn: ReadonlySet<ErrorCode> = new Set([
  ...askedFor,
  'CLAIM_LINK_EXPIRED',
  'REQUEST_STATE_NOT_ALLOWED',
  'RENEWAL_NOT_OPEN',
]);

function isAskedFor(code: ErrorCode): code is AskedFor {
  return askedFor.has(code);
}

/** Says why the subscriber cannot renew here, and whom to ask. */
function contactScreen(known: RenewalContact, code: ErrorCode, context: PageContext): Page {
  const { dead, ask } = renewalTexts[context.language];
  const { title, lead } = known.reason === 'ASK' && isAskedFor(code) ? ask[code] : dead[known.reason];
  return {
    title,
    hasPicture: known.hasLogo,
    main: html`${logo(known, context)}<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p>${contact(known, wordsOf(context))}`,
  };
}

/** The page of a reminder's link by which nothing can be renewed, or not without the partner. */
export function createShowContact({ timeZone }: ShowDeps, contactOf: ContactFlow): ShowDead {
  return {
    isInstead: ({ code }, { state }) => state === 'OPEN' && partnersOwn.has(code),
    async instead(request, reply, error) {
      const fault = toAppError(error);
      const isPage = partnersOwn.has(fault.code) && takesPages(request.headers.accept);
      const known = isPage ? await contactOf(assertToken(request.params.token)) : undefined;
      if (known === undefined) throw fault;
      const context = pageContextOf(request, timeZone);
      if (fault.retryAfterSeconds !== undefined) {
        reply.header('retry-after', String(Math.max(1, Math.ceil(fault.retryAfterSeconds))));
      }
      return sendPage(reply, { page: contactScreen(known, fault.code, context), context, fault });
    },
  };
}
