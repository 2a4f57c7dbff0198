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
}

/** The body names the request as its family does; `requestId` is the same whatever the name. */
interface OfRequest<Type extends keyof WebhookBodies> extends Delivered {
  readonly type: Type;
  readonly requestId: string;
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
  readonly fixed: Readonly<Record<string, string>>;
}

const rows = Object.entries<Row>(webhookFields);

/** The event whose body has exactly these fields; undefined where the payload is no JSON object. */
export function eventOf(delivered: Delivered, payload: Uint8Array): WebhookEvent | undefined {
  const body = parse(payload);
  if (body === undefined) return undefined;
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

function fits(fields: ReadonlyMap<string, unknown>, { required, optional, fixed }: Row): boolean {
  const known = new Set([...required, ...optional]);
  return (
    required.every((name) => fields.has(name)) &&
    [...fields].every(([name, value]) => known.has(name) && typeof value === 'string') &&
    Object.entries(fixed).every(([name, value]) => fields.get(name) === value)
  );
}

function parse(payload: Uint8Array): Fields | undefined {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(payload));
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : undefined;
  } catch {
    return undefined;
  }
}
