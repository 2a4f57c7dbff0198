import type { FastifyReply } from 'fastify';
import type { ReadForm } from '../body/read-form-body.ts';
import { getCallerAddress } from '../http/caller-address.ts';
import { type ClaimCookies, type CookieScope, readClaimCookies } from './claim-cookies.ts';
import { assertToken, createClaimPageContext } from './claim-link.ts';
import type { ApplicantVisit } from './link-flow.ts';
import type { LinkAnswerDeps, LinkRequest } from './send-page.ts';
import { isSecure, type LinkAnswers } from './show-screen.ts';

/** Dependencies of the form handlers. */
export interface FormDeps extends LinkAnswerDeps {
  readonly show: LinkAnswers;
}

/** Submitted form below a link. */
export interface SentForm {
  readonly request: LinkRequest;
  readonly reply: FastifyReply;
  readonly fields: Awaited<ReturnType<ReadForm>>;
}

export type AnswerForm = (deps: FormDeps, sent: SentForm) => Promise<FastifyReply>;

/** Link of a form, with the cookies of its browser. */
export interface Sender {
  readonly token: string;
  readonly place: CookieScope;
  readonly browser: ClaimCookies;
  readonly visit: ApplicantVisit;
}

/**
 * Identifies the sender of a form.
 * @throws AppError CLAIM_LINK_INVALID
 */
export function identifySender(request: LinkRequest, deps: FormDeps): Sender {
  const token = assertToken(request.params.token);
  const { link, language } = createClaimPageContext(request, deps.timeZone);
  const place = { link, token, isSecure: isSecure(deps) };
  return {
    token,
    place,
    browser: readClaimCookies(request.headers.cookie, place),
    visit: {
      language,
      remoteAddress: getCallerAddress(request),
      userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    },
  };
}
