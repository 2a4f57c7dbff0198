import { verify } from 'node:crypto';
import {
  authorityProfiles,
  detectKeyAlgorithm,
  formatName,
  type ParsedCertificate,
  type ParsedCrl,
  parseCertificate,
  parseCrl,
  sameTbs,
} from '@rubrica/pki';
import type { AuthorityRecord } from '../issuers/authorities/authority-file.ts';
import {
  assertLintPassed,
  parseAuthorityCertificate,
  toPublicKey,
} from '../issuers/authorities/lint-and-sign.ts';
import {
  buildAuthorityTbs,
  createAuthorityExpectation,
  toNameAttributes,
} from '../issuers/authorities/make-authority.ts';
import { CeremonyError } from './ceremony.ts';
import { formatDigest, type PemBlock, sha256 } from './files.ts';
import type { PendingRequest } from './pending-request.ts';

/** Answer of the root, whose parts were checked against each other and against the known authorities. */
export interface CheckedAnswer {
  readonly root: ParsedCertificate;
  readonly crl: ParsedCrl;
  /** Undefined for an answer with a CRL alone. */
  readonly issued: { readonly pending: PendingRequest; readonly certificate: ParsedCertificate } | undefined;
}

export interface KnownAuthorities {
  readonly records: readonly AuthorityRecord[];
  readonly pending: readonly PendingRequest[];
  /** SHA-256 of the root's certificate, typed from paper; required while no root is known. */
  readonly rootDigest: string | undefined;
  readonly pkiBaseUrl: string;
  readonly now: Date;
}

/**
 * Checks the answer of a root. Nothing of a refused answer may be used.
 * @throws CeremonyError that names the mismatch
 */
export function checkAnswer(blocks: readonly PemBlock[], known: KnownAuthorities): CheckedAnswer {
  const { certificates, crl } = parseAnswer(blocks);
  const [issuing, sentRoot, ...more] = certificates;
  if (more.length > 0 || (issuing !== undefined && sentRoot === undefined)) {
    throw new CeremonyError(
      'An answer holds the new certificate, that of the root and a CRL, or a CRL alone.',
    );
  }
  const root = knownRoot(sentRoot, known);
  checkCrl(crl, root, known);
  if (issuing === undefined) return { root, crl, issued: undefined };
  return { root, crl, issued: { certificate: issuing, pending: checkIssuing(issuing, root, known) } };
}

function parseAnswer(blocks: readonly PemBlock[]): { certificates: ParsedCertificate[]; crl: ParsedCrl } {
  const selectBlocks = (label: string) =>
    blocks.filter((block) => block.label === label).map(({ der }) => der);
  const certificates = selectBlocks('CERTIFICATE').map((der) => readable(parseCertificate(der)));
  const [crl, ...others] = selectBlocks('X509 CRL').map((der) => readable(parseCrl(der)));
  if (crl === undefined || others.length > 0 || blocks.length !== certificates.length + 1) {
    throw new CeremonyError('This file is not an answer of the root: it must hold one CRL and no key.');
  }
  return { certificates, crl };
}

function readable<T>(result: { ok: true; value: T } | { ok: false; error: { reason: string } }): T {
  if (!result.ok) throw new CeremonyError(`The answer cannot be read: ${result.error.reason}`);
  return result.value;
}

/** Returns the known root, or for the first answer the one whose digest came on paper. */
function knownRoot(
  sent: ParsedCertificate | undefined,
  { records, rootDigest, now }: KnownAuthorities,
): ParsedCertificate {
  const record = records.find(({ kind }) => kind === 'root');
  const known = record && parseAuthorityCertificate(record.name, record.certificate);
  if (known !== undefined) {
    if (sent !== undefined && Buffer.compare(sent.raw, known.raw) !== 0) {
      throw new CeremonyError(
        `The answer comes from another root, ${formatName(sent.subject)}: SHA-256 ${formatDigest(sent.raw)}.`,
      );
    }
    return known;
  }
  if (sent === undefined) throw new CeremonyError('A CRL comes after the first certificate.');
  if (rootDigest === undefined) {
    throw new CeremonyError('No root is known here yet: --root <SHA-256 of its certificate>, from paper.');
  }
  if (sha256(sent.raw) !== rootDigest) {
    throw new CeremonyError(
      `The answer comes from another root than the one that was announced: SHA-256 ${formatDigest(sent.raw)}.`,
    );
  }
  checkRoot(sent, now);
  return sent;
}

function checkRoot(root: ParsedCertificate, now: Date): void {
  const plan = {
    profile: authorityProfiles.root,
    parent: undefined,
    keyAlgorithm: requireKeyAlgorithm(root),
  };
  refuse(root, createAuthorityExpectation(plan, root.notAfter.date));
  refuseForged(root, root, "The root's certificate");
  refuseOutOfTime(root, now);
}

/** Checks that the certificate is byte for byte what the request asked for, except serial number and validity. */
function checkIssuing(
  certificate: ParsedCertificate,
  root: ParsedCertificate,
  { pending, pkiBaseUrl, now }: KnownAuthorities,
): PendingRequest {
  refuseForged(certificate, root, 'The new certificate');
  const key = Buffer.from(certificate.publicKey.raw);
  const match = pending.find(({ request }) => key.equals(request.publicKey.raw));
  if (match === undefined) {
    throw new CeremonyError(
      `The answer is for another key than any that waits here: ${formatName(certificate.subject)}.`,
    );
  }
  const plan = {
    profile: authorityProfiles.issuing,
    subject: toNameAttributes(match.request.subject),
    publicKey: toPublicKey(certificate),
    keyAlgorithm: requireKeyAlgorithm(certificate),
    parent: { name: 'root', certificate: root },
    pkiBaseUrl,
  };
  const validity = { notBefore: certificate.notBefore.date, notAfter: certificate.notAfter.date };
  refuse(certificate, createAuthorityExpectation(plan, root.notAfter.date));
  if (!sameTbs(buildAuthorityTbs(plan, { serial: certificate.serial, validity }), certificate.tbs)) {
    throw new CeremonyError(
      'The certificate says something else than was asked for: its name or its addresses. Is PKI_BASE_URL the same in both places?',
    );
  }
  refuseOutOfTime(certificate, now);
  return match;
}

function checkCrl(crl: ParsedCrl, root: ParsedCertificate, { records, now }: KnownAuthorities): void {
  if (Buffer.compare(crl.issuer.raw, root.subject.raw) !== 0 || crl.distributionPoint !== undefined) {
    throw new CeremonyError(`The CRL is not that of the root, but of ${formatName(crl.issuer)}.`);
  }
  refuseForged(crl, root, 'The CRL');
  if (crl.nextUpdate === undefined || crl.nextUpdate <= now || crl.number === undefined) {
    throw new CeremonyError('The CRL has no number, or its time is over: "root crl" signs the next.');
  }
  const published = records.find(({ kind }) => kind === 'root')?.crl;
  const publishedNumber =
    published === undefined ? undefined : readable(parseCrl(Buffer.from(published, 'base64'))).number;
  if (publishedNumber !== undefined && crl.number < publishedNumber) {
    throw new CeremonyError(
      `The CRL is older than the one that is published: ${crl.number}, not ${publishedNumber}.`,
    );
  }
}

interface Signed {
  readonly tbs: Uint8Array;
  readonly signature: { readonly bytes: Uint8Array; readonly unusedBits: number };
}

function refuseForged({ tbs, signature }: Signed, root: ParsedCertificate, what: string): void {
  if (signature.unusedBits === 0 && verify('sha256', tbs, toPublicKey(root), signature.bytes)) return;
  throw new CeremonyError(`${what} is not signed by the root ${formatName(root.subject)}.`);
}

function refuseOutOfTime({ subject, notBefore, notAfter }: ParsedCertificate, now: Date): void {
  if (notBefore.date <= now && now < notAfter.date) return;
  throw new CeremonyError(
    `${formatName(subject)} is valid from ${notBefore.date.toISOString()} to ${notAfter.date.toISOString()}, not now. Are both clocks right?`,
  );
}

function requireKeyAlgorithm({ publicKey }: ParsedCertificate) {
  const algorithm = detectKeyAlgorithm(publicKey);
  if (algorithm === undefined)
    throw new CeremonyError('The answer holds a key of a kind that no authority may have.');
  return algorithm;
}

function refuse(certificate: ParsedCertificate, expected: Parameters<typeof assertLintPassed>[1]): void {
  try {
    assertLintPassed(certificate.raw, expected);
  } catch (cause) {
    throw new CeremonyError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
