import { type Weakness, weaknessTexts } from '@rubrica/password-screen/weakness';
import { AppError, errorDetail } from '@rubrica/process/errors';
import type { FastifyReply } from 'fastify';
import { assertFaultless } from '../fields/assert-faultless.ts';
import { invalidField } from '../fields/parse-fields.ts';
import { acceptsPages } from '../pages/page-language.ts';
import {
  type ParsedClaim,
  parseClaimForm,
  parseCode,
  parseEncoding,
  parsePasswordForm,
} from './claim-form.ts';
import { createClaimPageContext, type LinkPath } from './claim-link.ts';
import { buildFileName, formatAttachment } from './file-name.ts';
import {
  formatDownloadedCookie,
  formatExpiredCookie,
  formatRetrievalCookie,
  formatTicketCookie,
  identifySender,
  type Sender,
} from './identify-sender.ts';
import type { ClaimProof } from './link-flow.ts';
import type { FormDeps, SentForm } from './show-screen.ts';

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
  if (browser.ticket === undefined && browser.retrieval === undefined) return undefined;
  const { state } = await flow.view(token);
  if (state === 'OPEN' && browser.ticket !== undefined) return '/password';
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
    const ticket = await deps.flow.checkCode(token, code);
    reply.header('set-cookie', formatTicketCookie(ticket, place, deps.clock()));
  } catch (error) {
    return deps.show.refusal(request, reply, { error, typed: { action: 'check', code } });
  }
  return deps.show.next(request, reply, '/password');
}

/** Claims the request with terms and password, after the code was checked separately. */
export async function answerPassword(deps: FormDeps, sent: SentForm): Promise<FastifyReply> {
  const { request, reply, fields } = sent;
  const { token, browser } = identifySender(request, deps);
  if (browser.ticket !== undefined) {
    return claim(deps, sent, {
      ...parsePasswordForm(fields),
      proof: { ticket: browser.ticket },
      action: 'password',
    });
  }
  // Double click: the first submission has claimed, and its answer removed the cookie.
  if ((await deps.flow.view(token)).state !== 'OPEN') return deps.show.next(request, reply);
  const error = new AppError({ code: 'OTP_EXPIRED' });
  return deps.show.refusal(request, reply, { error, typed: { action: 'password' } });
}

/** Claims the request with code, terms and password in one form. */
export async function answerClaim(deps: FormDeps, sent: SentForm): Promise<FastifyReply> {
  const { code, ...parsed } = parseClaimForm(sent.fields);
  return claim(deps, sent, { ...parsed, code, proof: { code }, action: 'claim' });
}

interface ClaimInput extends ParsedClaim {
  readonly proof: ClaimProof;
  /** Entered code, shown again if it was not tried. */
  readonly code?: string;
  readonly action: 'claim' | 'password';
}

async function claim(
  deps: FormDeps,
  { request, reply }: SentForm,
  { values, faults, proof, code, action }: ClaimInput,
) {
  const { flow, show, clock } = deps;
  const { token, place, visit } = identifySender(request, deps);
  const { acceptTerms, password } = values;
  // Screening takes as long as for all who choose a password, so a form with other faults is not screened. Intake
  // refuses each claim without accepted terms.
  const needsScreening = faults.length === 0 && acceptTerms;
  let weakness: Weakness | undefined;
  try {
    if (needsScreening) weakness = await flow.screenPassword(token, password, proof);
    const isUnaccepted = values.termsId !== undefined && !acceptTerms;
    assertFaultless([
      ...faults,
      ...(weakness === undefined ? [] : [invalidField('password', weaknessTexts[weakness])]),
      ...(isUnaccepted ? [errorDetail('TERMS_NOT_ACCEPTED', 'acceptTerms')] : []),
    ]);
    const retrieval = await flow.claim(token, { ...values, proof }, visit);
    if (retrieval !== undefined) {
      reply.header('set-cookie', [
        formatRetrievalCookie(retrieval, place, clock()),
        formatExpiredCookie('ticket', place),
      ]);
    }
  } catch (error) {
    const typed = { action, acceptTerms, weakness, ...(code === undefined ? {} : { code }) };
    return show.refusal(request, reply, { error, typed });
  }
  return show.next(request, reply);
}

/** Sends the certificate file: for a new code, or without a code to the browser that claimed. */
export async function answerDownload(
  deps: FormDeps,
  { request, reply, fields }: SentForm,
): Promise<FastifyReply> {
  const { flow, show, timeZone } = deps;
  const { token, place, browser } = identifySender(request, deps);
  const retrieval = fields.code === undefined ? browser.retrieval : undefined;
  const { value: code, faults } = parseCode(fields);
  const encoding = parseEncoding(fields);
  try {
    assertFaultless([...(retrieval === undefined ? faults : []), ...encoding.faults]);
    // Checked before a code is used up for an encoding that the partner does not allow.
    if (encoding.value === 'legacy' && !(await flow.view(token)).offersLegacyFile)
      throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
    const proof = retrieval === undefined ? { code } : { ticket: retrieval.secret };
    const file = await flow.download(token, proof, encoding.value);
    const name = buildFileName(await flow.view(token), createClaimPageContext(request, timeZone));
    return reply
      .header('content-type', 'application/x-pkcs12')
      .header('content-disposition', formatAttachment(name))
      .header('set-cookie', formatDownloadedCookie(place))
      .send(file);
  } catch (error) {
    const typed =
      retrieval === undefined ? ({ action: 'download', code } as const) : { action: 'retrieve' as const };
    return show.refusal(request, reply, { error, typed });
  }
}
