import { type WebhookEventType, webhookBodies, webhookEvents } from '@rubrica/contracts/rest/webhooks';
import type * as eventsContract from '@rubrica/contracts/services/schemas/events';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import { formatLocalDateTime } from '@rubrica/process/time';
import { z } from 'zod';
import { wrapWebhookBody } from '../../signing/envelope.ts';

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

/** Bundle that generation releases for an issued certificate. */
export type Bundle = { file: string; password?: string | undefined; serialNumber: string };

/**
 * Builds the bytes of one event, identical for all attempts and resends. The body has exactly the fields of the
 * interface, because some receivers are strict. The shape is validated again, so that a fault shows here before a
 * partner sees it.
 * @throws when a success event comes without its bundle
 */
export function buildWebhookBody(event: Event, options: BodyOptions): Buffer {
  const body = buildBody(event, options);
  return Buffer.from(
    JSON.stringify(event.envelope ? wrapInEnvelope(event, body, options.timeZone) : body),
    'utf8',
  );
}

export interface BodyOptions {
  readonly bundle?: Bundle | undefined;
  readonly timeZone: string;
}

function buildBody(event: Event, { bundle, timeZone }: BodyOptions): Record<string, unknown> {
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
  return namesRequest ? renameIdentifier(event, body) : body;
}

/** Wraps the body with its type, and for an error its code, so that a receiver need not infer them from the fields. */
function wrapInEnvelope(event: Event, body: Record<string, unknown>, timeZone: string): object {
  const { type, eventId: id, occurredAt } = event;
  const code = getFaultCode(event);
  const data = code === null ? body : { ...body, code };
  return wrapWebhookBody({ type, id, occurredAt: new Date(occurredAt), data }, timeZone);
}

/** Returns the fault code of an event; null where it reports no fault. */
export function getFaultCode({ type, code }: Pick<Event, 'type' | 'code'>): ErrorCode | null {
  return 'message' in webhookEvents[type].fields ? (code ?? 'INTERNAL_ERROR') : null;
}

/** Names of fields without a literal value; a literal is its own value. */
type ValueFields<Fields> = Fields extends Fields
  ? { [Name in keyof Fields]: Fields[Name] extends z.ZodLiteral ? never : Name }[keyof Fields]
  : never;
type FieldName = ValueFields<(typeof webhookEvents)[WebhookEventType]['fields']>;

type Value = (event: Event, options: BodyOptions) => string | number | null | undefined;

/** Value of each field of a body. An event with a field that has no row here does not compile. */
const values: Readonly<Record<FieldName, Value>> = {
  message: (event) => event.message ?? '',
  file: (event, { bundle }) => requireBundle(event, bundle).file,
  password: (event, { bundle }) => getPassword(event, bundle),
  serialNumber: (event, { bundle }) => (event.certificate ?? requireBundle(event, bundle)).serialNumber,
  notAfter: (event, { timeZone }) => formatTime(event.certificate?.notAfter, timeZone),
  daysLeft: (event) => event.certificate?.daysLeft,
  revocationReason: (event) => event.certificate?.revocationReason,
  revokedAt: (event, { timeZone }) => formatTime(event.certificate?.revokedAt, timeZone),
};

function formatTime(at: string | null | undefined, timeZone: string): string | undefined {
  return at ? formatLocalDateTime(new Date(at), timeZone) : undefined;
}

function requireBundle({ type }: Event, bundle: Bundle | undefined): Bundle {
  if (bundle === undefined) throw new Error(`a ${type} event needs its bundle`);
  return bundle;
}

function getPassword(event: Event, bundle: Bundle | undefined): string | undefined {
  if (event.omitPassword) return undefined;
  const { password } = requireBundle(event, bundle);
  if (password === undefined) throw new Error(`a ${event.type} event needs its password`);
  return password;
}

/** Renames the identifier: other families use the linked partner's body under their own identifier name. */
function renameIdentifier(
  { identifierName }: Event,
  { [identifierNames.TV]: id, ...rest }: Record<string, unknown>,
) {
  return { [identifierName]: id, ...rest };
}
