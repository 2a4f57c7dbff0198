import type { KeyUsageBit } from './subscriber-profiles.ts';

/** What a certification authority's own certificate says (RFC 5280 §4.2.1.9, §4.2.1.3). */
export type AuthorityProfile = {
  kind: 'root' | 'issuing';
  /** Authorities that may follow below it; absent: no limit stated. */
  pathLength: number | undefined;
  keyUsage: readonly KeyUsageBit[];
  lifetimeYears: number;
};

export const authorityProfiles = {
  root: { kind: 'root', pathLength: undefined, keyUsage: ['keyCertSign', 'cRLSign'], lifetimeYears: 20 },
  issuing: { kind: 'issuing', pathLength: 0, keyUsage: ['keyCertSign', 'cRLSign'], lifetimeYears: 10 },
} as const satisfies Record<string, AuthorityProfile>;

/** What the certificate of a delegated OCSP responder says (RFC 6960 §4.2.2.2). */
export type ResponderProfile = {
  kind: 'responder';
  keyUsage: readonly KeyUsageBit[];
  /** Short, as the certificate cannot be revoked: it asks not to be checked. */
  lifetimeDays: number;
};

export const ocspResponderProfile = {
  kind: 'responder',
  keyUsage: ['digitalSignature'],
  lifetimeDays: 90,
} as const satisfies ResponderProfile;
