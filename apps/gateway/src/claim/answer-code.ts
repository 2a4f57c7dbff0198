import { AppError } from '@rubrica/process';
import type { FastifyReply } from 'fastify';
import { assertFaultless } from '../fields/assert-faultless.ts';
import { takesPages } from '../pages/page-language.ts';
import { rightCookie } from './claim-cookies.ts';
import { parseCode } from './claim-form.ts';
import type { Below } from './claim-link.ts';
import { type FormDeps, type Sender, type SentForm, senderOf } from './form.ts';

/** A second tap on the button, or a reload of it: the first has sent the code. */
const doubleTapMs = 15_000;

/** Sends a code to the applicant, unless the browser has what a code would bring. */
export async function answerSend(deps: FormDeps, { request, reply }: SentForm): Promise<FastifyReply> {
  const sender = senderOf(request, deps);
  const { token, visit } = sender;
  const done = await wayWithoutCode(deps, sender);
  if (done !== undefined) return deps.show.next(request, reply, done);
  try {
    await deps.flow.sendCode(token, visit.language);
  } catch (error) {
    if (takesPages(request.headers.accept) && (await isDoubleTap(deps, token, error))) {
      return deps.show.next(request, reply, '/code');
    }
    return deps.show.refusal(request, reply, { error, typed: { action: 'send' } });
  }
  return deps.show.next(request, reply, '/code');
}

/**
 * One code for each sitting: where the browser keeps what one brought, the applicant goes on with it. Browsers leave
 * such a cookie out when a mail's link is followed (SameSite=Strict), so the page that it opens cannot tell.
 */
async function wayWithoutCode({ flow }: FormDeps, { token, browser }: Sender): Promise<Below | undefined> {
  if (browser.right === undefined && browser.retrieval === undefined) return undefined;
  const { state } = await flow.view(token);
  if (state === 'OPEN' && browser.right !== undefined) return '/password';
  return state === 'ISSUED' && browser.retrieval !== undefined ? '' : undefined;
}

async function isDoubleTap({ flow, clock }: FormDeps, token: string, error: unknown): Promise<boolean> {
  if (!(error instanceof AppError) || error.code !== 'RATE_LIMITED') return false;
  const { code } = await flow.view(token);
  return code !== null && clock().getTime() - new Date(code.sentAt).getTime() < doubleTapMs;
}

/** Checks a code by itself: a wrong one empties no password. */
export async function answerCheck(
  deps: FormDeps,
  { request, reply, fields }: SentForm,
): Promise<FastifyReply> {
  const { token, place } = senderOf(request, deps);
  const { value: code, faults } = parseCode(fields);
  try {
    assertFaultless(faults);
    const right = await deps.flow.checkCode(token, code);
    reply.header('set-cookie', rightCookie(right, place, deps.clock()));
  } catch (error) {
    return deps.show.refusal(request, reply, { error, typed: { action: 'check', code } });
  }
  return deps.show.next(request, reply, '/password');
}
