import {
  detectKeyAlgorithm,
  formatName,
  type KeyAlgorithm,
  type NameAttribute,
  nameValue,
  type ParsedCertificate,
  type ParsedCertificationRequest,
  parseCertificationRequest,
  provesPossession,
} from '@rubrica/pki';
import { parseAuthorityCertificate } from '../../issuers/authorities/lint-and-sign.ts';
import { toNameAttributes } from '../../issuers/authorities/make-authority.ts';
import { CeremonyError } from '../ceremony.ts';
import { type Difference, refuseDifferences, toAuthorityTraits } from '../differences.ts';
import { formatDigest, type PemBlock, sha256 } from '../files.ts';
import type { RootFile } from './root-file.ts';

/** Request that passed all checks. */
export interface CheckedRequest {
  readonly request: ParsedCertificationRequest;
  readonly digest: string;
  readonly subject: readonly NameAttribute[];
  readonly keyAlgorithm: KeyAlgorithm;
}

export interface RequestRules {
  readonly file: RootFile;
  /**
   * SHA-256 of the request, typed from paper. The signature proves that the sender has the key, not that the sender is
   * our service.
   */
  readonly announced: string;
  readonly mayDiffer: readonly Difference[];
}

/**
 * Checks a request before the root's key is used.
 * @throws CeremonyError that names the fault
 */
export function checkRequest(blocks: readonly PemBlock[], rules: RequestRules): CheckedRequest {
  const [block, ...others] = blocks;
  if (block?.label !== 'CERTIFICATE REQUEST' || others.length > 0) {
    throw new CeremonyError('This file is not one certification request.');
  }
  const parsed = parseCertificationRequest(block.der);
  if (!parsed.ok) throw new CeremonyError(`The request cannot be read: ${parsed.error.reason}`);
  const request = parsed.value;
  const digest = sha256(request.raw);
  if (digest !== rules.announced) {
    throw new CeremonyError(
      `This is not the request that was announced: its SHA-256 is ${formatDigest(request.raw)}. It was changed on the way, or the paper is of another one.`,
    );
  }
  const keyAlgorithm = detectKeyAlgorithm(request.publicKey);
  if (keyAlgorithm === undefined || !provesPossession(request)) {
    throw new CeremonyError('The request is not signed by the key that it asks a certificate for.');
  }
  const subject = parseSubject(request);
  refuseUsed(request, digest, rules.file);
  refuseOther(request, rules);
  return { request, digest, subject, keyAlgorithm };
}

function parseSubject({ subject }: ParsedCertificationRequest): NameAttribute[] {
  const commonName = nameValue(subject, 'commonName') ?? '';
  if (nameValue(subject, 'countryName') !== 'EC' || !/^\S.* Issuing CA(?: [1-9]\d{0,3})?$/.test(commonName)) {
    throw new CeremonyError(`No issuing authority is called ${formatName(subject)}.`);
  }
  try {
    return toNameAttributes(subject);
  } catch (cause) {
    throw new CeremonyError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * Refuses a known key or name: a CRL is found by its issuer's name and an authority by its key, so both must be unique.
 */
function refuseUsed(request: ParsedCertificationRequest, digest: string, file: RootFile): void {
  const others = file.issued.filter((entry) => entry.request !== digest);
  for (const { subject, publicKey } of [file, ...others].map(parseRecord)) {
    if (Buffer.compare(publicKey.raw, request.publicKey.raw) === 0) {
      throw new CeremonyError(`The key of the request is already that of ${formatName(subject)}.`);
    }
    if (formatName(subject) === formatName(request.subject)) {
      throw new CeremonyError(`There is an authority ${formatName(subject)} already, with another key.`);
    }
  }
}

function refuseOther(request: ParsedCertificationRequest, { file, mayDiffer }: RequestRules): void {
  const previous = parseRecord(file.issued.at(-1) ?? file);
  const formerName = formatName(previous.subject);
  refuseDifferences(
    { former: toAuthorityTraits(previous), formerName, next: toAuthorityTraits(request) },
    mayDiffer,
  );
}

function parseRecord({ certificate }: { certificate: string }): ParsedCertificate {
  return parseAuthorityCertificate('an authority', certificate);
}
