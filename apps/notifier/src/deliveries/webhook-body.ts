import { webhookBodies } from '@rubrica/contracts/rest/webhooks';
import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import type { WebhookEventType } from '@rubrica/contracts/shared/enumerations';

type Event = Pick<
  intakeContract.WebhookEvent,
  'type' | 'requestId' | 'identifierName' | 'referenceTransaction' | 'message' | 'omitPassword'
>;

/** What generation releases for an issued certificate. */
export type Bundle = { file: string; password?: string | undefined; serialNumber: string };

/**
 * The bytes of one event, fixed for all attempts and resends. Exactly the fields of the interface, since
 * strict receivers exist; the shape is checked once more, so that a fault here is found before a partner finds it.
 * @throws when a success event comes without its bundle
 */
export function webhookBody(event: Event, bundle?: Bundle): Buffer {
  if (!Object.hasOwn(bodies, event.type)) throw new Error(`an event of the type ${event.type} has no body`);
  return Buffer.from(JSON.stringify(bodies[event.type](event, bundle)), 'utf8');
}

/** A type without a row does not compile. */
const bodies: Readonly<Record<WebhookEventType, (event: Event, bundle: Bundle | undefined) => object>> = {
  'certificate.issued': issued,
  'request.error': (event) => named(event, webhookBodies['request.error'].parse(failure(event))),
  'request.refused': (event) =>
    named(event, webhookBodies['request.refused'].parse({ ...failure(event), status: 'REFUSED' })),
};

function issued({ referenceTransaction, omitPassword }: Event, bundle: Bundle | undefined) {
  if (bundle === undefined) throw new Error('a certificate.issued event needs its bundle');
  const { file, password, serialNumber } = bundle;
  if (!omitPassword && password === undefined)
    throw new Error('a certificate.issued event needs its password');
  return webhookBodies['certificate.issued'].parse({
    referenceTransaction,
    file,
    ...(omitPassword ? {} : { password }),
    serialNumber,
  });
}

function failure({ requestId, referenceTransaction, message }: Event) {
  return { linkedPartnerRequestId: requestId, referenceTransaction, message: message ?? '' };
}

/** Families other than the linked partner's use the same body under their own identifier's name. */
function named({ identifierName }: Event, body: ReturnType<typeof failure>) {
  const { linkedPartnerRequestId, ...rest } = body;
  return { [identifierName]: linkedPartnerRequestId, ...rest };
}
