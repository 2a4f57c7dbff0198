import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import type { EvidenceArea, EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { ObjectLockMode } from '../evidence-store.ts';
import { createRepeating, type Repeating } from './repeating.ts';

export interface S3Settings {
  /** Of a store that is not AWS. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** The bucket in the path, not in the host's name. */
  readonly pathStyle: boolean;
  /** Before `incoming/` and `kept/`; empty, or ends with a slash. */
  readonly keyPrefix: string;
  /** Of the dates that are set on objects under `kept/`. */
  readonly objectLock?: ObjectLockMode;
  /** PEM: the authorities that the store's certificate may come from, instead of the usual ones. */
  readonly caFile?: string | undefined;
  /** Instead of what the SDK finds by itself: environment, files, roles. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface S3Bucket {
  readonly client: S3Client;
  readonly repeating: Repeating;
  readonly bucket: string;
  readonly prefixOf: (area: EvidenceArea) => string;
  readonly keyOf: (entry: Pick<EvidenceEntry, 'id' | 'area'>) => string;
}

/** Away is away: nobody waits longer to be let in. */
const connectMs = 1_000;
/** A socket on which nothing moves for so long is given up. */
const idleMs = 2_000;

export function openS3Bucket(settings: S3Settings): S3Bucket {
  const { endpoint, region, bucket, pathStyle, keyPrefix, caFile, credentials } = settings;
  const ca = caFile === undefined ? undefined : readFileSync(caFile);
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // `repeating` repeats, within one budget for all tries.
    maxAttempts: 1,
    // SHA-256 of each body is given with it; a CRC next to it, or a trailer, older stores do not take.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      httpAgent: { keepAlive: true, maxSockets: 128 },
      httpsAgent: new Agent({ keepAlive: true, maxSockets: 128, ...(ca === undefined ? {} : { ca }) }),
    },
  });
  const prefixOf = (area: EvidenceArea) => `${keyPrefix}${area}/`;
  return {
    client,
    repeating: createRepeating(),
    bucket,
    prefixOf,
    keyOf: ({ id, area = 'incoming' }) => `${prefixOf(area)}${id}`,
  };
}
