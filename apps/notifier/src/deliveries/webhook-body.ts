import { type WebhookEventType, webhookBodies, webhookEvents } from '@rubrica/contracts/rest/webhooks';
import type * as eventsContract from '@rubrica/contracts/services/schemas/events';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import { z } from 'zod';

type Event = Pick<
  eventsContract.WebhookEvent,
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
  if (!Object.hasOwn(webhookEvents, event.type))
    throw new Error(`an event of the type ${event.type} has no body`);
  const { namesRequest, fields } = webhookEvents[event.type];
  const body = webhookBodies[event.type].parse({
    ...(namesRequest && { [identifierNames.TV]: event.requestId }),
    referenceTransaction: event.referenceTransaction,
    ...Object.fromEntries(
      Object.entries<z.ZodType>(fields).map(([name, schema]) => [
        name,
        schema instanceof z.ZodLiteral ? schema.value : values[name as FieldName](event, bundle),
      ]),
    ),
  });
  return Buffer.from(JSON.stringify(namesRequest ? named(event, body) : body), 'utf8');
}

/** A literal says its value itself. */
type Told<Of> = Of extends Of
  ? { [Name in keyof Of]: Of[Name] extends z.ZodLiteral ? never : Name }[keyof Of]
  : never;
type FieldName = Told<(typeof webhookEvents)[WebhookEventType]['fields']>;

/** What each field of a body says. An event with a field that has no row here does not compile. */
const values: Readonly<Record<FieldName, (event: Event, bundle: Bundle | undefined) => string | undefined>> =
  {
    message: (event) => event.message ?? '',
    file: (event, bundle) => needed(event, bundle).file,
    password: passwordOf,
    serialNumber: (event, bundle) => needed(event, bundle).serialNumber,
  };

function needed({ type }: Event, bundle: Bundle | undefined): Bundle {
  if (bundle === undefined) throw new Error(`a ${type} event needs its bundle`);
  return bundle;
}

function passwordOf(event: Event, bundle: Bundle | undefined): string | undefined {
  if (event.omitPassword) return undefined;
  const { password } = needed(event, bundle);
  if (password === undefined) throw new Error(`a ${event.type} event needs its password`);
  return password;
}

/** Families other than the linked partner's use the same body under their own identifier's name. */
function named({ identifierName }: Event, { [identifierNames.TV]: id, ...rest }: Record<string, unknown>) {
  return { [identifierName]: id, ...rest };
}
