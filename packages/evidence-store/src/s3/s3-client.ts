import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import type { EvidenceArea, EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { ObjectLockMode } from '../evidence-store.ts';
import { createRepeating, type Repeating } from './repeating.ts';

export interface S3Settings {
  /** Address of a store other than AWS. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** True if the bucket is in the path, not in the host's name. */
  readonly pathStyle: boolean;
  /** Prefix before `incoming/` and `kept/`; empty, or ends with a slash. */
  readonly keyPrefix: string;
  /** Mode of the dates that are set on objects under `kept/`. */
  readonly objectLock?: ObjectLockMode;
  /** Authorities in PEM that may issue the store's certificate, instead of the usual ones. */
  readonly caFile?: string | undefined;
  /** Credentials instead of those that the SDK finds itself: environment, files, roles. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface S3Bucket {
  readonly client: S3Client;
  readonly repeating: Repeating;
  readonly bucket: string;
  readonly prefixOf: (area: EvidenceArea) => string;
  readonly keyOf: (entry: Pick<EvidenceEntry, 'id' | 'area'>) => string;
}

/** Time to connect; an unavailable store must not delay its callers. */
const connectMs = 1_000;
/** A socket without traffic for this time is closed. */
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
    // Each body is sent with its SHA-256; older stores accept no additional CRC and no trailer.
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
