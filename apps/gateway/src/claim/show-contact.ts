import type { RenewalContact } from '@rubrica/contracts/services/schemas/claims';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { html } from '@rubrica/html';
import { AppError, toAppError } from '@rubrica/process/errors';
import type { Page } from '../pages/layout.ts';
import { acceptsPages } from '../pages/page-language.ts';
import { assertToken, createClaimPageContext } from './claim-link.ts';
import { type LinkFlowDeps, sealToken } from './link-flow.ts';
import { renderContact, renderLogo } from './render-parts.ts';
import { type LinkAnswerDeps, sendPage } from './send-page.ts';
import type { DeadLinkAnswers } from './show-dead-link.ts';
import { type PartnerRequiredCode, renewalTexts } from './texts/renewal-texts.ts';
import { selectTexts } from './texts/texts.ts';
import type { PageContext } from './types.ts';

const partnerRequiredCodes: ReadonlySet<ErrorCode> = new Set<PartnerRequiredCode>([
  'QUOTA_EXCEEDED',
  'AUTHORIZATION_VIDEO_REQUIRED',
  'APPOINTMENT_EXPIRED',
  'NO_ACTIVE_TERMS',
]);

/** Codes after which only the partner can help. */
const partnerOnlyCodes: ReadonlySet<ErrorCode> = new Set([
  ...partnerRequiredCodes,
  'CLAIM_LINK_EXPIRED',
  'REQUEST_STATE_NOT_ALLOWED',
  'RENEWAL_NOT_OPEN',
]);

function isPartnerRequired(code: ErrorCode): code is PartnerRequiredCode {
  return partnerRequiredCodes.has(code);
}

/** Renders why the subscriber cannot renew here, and the contact. */
function contactScreen(contactDetails: RenewalContact, code: ErrorCode, context: PageContext): Page {
  const { dead, ask } = renewalTexts[context.language];
  const { title, lead } =
    contactDetails.reason === 'ASK' && isPartnerRequired(code) ? ask[code] : dead[contactDetails.reason];
  return {
    title,
    hasPicture: contactDetails.hasLogo,
    main: html`${renderLogo(contactDetails, context)}<h1 tabindex="-1">${title}</h1><p class="lead">${lead}</p>${renderContact(contactDetails, selectTexts(context))}`,
  };
}

/** Creates the page for a reminder's link that cannot renew, or not without the partner. */
export function createShowContact(deps: LinkAnswerDeps & ContactDeps): DeadLinkAnswers {
  return {
    isInstead: ({ code }, { state }) => state === 'OPEN' && partnerOnlyCodes.has(code),
    async instead(request, reply, error) {
      const fault = toAppError(error);
      const isPage = partnerOnlyCodes.has(fault.code) && acceptsPages(request.headers.accept);
      const contactDetails = isPage ? await findContact(deps, assertToken(request.params.token)) : undefined;
      if (contactDetails === undefined) throw fault;
      const context = createClaimPageContext(request, deps.timeZone);
      if (fault.retryAfterSeconds !== undefined) {
        reply.header('retry-after', String(Math.max(1, Math.ceil(fault.retryAfterSeconds))));
      }
      return sendPage(reply, { page: contactScreen(contactDetails, fault.code, context), context, fault });
    },
  };
}

type ContactDeps = Pick<LinkFlowDeps, 'peers' | 'keyring'>;

/** Finds the contact for a reminder's link; undefined for an unknown link. */
async function findContact(
  { peers, keyring }: ContactDeps,
  token: string,
): Promise<RenewalContact | undefined> {
  try {
    return await peers.intake['renewals.contact'](await sealToken(keyring, token));
  } catch (error) {
    if (error instanceof AppError && error.code === 'CLAIM_LINK_INVALID') return undefined;
    throw error;
  }
}
