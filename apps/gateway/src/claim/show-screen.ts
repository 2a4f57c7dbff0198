import { type AppError, toAppError } from '@rubrica/process';
import type { FastifyReply } from 'fastify';
import { acceptsPages } from '../pages/page-language.ts';
import { formatExpiredCookie, readClaimCookies } from './claim-cookies.ts';
import { address, assertToken, createClaimPageContext, type LinkPath } from './claim-link.ts';
import { buildRefusedForm, ticketActions } from './refused-form.ts';
import { type ScreenName, selectScreen } from './screens/select-screen.ts';
import { type LinkAnswerDeps, type LinkRequest, sendPage } from './send-page.ts';
import type { DeadLinkAnswers } from './show-dead-link.ts';
import type { RefusedFormView } from './types.ts';

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

/** Returns whether browsers reach this service by https, so that cookies are never sent over another connection. */
export function isSecure({ baseUrl }: Pick<LinkAnswerDeps, 'baseUrl'>): boolean {
  return baseUrl.startsWith('https:');
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
          formatExpiredCookie('right', screen),
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
