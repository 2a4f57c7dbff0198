import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import { EvidenceStoreError } from '../evidence-store-error.ts';
import { bytesOf, verified } from '../verified.ts';
import { ofS3 } from './s3-faults.ts';
import { unlessIdle } from './unless-idle.ts';

export interface ReadAddress {
  /** As `EvidenceStore.addressOf` made it. */
  readonly address: string;
  readonly entry: EvidenceEntry;
  /** PEM; without it the usual authorities. */
  readonly ca?: Buffer | undefined;
}

const answerMs = 4_000;

/** Reads an object without rights of one's own. @throws EvidenceStoreError */
export async function readAddress({ address, entry, ca }: ReadAddress): Promise<Buffer> {
  const answer = await ask(address, ca);
  if (answer.statusCode === 200) return bytesOf(verified(unlessIdle(answer), entry));
  const said = String(await bytesOf(firstOf(unlessIdle(answer))));
  const isGone = answer.statusCode === 404 && said.includes('<Code>NoSuchKey</Code>');
  throw new EvidenceStoreError(
    isGone ? 'missing' : 'unavailable',
    `S3 answered ${answer.statusCode} to an address for object ${entry.id}`,
  );
}

/** An error's first piece: what it says stands there. */
async function* firstOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
    request.once('response', resolve).once('error', (error) => reject(ofS3(error)));
  });
}
