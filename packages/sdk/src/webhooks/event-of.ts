import { type WebhookBodies, webhookFields } from '../api.ts';

/** How each family calls its request. */
export type IdentifierName =
  | 'linkedPartnerRequestId'
  | 'requestId'
  | 'transactionalRequestId'
  | 'simplifiedRequestId'
  | 'signatureRequestId';

export interface Delivered {
  /** The same at every attempt of an event. */
  readonly id: string;
  /** Of this attempt. */
  readonly timestamp: Date;
  /** Of the event, in the time zone of the service; where your setting `envelope` is on. */
  readonly occurredAt?: string;
}

/** The body names the request as its family does; `requestId` is the same whatever the name. */
interface OfRequest<Type extends keyof WebhookBodies> extends Delivered {
  readonly type: Type;
  readonly requestId: string;
  /**
   * Of the error catalogue: from the envelope, where your setting `envelope` is on, else from the header
   * `x-rubrica-code`, which is not signed. Absent where neither says it.
   */
  readonly code?: string;
  readonly body: Omit<WebhookBodies[Type], IdentifierName> & { readonly [Name in IdentifierName]?: string };
}

type EventOf<Type extends keyof WebhookBodies> = WebhookBodies[Type] extends {
  linkedPartnerRequestId: string;
}
  ? OfRequest<Type>
  : Delivered & { readonly type: Type; readonly body: WebhookBodies[Type] };

/** Told apart by what was signed, never by the header `x-rubrica-event`, which is not. */
export type WebhookEvent =
  | { [Type in keyof WebhookBodies]: EventOf<Type> }[keyof WebhookBodies]
  /** A test call: answer 2xx and do nothing. */
  | (Delivered & { readonly type: 'ping'; readonly body: Record<string, never> })
  /** Signed as the others, but its body is of no event that this version knows: answer 2xx, or take a newer version. */
  | (Delivered & { readonly type: 'unknown'; readonly body: Fields });

type Fields = Readonly<Record<string, unknown>>;

interface Row {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Those that are numbers; the others are text. */
  readonly numbers: readonly string[];
  readonly fixed: Readonly<Record<string, string>>;
}

const rows = Object.entries<Row>(webhookFields);

/**
 * The event that an envelope names, or else the one whose body has exactly these fields; undefined where the payload is
 * no JSON object.
 * @param codeHeader `x-rubrica-code`, for events without an envelope
 */
export function eventOf(
  delivered: Delivered,
  payload: Uint8Array,
  codeHeader: string | undefined,
): WebhookEvent | undefined {
  const body = parse(payload);
  if (body === undefined) return undefined;
  if (isEnvelope(body)) return namedEvent(delivered, body);
  const event = recognised(delivered, body);
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

/** No plain body has these four fields and no other. */
function isEnvelope(body: Fields): body is Envelope {
  const { type, id, occurredAt, data } = body;
  return (
    Object.keys(body).length === envelopeFields.length &&
    [type, id, occurredAt].every((one) => typeof one === 'string') &&
    isObject(data)
  );
}

function namedEvent(delivered: Delivered, whole: Envelope): WebhookEvent {
  const { type, id, occurredAt, data } = whole;
  const told = { ...delivered, occurredAt };
  if (id !== delivered.id) return { ...told, type: 'unknown', body: whole };
  if (type === 'ping') return { ...told, type, body: {} };
  const { code, ...body } = data;
  const event = recognised(told, body);
  if (event.type !== type) return { ...told, type: 'unknown', body: whole };
  return typeof code === 'string' ? ({ ...event, code } as WebhookEvent) : event;
}

function recognised(delivered: Delivered, body: Fields): WebhookEvent {
  if (Object.keys(body).length === 0) return { ...delivered, type: 'ping', body: {} };
  const named = Object.entries(body).filter(([name]) => isIdentifier(name));
  const others = Object.entries(body).filter(([name]) => !isIdentifier(name));
  // The table has the linked partner's bodies; in the others the identifier alone has another name.
  const fields = new Map([...named.map(([, value]) => [model, value] as const), ...others]);
  const [type] = (named.length < 2 && rows.find(([, row]) => fits(fields, row))) || [];
  if (type === undefined) return { ...delivered, type: 'unknown', body };
  const event =
    named.length === 0
      ? { ...delivered, type, body }
      : { ...delivered, type, requestId: fields.get(model), body };
  return event as unknown as WebhookEvent;
}

const model = 'linkedPartnerRequestId';

/** Also of a family that is younger than this version. */
function isIdentifier(name: string): boolean {
  return /^requestId$|RequestId$/.test(name);
}

function fits(fields: ReadonlyMap<string, unknown>, { required, optional, numbers, fixed }: Row): boolean {
  const known = new Set([...required, ...optional]);
  const kindOf = (name: string) => (numbers.includes(name) ? 'number' : 'string');
  return (
    required.every((name) => fields.has(name)) &&
    [...fields].every(([name, value]) => known.has(name) && typeof value === kindOf(name)) &&
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
