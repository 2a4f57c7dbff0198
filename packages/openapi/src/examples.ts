import type { OperationId, operations } from '@rubrica/contracts/rest/operations';
import { type WebhookEventType, webhookEvents, webhookEventTypes } from '@rubrica/contracts/rest/webhooks';
import { apiFlowExamples } from './examples/api-flow.ts';
import { references } from './examples/applicant.ts';
import { certificatesAndTermsExamples } from './examples/certificates-and-terms.ts';
import { dryRunExamples } from './examples/dry-runs.ts';
import type { OperationExamples } from './examples/example.ts';
import { linkedPartnerExamples } from './examples/linked-partner.ts';
import { listExamples } from './examples/lists.ts';
import { referenceExamples } from './examples/reference-lists.ts';
import { regularExamples } from './examples/regular.ts';
import { simplifiedExamples } from './examples/simplified.ts';
import { transactionalExamples } from './examples/transactional.ts';
import type { Json, JsonObject } from './json.ts';

const table = {
  ...linkedPartnerExamples,
  ...regularExamples,
  ...transactionalExamples,
  ...simplifiedExamples,
  ...apiFlowExamples,
  ...certificatesAndTermsExamples,
  ...dryRunExamples,
  ...listExamples,
  ...referenceExamples,
} satisfies OperationExamples<typeof operations>;

/** Example as JSON: bodies by the case that they show, and an answer. */
export interface Example {
  readonly bodies?: Readonly<Record<string, JsonObject>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly answer: Json;
}

/** Examples, which a test sends to the gateway; the first body of an operation is the most common one. */
export const examples: Readonly<Record<OperationId, Example>> = table;

const { linkedPartnerRequestId } = linkedPartnerExamples.registerLinkedPartner.answer;
const { linkedPartner: referenceTransaction } = references;

function createWebhookExample(type: WebhookEventType): JsonObject {
  const { namesRequest, example } = webhookEvents[type];
  const rest = { referenceTransaction, ...example };
  return namesRequest ? { linkedPartnerRequestId, ...rest } : rest;
}

/** Bodies of the linked partner; the table of events contains the parts of each event. */
export const webhookExamples = Object.fromEntries(
  webhookEventTypes.map((type) => [type, createWebhookExample(type)]),
) as Readonly<Record<WebhookEventType, JsonObject>>;
