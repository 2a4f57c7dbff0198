import { createHash } from 'node:crypto';
import type { generationContract } from '@rubrica/contracts';
import { AppError } from '@rubrica/service';
import type { z } from 'zod';
import type { Issuers } from '../issuers/issuer.ts';

type PkiFile = z.output<typeof generationContract.pkiFile>;

/** An authority's certificate never changes under its name; a day lets a mistake in caching heal. */
const certificateMaxAgeSeconds = 86_400;

/** A published file by its name, such as `issuing.cer`. @throws AppError CERTIFICATE_NOT_FOUND */
export function pkiFile({ published }: Pick<Issuers, 'published'>, file: string): PkiFile {
  const authority = published.find(({ name }) => file === `${name}.cer`);
  if (authority === undefined) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
  const { certificate } = authority;
  return {
    content: Buffer.from(certificate).toString('base64'),
    // RFC 5280 §4.2.2.1: DER, under this media type.
    mediaType: 'application/pkix-cert',
    maxAgeSeconds: certificateMaxAgeSeconds,
    etag: `"${createHash('sha256').update(certificate).digest('base64url')}"`,
  };
}

/** Names of the authority that signs now and of the root above it. */
export function pkiIndex({ active, published }: Issuers): { root: string; issuing: string } {
  const top = active.chain.at(-1) ?? new Uint8Array();
  const root = published.find(({ certificate }) => Buffer.compare(certificate, top) === 0);
  if (root === undefined) throw new Error('the root of the active authority is not published');
  return { root: root.name, issuing: active.name };
}
