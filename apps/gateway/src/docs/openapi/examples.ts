import type { OperationId, operations } from '@rubrica/contracts/rest/operations';
import type { webhookBodies } from '@rubrica/contracts/rest/webhooks';
import type { WebhookEventType } from '@rubrica/contracts/shared/enumerations';
import type { z } from 'zod';
import { apiFlowExamples } from './examples/api-flow.ts';
import { password, references, validity } from './examples/applicant.ts';
import { certificatesAndTermsExamples } from './examples/certificates-and-terms.ts';
import type { ExamplesOf } from './examples/example.ts';
import { beginningOfPkcs12 } from './examples/files.ts';
import { linkedPartnerExamples } from './examples/linked-partner.ts';
import { referenceExamples } from './examples/reference-lists.ts';
import { regularExamples } from './examples/regular.ts';
import { simplifiedExamples } from './examples/simplified.ts';
import { transactionalExamples } from './examples/transactional.ts';
import type { Json, JsonObject } from './schemas.ts';

const table = {
  ...linkedPartnerExamples,
  ...regularExamples,
  ...transactionalExamples,
  ...simplifiedExamples,
  ...apiFlowExamples,
  ...certificatesAndTermsExamples,
  ...referenceExamples,
} satisfies ExamplesOf<typeof operations>;

/** An example as JSON: what may be sent, by what it shows, and an answer. */
export interface Example {
  readonly bodies?: Readonly<Record<string, JsonObject>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly answer: Json;
}

/** Sent to the gateway by a test; the first body of an operation is what most callers send. */
export const examples: Readonly<Record<OperationId, Example>> = table;

const failed = {
  linkedPartnerRequestId: linkedPartnerExamples.registerLinkedPartner.answer.linkedPartnerRequestId,
  referenceTransaction: references.linkedPartner,
} as const;

export const webhookExamples = {
  'certificate.issued': {
    referenceTransaction: references.linkedPartner,
    file: beginningOfPkcs12,
    password,
    serialNumber: validity.serialNumber,
  },
  'request.error': { ...failed, message: 'The fingerprint code does not match the registry' },
  'request.refused': { ...failed, status: 'REFUSED', message: 'The applicant is under age' },
} as const satisfies { readonly [Type in WebhookEventType]: z.input<(typeof webhookBodies)[Type]> };
