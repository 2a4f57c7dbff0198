import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import {
  makeIdentityValidation,
  makeLinkedPartnerRequest,
  makeRegularRequest,
  makeSignatureRequest,
  makeSimplifiedRequest,
  makeTransactionalRequest,
} from '@rubrica/testkit';
import type { Exhibits } from './exhibits.ts';
import { createSample } from './sample.ts';

/** A correct or almost correct call, to be damaged. */
export interface SoundCall {
  readonly name: string;
  readonly method: string;
  /** Encoded path, with a leading slash. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body:
    | { readonly kind: 'none' }
    /** `lines`: one line of a body of lines. */
    | { readonly kind: 'json' | 'lines'; readonly value: unknown }
    | { readonly kind: 'form'; readonly value: Readonly<Record<string, string>> }
    | { readonly kind: 'bytes'; readonly value: Buffer };
}

const none = { kind: 'none' } as const;
const get = (path: string, rest: Partial<SoundCall> = {}): SoundCall => ({
  name: `GET ${path}`,
  method: 'GET',
  path,
  query: [],
  headers: [],
  body: none,
  ...rest,
});

/** Lists calls of every public route, most of them with several that end differently. */
export function soundCalls(exhibits: Exhibits): SoundCall[] {
  return [
    ...(Object.entries(operations) as [OperationId, Operation][]).flatMap(([id, operation]) =>
      operationCalls(id, operation, exhibits),
    ),
    ...(Object.keys(operatorProcedures) as OperatorPath[]).flatMap((path) => operatorCalls(path, exhibits)),
    ...tokenCalls(exhibits),
    ...claimCalls(exhibits),
    ...livenessCalls(exhibits),
    ...fileCalls(exhibits),
  ];
}

function operationCalls(id: OperationId, operation: Operation, exhibits: Exhibits): SoundCall[] {
  if (id === 'token') return [];
  const headers = [['authorization', `Bearer ${exhibits.partnerToken}`] as const];
  const { method, path } = operation;
  return exhibits.requests.map((request) => {
    const known = {
      ...Object.fromEntries(Object.values(identifierNames).map((name) => [name, request.id])),
      referenceTransaction: request.reference,
      livenessSessionId: exhibits.livenessSession,
      serialNumber: exhibits.serialNumber,
      callbackUrl: 'http://127.0.0.1:9/webhooks',
    };
    const query = toTexts(operation.query && createSample(operation.query, { known }));
    const made = bodies[id]?.(exhibits);
    const value = made ?? (operation.body && createSample(operation.body, { known, isShort: true }));
    const identified = made === undefined ? { ...findIdentifier(operation, known), ...(value ?? {}) } : value;
    const kind = operation.mediaType === 'application/x-ndjson' ? 'lines' : 'json';
    const body = operation.body === undefined ? none : ({ kind, value: identified } as const);
    return { name: id, method, path, query: Object.entries(query), headers, body };
  });
}

const bodies: { readonly [Id in OperationId]?: (exhibits: Exhibits) => object } = {
  registerLinkedPartner: () => makeLinkedPartnerRequest(),
  registerLinkedPartnerBatch: () => makeLinkedPartnerRequest(),
  registerRegular: () => makeRegularRequest(),
  registerSimplified: () => makeSimplifiedRequest(),
  registerTransactional: () => makeTransactionalRequest(),
  requestSignature: ({ termsId }) => makeSignatureRequest(termsId),
  validateIdentity: ({ requests }) => makeIdentityValidation(requests.at(-1)?.id ?? ''),
};

function findIdentifier({ body }: Operation, known: Readonly<Record<string, unknown>>): object {
  const names = Object.keys(body?.shape ?? {}).filter((name) => name in known);
  return Object.fromEntries(names.map((name) => [name, known[name]]));
}

function toTexts(value: unknown): Record<string, string> {
  const fields = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>);
  return Object.fromEntries(fields.map(([name, one]) => [name, String(one)]));
}

function operatorCalls(path: OperatorPath, exhibits: Exhibits): SoundCall[] {
  const { kind, input }: OperatorProcedure = operatorProcedures[path];
  const headers = [['authorization', `Bearer ${exhibits.operatorToken}`] as const];
  const shapes = [true, false].flatMap((isShort) =>
    exhibits.requests.slice(0, 3).map((request) => {
      const known = {
        requestId: request.id,
        evidenceId: exhibits.evidenceId,
        identificationNumber: exhibits.identificationNumber,
        // Changes of a partner must not affect the one whose token the other calls use.
        partnerId: exhibits.otherPartnerId,
        ...(path.startsWith('partners.') ? { id: exhibits.otherPartnerId } : {}),
        ...(path.startsWith('certificates.') ? { id: undefined } : {}),
        serialNumber: exhibits.serialNumber,
        cursor: undefined,
        expiresAt: new Date(Date.now() + DAY_MS).toISOString(),
        from: '2026-01-01T00:00:00Z',
        limit: 3,
      };
      return createSample(input, { known, isShort });
    }),
  );
  return shapes.map((value) => {
    const call = { name: path, headers, path: `/trpc/${path}` };
    return kind === 'query'
      ? { ...call, method: 'GET', query: [['input', JSON.stringify(value ?? {})] as const], body: none }
      : { ...call, method: 'POST', query: [], body: { kind: 'json', value } as const };
  });
}

function tokenCalls({ client }: Exhibits): SoundCall[] {
  const call = { name: 'token', method: 'POST', path: operations.token.path, query: [] };
  const grant = { grant_type: 'client_credentials', scope: 'status:read' };
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
  const inBody = { ...grant, client_id: client.id, client_secret: client.secret };
  return [
    { ...call, headers: [['authorization', `Basic ${basic}`]], body: { kind: 'form', value: grant } },
    { ...call, headers: [], body: { kind: 'form', value: inBody } },
  ];
}

const page = [['accept', 'text/html'] as const];

function claimCalls({ claimTokens, termsId }: Exhibits): SoundCall[] {
  const password = 'Condor de los Andes 7';
  const typed = { code: '123456', password, passwordConfirmation: password, termsId, acceptTerms: 'true' };
  const post = (path: string, value: Readonly<Record<string, string>>) =>
    get(path, { name: `POST ${path}`, method: 'POST', headers: page, body: { kind: 'form', value } });
  return claimTokens.flatMap((token) => [
    get(`/claim/${token}`, { headers: page }),
    get(`/claim/${token}/progress`),
    get(`/claim/${token}/code`, { headers: page }),
    get(`/claim/${token}/password`, { headers: page }),
    get(`/claim/${token}/not-me`, { headers: page }),
    get(`/claim/${token}/download`, { headers: page }),
    post(`/claim/${token}`, typed),
    post(`/claim/${token}/code`, {}),
    post(`/claim/${token}/check`, { code: '123456' }),
    post(`/claim/${token}/password`, typed),
    post(`/claim/${token}/download`, { code: '123456' }),
  ]);
}

function livenessCalls({ livenessSession }: Exhibits): SoundCall[] {
  const path = `/liveness/${livenessSession}`;
  const form = { kind: 'form', value: {} } as const;
  return [
    get(path, { headers: page, query: [['lang', 'es']] }),
    get(path, { name: `POST ${path}`, method: 'POST', headers: page, body: form }),
  ];
}

const plainPaths = [
  '/health',
  '/.well-known/jwks.json',
  '/openapi.json',
  '/docs',
  '/docs/rubrica.postman_collection.json',
  '/docs/verify-webhook.ts',
  '/docs/webhook-vectors.json',
];

function fileCalls({ evidencePaths, pki, ocspRequest, operatorToken }: Exhibits): SoundCall[] {
  const ocsp = ocspRequest.toString('base64');
  const tagged = [['if-none-match', '"x"'] as const];
  return [
    ...plainPaths.map((path) => get(path, { headers: tagged })),
    ...evidencePaths.map((path) => get(path, { headers: [['authorization', `Bearer ${operatorToken}`]] })),
    ...[pki.root, pki.issuing, pki.crl].map((url) => get(new URL(url).pathname, { headers: tagged })),
    get(`/pki/ocsp/${encodeURIComponent(ocsp)}`),
    get('/pki/ocsp', {
      name: 'POST /pki/ocsp',
      method: 'POST',
      headers: [['content-type', 'application/ocsp-request']],
      body: { kind: 'bytes', value: ocspRequest },
    }),
  ];
}
