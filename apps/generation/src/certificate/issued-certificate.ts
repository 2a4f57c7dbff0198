import { type KeyObject, X509Certificate } from 'node:crypto';
import { formatCrlName } from './crl-shard.ts';
import type { GuardedStatusRow } from './status-record.ts';

/** Certificate that an authority of this service signed. */
export interface VerifiedIssuance {
  /** Upper-case hexadecimal, 30 digits; 40 in certificates of earlier releases. */
  readonly serial: string;
  /** Name of the authority. */
  readonly issuer: string;
  readonly notAfter: Date;
  readonly der: Uint8Array;
}

/** Authority that signs certificates of subscribers. */
export interface Certifier {
  readonly name: string;
  readonly publicKey: KeyObject;
}

/** Reads a certificate that one of the authorities signed; undefined for anything else. */
export function readIssued(der: Uint8Array, issuers: readonly Certifier[]): VerifiedIssuance | undefined {
  const certificate = parseDer(der);
  const issuer = certificate && issuers.find(({ publicKey }) => certificate.verify(publicKey));
  if (certificate === undefined || issuer === undefined) return undefined;
  return { serial: certificate.serialNumber, issuer: issuer.name, notAfter: certificate.validToDate, der };
}

/** Compares a row with its certificate: authority, expiry and revocation list must match. */
export function matchesIssuance(
  { serial, issuer, notAfter, der }: VerifiedIssuance,
  row: Pick<GuardedStatusRow, 'serial' | 'issuer' | 'crl_shard' | 'not_after'>,
): boolean {
  const list = `/${formatCrlName({ issuer, shard: row.crl_shard, isDelta: false })}.crl`;
  return (
    row.serial === serial &&
    row.issuer === issuer &&
    new Date(row.not_after).getTime() === notAfter.getTime() &&
    Buffer.from(der).includes(list)
  );
}

function parseDer(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}
