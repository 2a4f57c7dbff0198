import type { KeyUsageBit } from './subscriber-profiles.ts';

/** Content of a certification authority's own certificate (RFC 5280 §4.2.1.9, §4.2.1.3). */
export type AuthorityProfile = {
  kind: 'root' | 'issuing';
  /** Authorities that may follow below it; undefined: no limit stated. */
  pathLength: number | undefined;
  keyUsage: readonly KeyUsageBit[];
  lifetimeYears: number;
};

export const authorityProfiles = {
  root: { kind: 'root', pathLength: undefined, keyUsage: ['keyCertSign', 'cRLSign'], lifetimeYears: 20 },
  issuing: { kind: 'issuing', pathLength: 0, keyUsage: ['keyCertSign', 'cRLSign'], lifetimeYears: 10 },
} as const satisfies Record<string, AuthorityProfile>;

/** Content of the certificate of a delegated OCSP responder (RFC 6960 §4.2.2.2). */
export type ResponderProfile = {
  kind: 'responder';
  keyUsage: readonly KeyUsageBit[];
  /** Short, because the certificate cannot be revoked: it states that it need not be checked. */
  lifetimeDays: number;
};

export const ocspResponderProfile = {
  kind: 'responder',
  keyUsage: ['digitalSignature'],
  lifetimeDays: 90,
} as const satisfies ResponderProfile;
