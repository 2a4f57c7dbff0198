import { type WebhookBodies, webhookFields } from '../api.ts';

/** Name of the request identifier in each family. */
export type IdentifierName =
  | 'linkedPartnerRequestId'
  | 'requestId'
  | 'transactionalRequestId'
  | 'simplifiedRequestId'
  | 'signatureRequestId';

export interface Delivered {
  /** Id of the event, the same at every attempt. */
  readonly id: string;
  /** Time of this attempt. */
  readonly timestamp: Date;
  /** Time of the event, in the time zone of the service; present if your setting `envelope` is on. */
  readonly occurredAt?: string;
}

/**
 * Event of a request. The body identifies it under its family's name; `requestId` has the same value for every family.
 */
interface RequestEvent<Type extends keyof WebhookBodies> extends Delivered {
  readonly type: Type;
  readonly requestId: string;
  /**
   * Code of the error catalogue: from the envelope, if your setting `envelope` is on, otherwise from the header
   * `x-rubrica-code`, which is not signed. Undefined if neither contains it.
   */
  readonly code?: string;
  readonly body: Omit<WebhookBodies[Type], IdentifierName> & { readonly [Name in IdentifierName]?: string };
}

type TypedEvent<Type extends keyof WebhookBodies> = WebhookBodies[Type] extends {
  linkedPartnerRequestId: string;
}
  ? RequestEvent<Type>
  : Delivered & { readonly type: Type; readonly body: WebhookBodies[Type] };

/**
 * Event of a webhook. Its type is determined by signed content, never by the header `x-rubrica-event`, which is not
 * signed.
 */
export type WebhookEvent =
  | { [Type in keyof WebhookBodies]: TypedEvent<Type> }[keyof WebhookBodies]
  /** Test call: answer 2xx and do nothing. */
  | (Delivered & { readonly type: 'ping'; readonly body: Record<string, never> })
  /**
   * Signed like the others, but the body matches no event known to this version: answer 2xx, or install a newer
   * version.
   */
  | (Delivered & { readonly type: 'unknown'; readonly body: Fields });

type Fields = Readonly<Record<string, unknown>>;

interface Row {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Fields that are numbers; the others are text. */
  readonly numbers: readonly string[];
  readonly fixed: Readonly<Record<string, string>>;
}

const rows = Object.entries<Row>(webhookFields);

/**
 * Determines the event: the type that an envelope names, otherwise the one whose body has exactly these fields.
 * Undefined if the payload is not a JSON object.
 * @param codeHeader `x-rubrica-code`, for events without an envelope
 */
export function parseWebhookEvent(
  delivered: Delivered,
  payload: Uint8Array,
  codeHeader: string | undefined,
): WebhookEvent | undefined {
  const body = parse(payload);
  if (body === undefined) return undefined;
  if (isEnvelope(body)) return namedEvent(delivered, body);
  const event = recogniseEvent(delivered, body);
  const code = codeHeader !== undefined && /^[A-Z][A-Z0-9_]*$/.test(codeHeader) ? codeHeader : undefined;
  return code !== undefined && 'requestId' in event ? { ...event, code } : event;
}

interface Envelope extends Fields {
  readonly type: string;
  readonly id: string;
  readonly occurredAt: string;
  readonly data: Fields;
}

const envelopeFields = ['type', 'id', 'occurredAt', 'data'];

/** Recognises an envelope: no plain body has these four fields and no other. */
function isEnvelope(body: Fields): body is Envelope {
  const { type, id, occurredAt, data } = body;
  return (
    Object.keys(body).length === envelopeFields.length &&
    [type, id, occurredAt].every((value) => typeof value === 'string') &&
    isObject(data)
  );
}

function namedEvent(delivered: Delivered, whole: Envelope): WebhookEvent {
  const { type, id, occurredAt, data } = whole;
  const told = { ...delivered, occurredAt };
  if (id !== delivered.id) return { ...told, type: 'unknown', body: whole };
  if (type === 'ping') return { ...told, type, body: {} };
  const { code, ...body } = data;
  const event = recogniseEvent(told, body);
  if (event.type !== type) return { ...told, type: 'unknown', body: whole };
  return typeof code === 'string' ? ({ ...event, code } as WebhookEvent) : event;
}

function recogniseEvent(delivered: Delivered, body: Fields): WebhookEvent {
  if (Object.keys(body).length === 0) return { ...delivered, type: 'ping', body: {} };
  const named = Object.entries(body).filter(([name]) => isIdentifier(name));
  const others = Object.entries(body).filter(([name]) => !isIdentifier(name));
  // The table has the linked partner's bodies; the others differ only in the name of the identifier.
  const fields = new Map([...named.map(([, value]) => [model, value] as const), ...others]);
  const [type] = (named.length < 2 && rows.find(([, row]) => matches(fields, row))) || [];
  if (type === undefined) return { ...delivered, type: 'unknown', body };
  const event =
    named.length === 0
      ? { ...delivered, type, body }
      : { ...delivered, type, requestId: fields.get(model), body };
  return event as unknown as WebhookEvent;
}

const model = 'linkedPartnerRequestId';

/** Tells whether a field is an identifier, including those of families that are newer than this version. */
function isIdentifier(name: string): boolean {
  return /^requestId$|RequestId$/.test(name);
}

function matches(fields: ReadonlyMap<string, unknown>, { required, optional, numbers, fixed }: Row): boolean {
  const known = new Set([...required, ...optional]);
  const expectedType = (name: string) => (numbers.includes(name) ? 'number' : 'string');
  return (
    required.every((name) => fields.has(name)) &&
    [...fields].every(([name, value]) => known.has(name) && typeof value === expectedType(name)) &&
    Object.entries(fixed).every(([name, value]) => fields.get(name) === value)
  );
}

function parse(payload: Uint8Array): Fields | undefined {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(payload));
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
