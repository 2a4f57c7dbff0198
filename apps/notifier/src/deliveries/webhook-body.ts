import { type WebhookEventType, webhookBodies, webhookEvents } from '@rubrica/contracts/rest/webhooks';
import type * as eventsContract from '@rubrica/contracts/services/schemas/events';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import { formatLocalDateTime } from '@rubrica/process';
import { z } from 'zod';
import { envelope } from '../signing/envelope.ts';

type Event = Pick<
  eventsContract.WebhookEvent,
  | 'type'
  | 'eventId'
  | 'requestId'
  | 'identifierName'
  | 'referenceTransaction'
  | 'message'
  | 'code'
  | 'envelope'
  | 'omitPassword'
  | 'occurredAt'
  | 'certificate'
>;

/** What generation releases for an issued certificate. */
export type Bundle = { file: string; password?: string | undefined; serialNumber: string };

/**
 * The bytes of one event, fixed for all attempts and resends. Exactly the fields of the interface, since
 * strict receivers exist; the shape is checked once more, so that a fault here is found before a partner finds it.
 * @throws when a success event comes without its bundle
 */
export function webhookBody(event: Event, options: BodyOptions): Buffer {
  const body = bodyOf(event, options);
  return Buffer.from(
    JSON.stringify(event.envelope ? inEnvelope(event, body, options.timeZone) : body),
    'utf8',
  );
}

export interface BodyOptions {
  readonly bundle?: Bundle | undefined;
  readonly timeZone: string;
}

function bodyOf(event: Event, { bundle, timeZone }: BodyOptions): Record<string, unknown> {
  if (!Object.hasOwn(webhookEvents, event.type))
    throw new Error(`an event of the type ${event.type} has no body`);
  const { namesRequest, fields } = webhookEvents[event.type];
  const body = webhookBodies[event.type].parse({
    ...(namesRequest && { [identifierNames.TV]: event.requestId }),
    referenceTransaction: event.referenceTransaction,
    ...Object.fromEntries(
      Object.entries<z.ZodType>(fields).map(([name, schema]) => [
        name,
        schema instanceof z.ZodLiteral
          ? schema.value
          : values[name as FieldName](event, { bundle, timeZone }),
      ]),
    ),
  });
  return namesRequest ? named(event, body) : body;
}

/** What was signed says its type, and of an error its code: nothing has to be guessed by the fields. */
function inEnvelope(event: Event, body: Record<string, unknown>, timeZone: string): object {
  const { type, eventId: id, occurredAt } = event;
  const code = faultCode(event);
  const data = code === null ? body : { ...body, code };
  return envelope({ type, id, occurredAt: new Date(occurredAt), data }, timeZone);
}

/** Code of the fault that an event tells of; null where it tells of none. */
export function faultCode({ type, code }: Pick<Event, 'type' | 'code'>): ErrorCode | null {
  return 'message' in webhookEvents[type].fields ? (code ?? 'INTERNAL_ERROR') : null;
}

/** A literal says its value itself. */
type Told<Of> = Of extends Of
  ? { [Name in keyof Of]: Of[Name] extends z.ZodLiteral ? never : Name }[keyof Of]
  : never;
type FieldName = Told<(typeof webhookEvents)[WebhookEventType]['fields']>;

type Value = (event: Event, options: BodyOptions) => string | number | null | undefined;

/** What each field of a body says. An event with a field that has no row here does not compile. */
const values: Readonly<Record<FieldName, Value>> = {
  message: (event) => event.message ?? '',
  file: (event, { bundle }) => needed(event, bundle).file,
  password: (event, { bundle }) => passwordOf(event, bundle),
  serialNumber: (event, { bundle }) => (event.certificate ?? needed(event, bundle)).serialNumber,
  notAfter: (event, { timeZone }) => local(event.certificate?.notAfter, timeZone),
  daysLeft: (event) => event.certificate?.daysLeft,
  revocationReason: (event) => event.certificate?.revocationReason,
  revokedAt: (event, { timeZone }) => local(event.certificate?.revokedAt, timeZone),
};

function local(at: string | null | undefined, timeZone: string): string | undefined {
  return at ? formatLocalDateTime(new Date(at), timeZone) : undefined;
}

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
