import { type ErrorCode, type ErrorDetail, errorCatalogue } from '@rubrica/contracts/shared/errors';
import type { Weakness } from '@rubrica/password-screen/weakness';
import { type AppError, toAppError } from '@rubrica/process/errors';
import type { FastifyReply } from 'fastify';
import type { ReadForm } from '../body/read-form-body.ts';
import { acceptsPages } from '../pages/page-language.ts';
import { address, assertToken, createClaimPageContext, type LinkPath } from './claim-link.ts';
import { formatExpiredCookie, isSecure, readClaimCookies } from './identify-sender.ts';
import { type ScreenName, selectScreen } from './screens/select-screen.ts';
import { type LinkAnswerDeps, type LinkRequest, sendPage } from './send-page.ts';
import type { DeadLinkAnswers } from './show-dead-link.ts';
import type { RefusedFormView } from './types.ts';

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

export interface RefusedAction {
  readonly error: unknown;
  readonly typed: Parameters<typeof buildRefusedForm>[1];
}

/** Answers of the pages of a link. */
export interface LinkAnswers {
  screen(request: LinkRequest, reply: FastifyReply, asked: ScreenName): Promise<FastifyReply>;
  /** Shows a refused form again where the applicant can correct it there; any other fault becomes an error. */
  refusal(request: LinkRequest, reply: FastifyReply, refused: RefusedAction): Promise<FastifyReply>;
  /** Redirects with 303: the browser loads the page, and a reload sends nothing twice (RFC 9110 §15.4.4). */
  next(request: LinkRequest, reply: FastifyReply, below?: LinkPath): FastifyReply;
}

const screenByAction = {
  send: 'begin',
  check: 'code',
  claim: 'form',
  password: 'password',
  download: 'code',
  retrieve: 'begin',
  report: 'begin',
} as const satisfies Record<Exclude<RefusedAction['typed']['action'], 'renew'>, ScreenName>;

interface RefusedForm {
  readonly fault: AppError;
  readonly form: RefusedFormView;
}

export function createLinkAnswers(deps: LinkAnswerDeps, dead: DeadLinkAnswers): LinkAnswers {
  const { flow, clock, timeZone } = deps;

  const next: LinkAnswers['next'] = (request, reply, below = '') => {
    assertToken(request.params.token);
    return reply
      .code(303)
      .header('location', address(createClaimPageContext(request, timeZone), below))
      .send();
  };

  const showScreen = async (
    request: LinkRequest,
    reply: FastifyReply,
    { asked, refused }: { asked: ScreenName; refused?: RefusedForm & { readonly isOver: boolean } },
  ) => {
    const view = await flow.view(assertToken(request.params.token));
    if (refused && dead.isInstead(refused.fault, view)) throw refused.fault;
    const context = createClaimPageContext(request, timeZone);
    const terms = await flow.terms(view);
    const cookies = readClaimCookies(request.headers.cookie, { isSecure: isSecure(deps) });
    const browser = refused?.isOver === true ? { taken: cookies.taken } : cookies;
    const parts = { view, context, terms, browser, now: clock(), refused: refused?.form };
    // An applicant who is refused another code already has one, so the field for it is shown.
    const screen = asked === 'begin' && refused && view.code !== null ? 'code' : asked;
    const page = selectScreen(screen, parts);
    return page === undefined
      ? next(request, reply)
      : sendPage(reply, { page, context, fault: refused?.fault });
  };

  return {
    next,
    async screen(request, reply, asked) {
      try {
        return await showScreen(request, reply, { asked });
      } catch (error) {
        return dead.instead(request, reply, error);
      }
    },
    async refusal(request, reply, { error, typed }) {
      const fault = toAppError(error);
      const form = acceptsPages(request.headers.accept) ? buildRefusedForm(fault, typed) : undefined;
      if (form === undefined) return dead.instead(request, reply, fault);
      if (form.retryAfterSeconds !== undefined) {
        reply.header('retry-after', String(Math.max(1, Math.ceil(form.retryAfterSeconds))));
      }
      if (typed.action === 'renew') return dead.instead(request, reply, fault, form);
      // The ticket in the cookie has expired: the applicant starts with another code.
      const isOver = fault.code === 'OTP_EXPIRED' && ticketActions.has(typed.action);
      if (isOver) {
        const { link } = createClaimPageContext(request, timeZone);
        const screen = { link, token: assertToken(request.params.token), isSecure: isSecure(deps) };
        reply.header('set-cookie', [
          formatExpiredCookie('ticket', screen),
          formatExpiredCookie('retrieval', screen),
        ]);
      }
      const asked = isOver ? 'begin' : screenByAction[typed.action];
      try {
        return await showScreen(request, reply, { asked, refused: { fault, form, isOver } });
      } catch (showError) {
        return dead.instead(request, reply, showError);
      }
    },
  };
}

/** Positions of faults without a field. Any other code gets an error page. */
const positions: Readonly<Partial<Record<ErrorCode, string>>> = {
  OTP_INVALID: 'code',
  OTP_EXPIRED: 'code',
  OTP_ATTEMPTS_EXCEEDED: 'code',
  TERMS_NOT_ACCEPTED: 'acceptTerms',
  TERMS_OUTDATED: 'acceptTerms',
  REQUEST_STATE_NOT_ALLOWED: 'page',
  RATE_LIMITED: 'send',
  RESEND_LIMIT_EXCEEDED: 'link',
};
/** Actions that use a ticket from a cookie instead of a code. */
const ticketActions: ReadonlySet<string> = new Set(['password', 'retrieve']);

const fieldCodes: ReadonlySet<ErrorCode> = new Set(['FIELD_REQUIRED', 'FIELD_INVALID']);

/**
 * Builds the content of a refused form; undefined where the fault is not the form's.
 * @param typed input that may be shown again, never a password
 */
function buildRefusedForm(
  fault: AppError,
  typed: {
    readonly code?: string;
    readonly acceptTerms?: boolean;
    readonly weakness?: Weakness | undefined;
    readonly action: 'send' | 'check' | 'claim' | 'password' | 'download' | 'retrieve' | 'report' | 'renew';
  },
): RefusedFormView | undefined {
  if (!fieldCodes.has(fault.code) && positions[fault.code] === undefined) return undefined;
  const details: readonly Pick<ErrorDetail, 'code' | 'field'>[] =
    fault.details.length > 0 ? fault.details : [{ code: fault.code }];
  const faults = details.map(({ code, field }) => ({
    code,
    field: findPosition(code, field, typed.action),
    weakness: field === 'password' ? typed.weakness : undefined,
  }));
  const isFaulty = (field: string) => faults.some((fault) => fault.field === field);
  return {
    faults,
    // A tried code is used up or wrong. One that was not tried is still valid and is shown again.
    code: isFaulty('code') ? undefined : typed.code,
    acceptTerms: typed.acceptTerms === true,
    retryAfterSeconds: errorCatalogue[fault.code].http === 429 ? fault.retryAfterSeconds : undefined,
  };
}

function findPosition(code: ErrorCode, field: string | undefined, action: string): string {
  if (action === 'renew') return 'link';
  if (action === 'send' && code !== 'REQUEST_STATE_NOT_ALLOWED') return 'send';
  // Concerns the ticket that a code was exchanged for, not an entered code.
  if (code === 'OTP_EXPIRED' && ticketActions.has(action)) return 'page';
  return positions[code] ?? field ?? 'page';
}
