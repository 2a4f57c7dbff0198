import {
  type WebhookEventType,
  webhookBodies,
  webhookBodiesByFamily,
  webhookEnvelopesByFamily,
  webhookEvents,
  webhookEventTypes,
} from '@rubrica/contracts/rest/webhooks';
import { families } from '@rubrica/contracts/shared/enumerations';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import { webhookExamples } from './examples.ts';
import type { JsonObject } from './json.ts';
import type { Schemas } from './schemas.ts';

const headers = [
  ['webhook-id', 'Equal at every attempt of an event: use it to recognise repeats'],
  ['webhook-timestamp', 'Seconds since 1970 of this attempt'],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; with a key pair also `v1a,` and its Ed25519 signature; separated by spaces, several during a rotation',
  ],
  [
    'x-rubrica-event',
    'Type of the event; `ping`, with the body `{}` (in an envelope: as its `data`), is a test call: answer 2xx and do nothing',
  ],
  ['x-rubrica-occurred-at', 'Time of the event; the order of calls is not guaranteed'],
  ['x-rubrica-renewal-of', 'Renewals only: `referenceTransaction` of the previous request'],
] as const;
const optionalHeaders: readonly string[] = ['x-rubrica-renewal-of'];
const codeHeader = [
  'x-rubrica-code',
  'Code of the fault from the error catalogue: decide by it, not by the text of `message`',
] as const;

/** Describes the calls to a partner's `callbackUrl`. */
export function describeWebhooks(schemas: Schemas): JsonObject {
  return Object.fromEntries(webhookEventTypes.map((type) => [type, { post: describe(type, schemas) }]));
}

const ownNames = families
  .filter((family) => family !== 'TV')
  .map((family) => `\`${identifierNames[family]}\``)
  .join(', ');

const otherNames = `Requests of other families have their own identifier instead of \`linkedPartnerRequestId\`: ${ownNames}.`;
const inEnvelopes =
  'Partners with the setting `envelope` receive `{"type","id","occurredAt","data"}`, where `data` is that body, with `code` beside `message` in errors and refusals.';

/**
 * Describes the body. Each family has a strict schema. They differ only in the name of the identifier, which linters
 * cannot see within an envelope; therefore `anyOf`.
 */
function describeBody(type: WebhookEventType, schemas: Schemas): JsonObject {
  const { namesRequest } = webhookEvents[type];
  const plain = namesRequest
    ? families.map((family) => webhookBodiesByFamily[family][type])
    : [webhookBodies[type]];
  const enveloped = namesRequest
    ? families.map((family) => webhookEnvelopesByFamily[family][type])
    : [webhookEnvelopesByFamily.TV[type]];
  return { anyOf: [...plain, ...enveloped].map((schema) => schemas.use(schema, 'output')) };
}

function listHeaders(type: WebhookEventType): readonly (readonly [name: string, description: string])[] {
  return 'message' in webhookEvents[type].fields ? [...headers, codeHeader] : headers;
}

function describe(type: WebhookEventType, schemas: Schemas): JsonObject {
  const { summary, namesRequest } = webhookEvents[type];
  return {
    tags: ['Webhooks'],
    summary,
    description: namesRequest ? `${otherNames} ${inEnvelopes}` : inEnvelopes,
    // The receiver checks the signature; the caller sends no other credentials.
    security: [],
    operationId: `on${type.replace(/(^|\.)([a-z])/g, (_all, _dot, letter: string) => letter.toUpperCase())}`,
    parameters: listHeaders(type).map(([name, description]) => ({
      name,
      in: 'header',
      required: !optionalHeaders.includes(name),
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: describeBody(type, schemas),
          example: webhookExamples[type],
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'Accepted. After any other answer, or none within 15 s, the call is repeated, up to ten attempts',
      },
      '410': { description: 'No longer wanted: no further attempt is made' },
    },
  };
}
