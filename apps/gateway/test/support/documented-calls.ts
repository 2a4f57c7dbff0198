import { partner, statusRecord } from './fake-state.ts';
import { at } from './fake-time.ts';
import type { TestGateway } from './gateway.ts';

type Value = { readonly value: unknown };
interface Described {
  readonly operationId: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { examples?: Record<string, Value> }>> };
  readonly responses: Readonly<Record<string, { content?: Record<string, { example?: unknown }> }>>;
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

/** One call that the document shows, as it can be sent. */
export interface DocumentedCall {
  readonly operationId: string;
  readonly shows: string;
  readonly method: string;
  readonly path: string;
  readonly access: 'token' | 'client' | 'none';
  readonly form: boolean;
  /** Of a body that is not JSON as a whole. */
  readonly mediaType: string | undefined;
  readonly body: unknown;
}

/** Every call of a description that has examples, or that needs nothing to be sent. */
export function documentedCalls({ paths }: Document): DocumentedCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => callsOf(method, path, described)),
  );
}

function callsOf(method: string, path: string, described: Described): DocumentedCall[] {
  const { operationId, requestBody } = described;
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const bodies = content
    ? Object.entries(content.examples ?? {})
    : [['as it is', { value: undefined }] as const];
  return bodies.map(([shows, { value: body }]) => ({
    operationId,
    shows,
    method: method.toUpperCase(),
    path: placed(path, described) + queryOf(described),
    access: provesClient(body) ? 'none' : accessOf(described),
    form: mediaType === 'application/x-www-form-urlencoded',
    mediaType: mediaType === 'application/x-ndjson' ? mediaType : undefined,
    body: withSecrets(body),
  }));
}

function placed(path: string, { parameters = [] }: Described): string {
  return parameters
    .filter(({ in: place }) => place === 'path')
    .reduce((text, { name, example = '' }) => text.replace(`{${name}}`, example), path);
}

function queryOf({ parameters = [] }: Described): string {
  const query = new URLSearchParams();
  for (const { name, in: place, example } of parameters)
    if (place === 'query' && example !== undefined) query.set(name, example);
  return query.size === 0 ? '' : `?${query}`;
}

function accessOf({ security }: Described): DocumentedCall['access'] {
  if (security.some((way) => 'oauth' in way)) return 'token';
  return security.length > 0 ? 'client' : 'none';
}

/** What no document can hold: in its place it has words in angle brackets. */
const secrets: Readonly<Record<string, string>> = {
  client_id: partner.clientId,
  client_secret: partner.clientSecret,
  client_assertion: partner.assertion,
};

function provesClient(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(secrets).some((name) => name in body);
}

function withSecrets(body: unknown): unknown {
  if (!provesClient(body)) return body;
  const entries = Object.entries(body as Readonly<Record<string, unknown>>);
  return Object.fromEntries(entries.map(([name, value]) => [name, secrets[name] ?? value]));
}

export const basic = `Basic ${btoa(`${partner.clientId}:${partner.clientSecret}`)}`;

/** Brings the services behind the gateway to where every documented call succeeds. */
export function arrangeSuccess({ state }: TestGateway): void {
  const { requestId, referenceTransaction } = statusRecord();
  state.scopes = ['collector:write', 'manager:write', 'status:read', 'certificates:revoke'];
  state.requestEnds = at;
  state.resent = {
    requestId,
    referenceTransaction,
    status: 'APPROVED',
    validationStatus: 'COMPLETED',
    sentTo: 'm***@e***.com',
    resendCount: 1,
    resendsRemaining: 4,
    linkExpiresAt: at,
    updatedAt: at,
  };
}
