import {
  formatName,
  type KeyAlgorithm,
  keyAlgorithmOf,
  type NameAttribute,
  nameValue,
  type ParsedCertificate,
  type ParsedCertificationRequest,
  parseCertificationRequest,
  provesPossession,
} from '@rubrica/pki';
import { parsedCertificate } from '../../issuers/authorities/certify.ts';
import { namesOf } from '../../issuers/authorities/make-authority.ts';
import { CeremonyError } from '../ceremony.ts';
import { type Difference, refuseDifferences, traitsOf } from '../differences.ts';
import { formatDigest, type PemBlock, sha256 } from '../files.ts';
import type { RootFile } from './root-file.ts';

/** A request that may be signed. */
export interface CheckedRequest {
  readonly request: ParsedCertificationRequest;
  readonly digest: string;
  readonly subject: readonly NameAttribute[];
  readonly keyAlgorithm: KeyAlgorithm;
}

export interface RequestRules {
  readonly file: RootFile;
  /** SHA-256 as it came on paper: possession says that the asker has the key, not that the asker is ours. */
  readonly announced: string;
  readonly mayDiffer: readonly Difference[];
}

/** All that is checked before the root's key is asked for anything. @throws CeremonyError that says what is wrong */
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
  const keyAlgorithm = keyAlgorithmOf(request.publicKey);
  if (keyAlgorithm === undefined || !provesPossession(request)) {
    throw new CeremonyError('The request is not signed by the key that it asks a certificate for.');
  }
  const subject = subjectOf(request);
  refuseUsed(request, digest, rules.file);
  refuseOther(request, rules);
  return { request, digest, subject, keyAlgorithm };
}

function subjectOf({ subject }: ParsedCertificationRequest): NameAttribute[] {
  const commonName = nameValue(subject, 'commonName') ?? '';
  if (nameValue(subject, 'countryName') !== 'EC' || !/^\S.* Issuing CA(?: [1-9]\d{0,3})?$/.test(commonName)) {
    throw new CeremonyError(`No issuing authority is called ${formatName(subject)}.`);
  }
  try {
    return namesOf(subject);
  } catch (cause) {
    throw new CeremonyError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** A CRL is found by its issuer's name, and an authority by its key: neither may have two. */
function refuseUsed(request: ParsedCertificationRequest, digest: string, file: RootFile): void {
  const others = file.issued.filter((entry) => entry.request !== digest);
  for (const { subject, publicKey } of [file, ...others].map(certificateOf)) {
    if (Buffer.compare(publicKey.raw, request.publicKey.raw) === 0) {
      throw new CeremonyError(`The key of the request is already that of ${formatName(subject)}.`);
    }
    if (formatName(subject) === formatName(request.subject)) {
      throw new CeremonyError(`There is an authority ${formatName(subject)} already, with another key.`);
    }
  }
}

function refuseOther(request: ParsedCertificationRequest, { file, mayDiffer }: RequestRules): void {
  const former = certificateOf(file.issued.at(-1) ?? file);
  const formerName = formatName(former.subject);
  refuseDifferences({ former: traitsOf(former), formerName, next: traitsOf(request) }, mayDiffer);
}

function certificateOf({ certificate }: { certificate: string }): ParsedCertificate {
  return parsedCertificate('an authority', certificate);
}
