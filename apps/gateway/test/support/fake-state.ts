import { randomBytes } from 'node:crypto';
import { pkiPieceOctets } from '@rubrica/contracts/services/schemas/generation';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type * as tokensContract from '@rubrica/contracts/services/schemas/tokens';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { Family, Scope } from '@rubrica/contracts/shared/enumerations';
import type { z } from 'zod';
import { createFakeClaim, type FakeClaim } from './fake-claims.ts';
import { createFakeRetrieval, type FakeRetrieval } from './fake-retrieval.ts';
import { createFakeReviews, type FakeReviews } from './fake-reviews.ts';
import { createFakeSignature, type FakeSignature } from './fake-signature.ts';
import { at } from './fake-time.ts';

type RegisterInput = requestsContract.RegisterInput;
type Status = z.output<typeof requestsContract.statusOutput>;

/** Of the right form, signed by nobody. */
export function jwtOf(payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256' })}.${part(payload)}.c2lnbmF0dXJl`;
}

export const partner = {
  partnerId: '0197a000-0000-7000-8000-000000000001',
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  assertion: jwtOf({ iss: 'sandbox-client', sub: 'sandbox-client' }),
  apiToken: 'rbk_static-token-of-the-sandbox',
  /** Intake plays that it has verified it. */
  ownIssuerToken: jwtOf({ iss: 'https://id.partner.example', sub: 'their-client' }),
};
export const operator = {
  operatorId: '0197a000-0000-7000-8000-0000000000aa',
  email: 'admin@example.com',
  password: 'a good password',
  refreshToken: 'a refresh token',
  passkeyId: 'a-passkey',
};

/** The request that is named by reference alone. */
export const identifiedId = '0197a000-0000-7000-8000-000000000333';

/** A CRL of several pieces, of which another may be signed while it is fetched. */
export class FakeLargeFile {
  bytes = randomBytes(5_000_000);
  number = 1;
  /** Asked with the piece's first octet, before it is answered. */
  onPiece: (from: number) => void = () => undefined;

  piece(from: number) {
    this.onPiece(from);
    return {
      content: this.bytes.subarray(from, from + pkiPieceOctets).toString('base64'),
      octets: this.bytes.length,
      mediaType: 'application/pkix-crl',
      maxAgeSeconds: 1,
      etag: `"${this.number}"`,
      lastModified: new Date(this.number * 1_000).toISOString(),
    };
  }

  sign(bytes: Buffer<ArrayBuffer>): void {
    this.bytes = bytes;
    this.number += 1;
  }
}

/** What the fakes were asked, and what they are told to answer. */
export interface FakeState {
  /** Pages of requests that a search gives; none: without an end. */
  requestPages: number | undefined;
  refusesSearches: boolean;
  readonly largeFile: FakeLargeFile;
  readonly registered: { input: RegisterInput; caller: Caller }[];
  readonly identified: z.output<typeof requestsContract.requestIdentifier>[];
  readonly retried: z.output<typeof requestsContract.retryInput>[];
  readonly corrected: requestsContract.CorrectInput[];
  readonly asked: {
    path: string;
    input: unknown;
    caller: Caller;
    requestId: string;
    traceparent: string | undefined;
  }[];
  /** Thrown by the next calls of `requests.register`, first one first. */
  readonly registerFailures: unknown[];
  /** Of the request whose certificate is renewed. */
  renewedFamily: Family;
  /** Of requests that have an end of their own. */
  requestEnds?: string;
  /** Without it a link was sent a moment ago. */
  resent?: z.output<typeof requestsContract.resendOutput>;
  status: Status;
  operatorRole: 'viewer' | 'reviewer' | 'admin';
  /** After the right password. */
  codeIsDue: boolean;
  scopes: Scope[];
  readonly exchanged: z.output<typeof tokensContract.exchangeTokenInput>[];
  tokenRevoked: boolean;
  /** From where too many wrong passwords came. */
  readonly slowedAddresses: Set<string>;
  /** No token can be exchanged now. */
  exchangeAway: boolean;
  /** How far its clock is ahead of this machine's. */
  intakeAheadMs: number;
  readonly claim: FakeClaim;
  readonly reviews: FakeReviews;
  readonly retrieval: FakeRetrieval;
  readonly signature: FakeSignature;
}

export function createFakeState(): FakeState {
  return {
    requestPages: 3,
    refusesSearches: false,
    registered: [],
    identified: [],
    retried: [],
    corrected: [],
    largeFile: new FakeLargeFile(),
    asked: [],
    registerFailures: [],
    renewedFamily: 'TV',
    status: statusRecord(),
    operatorRole: 'admin',
    codeIsDue: false,
    scopes: ['collector:write', 'manager:write', 'status:read'],
    exchanged: [],
    tokenRevoked: false,
    slowedAddresses: new Set(),
    exchangeAway: false,
    intakeAheadMs: 0,
    claim: createFakeClaim(),
    reviews: createFakeReviews(),
    retrieval: createFakeRetrieval(),
    signature: createFakeSignature(),
  };
}

export function statusRecord(overrides: Partial<Status> = {}): Status {
  return {
    requestId: '0197a000-0000-7000-8000-000000000111',
    referenceTransaction: 'TX-1',
    status: 'VALIDATING',
    validationStatus: 'AUTOMATICALLY_VALIDATING',
    applicationType: 'NATURAL_PERSON',
    certificateType: 'TRADITIONAL_SIGNATURE',
    period: 'FOUR_YEARS',
    observation: null,
    observations: [{ type: 'WARNING', code: 'RUC_CHECK_DIGIT', message: 'odd', createdDate: at }],
    correctableFields: [],
    retryCount: 0,
    retriesRemaining: 2,
    serialNumber: null,
    notBefore: null,
    notAfter: null,
    certificateStatus: null,
    createdDate: at,
    updatedDate: '2026-03-01T17:00:01.250Z',
    version: 3,
    ...overrides,
  };
}
