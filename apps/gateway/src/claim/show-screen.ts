import { type AppError, toAppError } from '@rubrica/process';
import type { FastifyReply } from 'fastify';
import { takesPages } from '../pages/page-language.ts';
import { endedCookie, readClaimCookies } from './claim-cookies.ts';
import { address, assertToken, type Below, pageContextOf } from './claim-link.ts';
import { refusedForm, rightActions } from './refused-form.ts';
import { type Asked, screenOf } from './screens/screen-of.ts';
import { type LinkRequest, type ShowDeps, sendPage } from './send-page.ts';
import type { ShowDead } from './show-dead-link.ts';
import type { Refused } from './types.ts';

export interface RefusedAction {
  readonly error: unknown;
  readonly typed: Parameters<typeof refusedForm>[1];
}

/** How the pages of a link are answered. */
export interface Show {
  screen(request: LinkRequest, reply: FastifyReply, asked: Asked): Promise<FastifyReply>;
  /** Shows a refused form again where the applicant can correct it there; any other fault becomes an error. */
  refusal(request: LinkRequest, reply: FastifyReply, refused: RefusedAction): Promise<FastifyReply>;
  /** 303: the browser asks for the page anew, and reloading it sends nothing twice (RFC 9110 §15.4.4). */
  next(request: LinkRequest, reply: FastifyReply, below?: Below): FastifyReply;
}

const screenOfAction = {
  send: 'begin',
  check: 'code',
  claim: 'form',
  password: 'password',
  download: 'code',
  retrieve: 'begin',
  report: 'begin',
} as const satisfies Record<Exclude<RefusedAction['typed']['action'], 'renew'>, Asked>;

interface RefusedForm {
  readonly fault: AppError;
  readonly form: Refused;
}

/** @returns whether browsers see this service under https, so that cookies are kept from any other connection */
export function isSecure({ baseUrl }: Pick<ShowDeps, 'baseUrl'>): boolean {
  return baseUrl.startsWith('https:');
}

export function createShow(deps: ShowDeps, dead: ShowDead): Show {
  const { flow, clock, timeZone } = deps;

  const next: Show['next'] = (request, reply, below = '') => {
    assertToken(request.params.token);
    return reply
      .code(303)
      .header('location', address(pageContextOf(request, timeZone), below))
      .send();
  };

  const live = async (
    request: LinkRequest,
    reply: FastifyReply,
    { asked, refused }: { asked: Asked; refused?: RefusedForm & { readonly isOver: boolean } },
  ) => {
    const view = await flow.view(assertToken(request.params.token));
    if (refused && dead.isInstead(refused.fault, view)) throw refused.fault;
    const context = pageContextOf(request, timeZone);
    const terms = await flow.terms(view);
    const kept = readClaimCookies(request.headers.cookie, { isSecure: isSecure(deps) });
    const browser = refused?.isOver === true ? { taken: kept.taken } : kept;
    const parts = { view, context, terms, browser, now: clock(), refused: refused?.form };
    // Who is refused another code already has one: its field is what helps.
    const place = asked === 'begin' && refused && view.code !== null ? 'code' : asked;
    const page = screenOf(place, parts);
    return page === undefined
      ? next(request, reply)
      : sendPage(reply, { page, context, fault: refused?.fault });
  };

  return {
    next,
    async screen(request, reply, asked) {
      try {
        return await live(request, reply, { asked });
      } catch (error) {
        return dead.instead(request, reply, error);
      }
    },
    async refusal(request, reply, { error, typed }) {
      const fault = toAppError(error);
      const form = takesPages(request.headers.accept) ? refusedForm(fault, typed) : undefined;
      if (form === undefined) return dead.instead(request, reply, fault);
      if (form.retryAfterSeconds !== undefined) {
        reply.header('retry-after', String(Math.max(1, Math.ceil(form.retryAfterSeconds))));
      }
      if (typed.action === 'renew') return dead.instead(request, reply, fault, form);
      // What the browser kept in place of a code is good for nothing any more: it begins with another code.
      const isOver = fault.code === 'OTP_EXPIRED' && rightActions.has(typed.action);
      if (isOver) {
        const { link } = pageContextOf(request, timeZone);
        const place = { link, token: assertToken(request.params.token), isSecure: isSecure(deps) };
        reply.header('set-cookie', [endedCookie('right', place), endedCookie('retrieval', place)]);
      }
      const asked = isOver ? 'begin' : screenOfAction[typed.action];
      try {
        return await live(request, reply, { asked, refused: { fault, form, isOver } });
      } catch (fresh) {
        return dead.instead(request, reply, fresh);
      }
    },
  };
}
