import { createHash, X509Certificate } from 'node:crypto';
import { pkiPieceOctets } from '@rubrica/contracts/services/schemas/generation';
import { AppError } from '@rubrica/process/errors';
import type { Clock } from '@rubrica/process/time';
import type { UseCase } from '@rubrica/wiring';
import { parseCrlName } from '../certificate/crl-shard.ts';
import type { CrlLedger, ServedCrl } from '../crl/crl-ledger.ts';
import type { Issuers, PublishedCrl } from '../issuers/issuer.ts';

type PkiFile = UseCase<'generation', 'pki.file'>;
type File = Awaited<ReturnType<PkiFile>>;

export interface PkiFileDeps {
  readonly issuers: Pick<Issuers, 'published'>;
  readonly crls: Pick<CrlLedger, 'served'>;
  /** Time for which caches may keep a CRL; short, so that a revocation is seen soon. */
  readonly statusMaxAgeSeconds: number;
  readonly clock: Clock;
}

/** An authority's certificate never changes under its name; one day limits the effect of a caching mistake. */
const certificateMaxAgeSeconds = 86_400;

/**
 * Returns a published file by its name, such as `issuing.cer` or `issuing.crl`. Public, like everything that is needed
 * to check a signature.
 * @throws AppError CERTIFICATE_NOT_FOUND
 */
export function createPkiFile(deps: PkiFileDeps): PkiFile {
  return ({ file, from }) =>
    file.endsWith('.crl') ? crlFile(deps, file.slice(0, -'.crl'.length), from) : certificateFile(deps, file);
}

function certificateFile({ issuers }: PkiFileDeps, file: string): File {
  const authority = issuers.published.find(({ name }) => file === `${name}.cer`);
  if (authority === undefined) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  const { certificate } = authority;
  return {
    content: Buffer.from(certificate).toString('base64'),
    octets: certificate.length,
    // RFC 5280 §4.2.2.1: DER, under this media type.
    mediaType: 'application/pkix-cert',
    maxAgeSeconds: certificateMaxAgeSeconds,
    etag: formatEtag(certificate),
    lastModified: new X509Certificate(certificate).validFromDate.toISOString(),
  };
}

async function crlFile(deps: PkiFileDeps, name: string, from: number): Promise<File> {
  const { issuers, crls, statusMaxAgeSeconds, clock } = deps;
  const imported = issuers.published.find((authority) => authority.name === name)?.crl;
  const crl = imported ? cutImported(imported, from) : await crls.served(parseCrlName(name), from);
  if (crl === undefined) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  const leftSeconds = Math.floor((crl.nextUpdate.getTime() - clock().getTime()) / 1_000);
  return {
    content: Buffer.from(crl.piece).toString('base64'),
    octets: crl.octets,
    // RFC 5280 §4.2.1.13: DER, under this media type.
    mediaType: 'application/pkix-crl',
    maxAgeSeconds: Math.max(0, Math.min(statusMaxAgeSeconds, leftSeconds)),
    // Number and time, which no two lists of one issuer and shard share: a list is read in pieces and never hashed.
    etag: `"${crl.number}-${crl.thisUpdate.getTime()}"`,
    lastModified: crl.thisUpdate.toISOString(),
  };
}

/** Cuts a piece of an imported CRL, which is small; only its time distinguishes it from the next. */
function cutImported({ der, thisUpdate, nextUpdate }: PublishedCrl, from: number): ServedCrl {
  const piece = der.subarray(from, from + pkiPieceOctets);
  return { piece, octets: der.length, number: 0, thisUpdate, nextUpdate };
}

function formatEtag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`;
}
