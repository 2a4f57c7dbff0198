import { createCatalogueText, createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { Message } from '@rubrica/contracts/messages/messages';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import type { MessageOutcome } from '@rubrica/wiring';
import { findUncertifiable } from '../../base/certified-text.ts';
import type { RequestsDeps } from '../deps.ts';
import { familyPlans, toBodyName } from '../request/family-plans.ts';
import { FalseEvent, findCertificate } from '../request/status/find-certificate.ts';
import {
  type EndGenerationDeps,
  endGeneration,
  type FailureReason,
  findGenerating,
  type Generating,
} from './end-generation.ts';

type Failed = Message<'events.certificate.failed'>;

/**
 * Codes of failures that generation may report. Other codes would let the partner change data that intake has
 * checked.
 */
const generationCodes: readonly ErrorCode[] = [
  'KEY_GENERATION_FAILED',
  'CERTIFICATE_LINT_FAILED',
  'CERTIFICATE_SIGNING_FAILED',
  'P12_PACKAGING_FAILED',
  'APPOINTMENT_EXPIRED',
  'INTERNAL_ERROR',
];

/** Records that an attempt has ended without a certificate, unless generation's register has one. */
export function createRecordFailed(deps: EndGenerationDeps & Pick<RequestsDeps, 'clock' | 'peers'>) {
  return async (event: Failed): Promise<MessageOutcome> => {
    const request = await findGenerating(deps.database, event);
    if (!request) return undefined;
    const certificate = await findCertificate(deps, request);
    const isCertified = certificate !== null && certificate.status !== 'REVOKED';
    if (isCertified || !generationCodes.includes(event.code)) return { never: new FalseEvent(request.id) };
    const reason = explainFailure(event, request);
    await endGeneration(request, { trigger: 'failGeneration', reason, now: deps.clock() }, deps);
    return undefined;
  };
}

/** Explains a failure. Names the fields that a certificate cannot hold, if they caused the failed lint. */
function explainFailure({ code }: Failed, { family, details }: Generating): FailureReason {
  const text = createCatalogueText(code);
  const failed = { code, text, failedStep: 'generation' } as const;
  const found = code === 'CERTIFICATE_LINT_FAILED' ? findUncertifiable(details) : [];
  if (found.length === 0) return failed;
  const named = found.map((fault) => ({ ...fault, field: toBodyName(family, fault.field) }));
  // Fields that a mismatch of names lets the partner correct: none in other families, and none of a company.
  const correctable = familyPlans[family].correctable.NAME_MISMATCH ?? [];
  return {
    ...failed,
    text: createText('request.sentences', {
      texts: [text, ...named.map(({ field, expectation }) => createFieldText(field, expectation))],
    }),
    fields: named.map(({ field }) => field).filter((field) => correctable.includes(field)),
  };
}
