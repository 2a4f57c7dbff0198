import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import { EvidenceStoreError } from '../evidence-store-error.ts';
import { joinPieces, verifyPieces } from '../verify-pieces.ts';
import { withIdleTimeout } from './idle-timeout.ts';
import { fromS3Error } from './s3-faults.ts';

export interface ReadAddress {
  /** Address from `EvidenceStore.addressOf`. */
  readonly address: string;
  readonly entry: EvidenceEntry;
  /** Authorities in PEM; default: the usual ones. */
  readonly ca?: Buffer | undefined;
}

const answerMs = 4_000;

/**
 * Reads an object without rights of the caller.
 * @throws EvidenceStoreError
 */
export async function readAddress({ address, entry, ca }: ReadAddress): Promise<Buffer> {
  const answer = await ask(address, ca);
  if (answer.statusCode === 200) return joinPieces(verifyPieces(withIdleTimeout(answer), entry));
  const errorText = String(await joinPieces(firstPiece(withIdleTimeout(answer))));
  const isGone = answer.statusCode === 404 && errorText.includes('<Code>NoSuchKey</Code>');
  throw new EvidenceStoreError(
    isGone ? 'missing' : 'unavailable',
    `S3 answered ${answer.statusCode} to an address for object ${entry.id}`,
  );
}

/** Yields the first piece of an error's body, which contains its code. */
async function* firstPiece(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    return;
  }
}

function ask(address: string, ca: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(answerMs);
    const request = address.startsWith('https:')
      ? httpsGet(address, { signal, ...(ca === undefined ? {} : { ca }) })
      : httpGet(address, { signal });
    request.once('response', resolve).once('error', (error) => reject(fromS3Error(error)));
  });
}
