import { webhookBodies } from '@rubrica/contracts/rest/webhooks';
import type * as intakeContract from '@rubrica/contracts/services/schemas/intake';

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
  const body = event.type === 'certificate.issued' ? issued(event, bundle) : failure(event);
  return Buffer.from(JSON.stringify(body), 'utf8');
}

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

/** Families other than the linked partner's use the same body under their own identifier's name. */
function failure({ type, identifierName, requestId, referenceTransaction, message }: Event) {
  const fields = {
    linkedPartnerRequestId: requestId,
    referenceTransaction,
    ...(type === 'request.refused' && { status: 'REFUSED' }),
    message: message ?? '',
  };
  const { linkedPartnerRequestId, ...rest } =
    type === 'request.refused'
      ? webhookBodies['request.refused'].parse(fields)
      : webhookBodies['request.error'].parse(fields);
  return { [identifierName]: linkedPartnerRequestId, ...rest };
}
