import { AppError } from '@rubrica/process';
import type { FastifyReply } from 'fastify';
import { assertFaultless } from '../fields/assert-faultless.ts';
import { acceptsPages } from '../pages/page-language.ts';
import { formatTicketCookie } from './claim-cookies.ts';
import { parseCode } from './claim-form.ts';
import type { LinkPath } from './claim-link.ts';
import { type FormDeps, identifySender, type Sender, type SentForm } from './form.ts';

/** Period in which a repeated submission counts as a double click or reload: the first has sent the code. */
const doubleTapMs = 15_000;

/** Sends a code to the applicant, unless the browser already has what the code would grant. */
export async function answerSend(deps: FormDeps, { request, reply }: SentForm): Promise<FastifyReply> {
  const sender = identifySender(request, deps);
  const { token, visit } = sender;
  const page = await pageWithoutCode(deps, sender);
  if (page !== undefined) return deps.show.next(request, reply, page);
  try {
    await deps.flow.sendCode(token, visit.language);
  } catch (error) {
    if (acceptsPages(request.headers.accept) && (await isDoubleTap(deps, token, error))) {
      return deps.show.next(request, reply, '/code');
    }
    return deps.show.refusal(request, reply, { error, typed: { action: 'send' } });
  }
  return deps.show.next(request, reply, '/code');
}

/**
 * Returns the page to continue with, where the browser already has the result of a code. Browsers omit such a cookie
 * when a link in a mail is followed (SameSite=Strict), so the opened page cannot know it.
 */
async function pageWithoutCode(
  { flow }: FormDeps,
  { token, browser }: Sender,
): Promise<LinkPath | undefined> {
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

/** Checks a code separately, so that a wrong one does not clear the password fields. */
export async function answerCheck(
  deps: FormDeps,
  { request, reply, fields }: SentForm,
): Promise<FastifyReply> {
  const { token, place } = identifySender(request, deps);
  const { value: code, faults } = parseCode(fields);
  try {
    assertFaultless(faults);
    const right = await deps.flow.checkCode(token, code);
    reply.header('set-cookie', formatTicketCookie(right, place, deps.clock()));
  } catch (error) {
    return deps.show.refusal(request, reply, { error, typed: { action: 'check', code } });
  }
  return deps.show.next(request, reply, '/password');
}
