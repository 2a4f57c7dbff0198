import { type Weakness, weaknessTexts } from '@rubrica/password-screen/weakness';
import { AppError, errorDetail } from '@rubrica/process';
import type { FastifyReply } from 'fastify';
import { assertFaultless } from '../fields/assert-faultless.ts';
import { invalidField } from '../fields/field-fault.ts';
import { formatExpiredCookie, formatRetrievalCookie } from './claim-cookies.ts';
import { type ParsedClaim, parseClaimForm, parsePasswordForm } from './claim-form.ts';
import { type FormDeps, identifySender, type SentForm } from './form.ts';
import type { ClaimProof } from './link-flow.ts';

/** Claims the request with code, terms and password in one form. */
export async function answerClaim(deps: FormDeps, sent: SentForm): Promise<FastifyReply> {
  const { code, ...parsed } = parseClaimForm(sent.fields);
  return claim(deps, sent, { ...parsed, code, proof: { code }, action: 'claim' });
}

/** Claims the request with terms and password, after the code was checked separately. */
export async function answerPassword(deps: FormDeps, sent: SentForm): Promise<FastifyReply> {
  const { request, reply, fields } = sent;
  const { token, browser } = identifySender(request, deps);
  if (browser.right !== undefined) {
    return claim(deps, sent, {
      ...parsePasswordForm(fields),
      proof: { right: browser.right },
      action: 'password',
    });
  }
  // Double click: the first submission has claimed, and its answer removed the cookie.
  if ((await deps.flow.view(token)).state !== 'OPEN') return deps.show.next(request, reply);
  const error = new AppError({ code: 'OTP_EXPIRED' });
  return deps.show.refusal(request, reply, { error, typed: { action: 'password' } });
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
    if (needsScreening) weakness = await flow.weaknessOf(token, password, proof);
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
        formatExpiredCookie('right', place),
      ]);
    }
  } catch (error) {
    const typed = { action, acceptTerms, weakness, ...(code === undefined ? {} : { code }) };
    return show.refusal(request, reply, { error, typed });
  }
  return show.next(request, reply);
}
