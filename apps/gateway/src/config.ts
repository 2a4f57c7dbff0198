import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import { evidenceStoreSettings } from '@rubrica/evidence-store';
import {
  address,
  commaList,
  type Environment,
  integer,
  keySettings,
  loadConfig,
  natsSettings,
  serviceSettings,
  setting,
} from '@rubrica/process/config';
import { z } from 'zod';

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;

const httpSettings = z.object({
  host: setting(z.string().default('127.0.0.1'), {
    env: 'HOST',
    about: 'address on which partners are served',
  }),
  port: setting(integer({ min: 0, max: 65_535 }), { env: 'PORT', about: 'its port; 0 takes a free one' }),
  baseUrl: setting(
    address(['http:', 'https:']).transform((url) => url.replace(/\/{1,9}$/, '')),
    { env: 'BASE_URL', about: 'origin under which partners reach this service; issuer of its tokens' },
  ),
  trustProxy: setting(commaList().optional(), {
    env: 'TRUST_PROXY',
    about: 'addresses or networks of the proxies whose `X-Forwarded-For` is believed, divided by commas',
  }),
  corsOrigins: setting(commaList().default([]), {
    env: 'CORS_ORIGINS',
    about: 'origins whose pages may call from a browser, divided by commas',
  }),
  // Below the 40 minutes after which intake sweeps unreferenced uploads.
  requestTimeoutSeconds: setting(integer({ min: 1, max: 1_800 }).default(120), {
    env: 'REQUEST_TIMEOUT_SECONDS',
    about: 'time in which a whole request must have arrived',
  }),
  connectionsPerAddress: setting(integer({ min: 0, max: 10_000 }).default(625), {
    env: 'CONNECTIONS_PER_ADDRESS',
    about:
      'connections of one address (IPv6: /64; a /56 four times as many) at once, else 429; of `TRUST_PROXY` any number; 0 for no limit',
  }),
  callsPerAddress: setting(integer({ min: 0, max: 10_000 }).default(400), {
    env: 'CALLS_PER_ADDRESS',
    about: 'unanswered calls of one address at once, else 429; 0 for no limit',
  }),
  slowestBytesPerSecond: setting(integer({ min: 1, max: MEBIBYTE }).default(8 * 1024), {
    env: 'SLOWEST_BYTES_PER_SECOND',
    about: 'what a body must bring, and the reader of an answer take, each second on average',
  }),
  paceSeconds: setting(integer({ min: 1, max: 60 }).default(10), {
    env: 'PACE_SECONDS',
    about: 'time over which that is measured',
  }),
  rpcTimeoutSeconds: setting(integer({ min: 1, max: 60 }).default(10), {
    env: 'RPC_TIMEOUT_SECONDS',
    about: 'time for which an answer of another service is waited for',
  }),
});

function perMinute(env: string, fallback: number, about: string) {
  return setting(integer({ min: 0, max: 10_000_000 }).default(fallback), { env, about });
}

const rateLimitSettings = z.object({
  partner: perMinute('RATE_LIMIT_PARTNER', 6_000, 'calls a minute of one partner, per copy; 0 for no limit'),
  address: perMinute(
    'RATE_LIMIT_ADDRESS',
    600,
    'public calls, and refused tokens, a minute of one address, per copy; 0 for no limit',
  ),
  token: perMinute('RATE_LIMIT_TOKEN', 30, 'sign-ins a minute of one address, per copy; 0 for no limit'),
});

function bodyLimits() {
  return commaList().transform((entries, context) => {
    const limits: Partial<Record<OperationId, number>> = {};
    for (const entry of entries) {
      const [, id, bytes] = /^([A-Za-z]+)=(\d{1,10})$/.exec(entry) ?? [];
      if (id === undefined || !Object.hasOwn(operations, id)) {
        context.addIssue(
          `must be a list of operation=bytes; operations: ${Object.keys(operations).join(', ')}`,
        );
        return z.NEVER;
      }
      limits[id as OperationId] = Number(bytes);
    }
    return limits;
  });
}

const limitSettings = z.object({
  bodyBytes: setting(bodyLimits().default({}), {
    env: 'BODY_LIMITS_BYTES',
    about:
      'limits of whole bodies where they differ from the API description, as `operation=bytes`, divided by commas',
  }),
  fieldBytes: setting(integer({ min: 1_024, max: 16 * MEBIBYTE }).default(256 * 1024), {
    env: 'FIELD_LIMIT_BYTES',
    about: 'most that all fields of a body other than files may come to',
  }),
  batchLines: setting(integer({ min: 1, max: 1_000_000 }).default(10_000), {
    env: 'BATCH_LINES',
    about: 'most lines of one batch of registrations',
  }),
  batchSilenceSeconds: setting(integer({ min: 1, max: 3_600 }).default(30), {
    env: 'BATCH_SILENCE_SECONDS',
    about: 'time without a byte after which a batch is taken for ended',
  }),
  imageBytes: setting(integer({ min: 1, max: 64 * MEBIBYTE }).default(5_000_000), {
    env: 'IMAGE_LIMIT_BYTES',
    about: 'largest image, decoded',
  }),
  pdfBytes: setting(integer({ min: 1, max: 64 * MEBIBYTE }).default(10_000_000), {
    env: 'PDF_LIMIT_BYTES',
    about: 'largest PDF, decoded',
  }),
  videoBytes: setting(integer({ min: 1, max: 64 * MEBIBYTE }).default(10_000_000), {
    env: 'VIDEO_LIMIT_BYTES',
    about: 'largest video, decoded',
  }),
  bufferedBytes: setting(integer({ min: MEBIBYTE, max: 64 * GIBIBYTE }).default(256 * MEBIBYTE), {
    env: 'BUFFERED_LIMIT_BYTES',
    about:
      'bodies held in memory at once, all requests together; beyond it a call is answered 503, and 429 a partner or operator who holds half, or an eighth while less than a quarter is free',
  }),
  refusedFileBytes: setting(integer({ min: MEBIBYTE, max: 64 * GIBIBYTE }).default(512 * MEBIBYTE), {
    env: 'REFUSED_FILES_LIMIT_BYTES',
    about:
      'of one partner, files in the evidence store whose calls are under way or were refused within the hour; beyond it a call with more than 256 kB of files is answered 429',
  }),
  publicBytes: setting(integer({ min: 256 * 1024, max: GIBIBYTE }).default(4 * MEBIBYTE), {
    env: 'PUBLIC_BUFFERED_LIMIT_BYTES',
    about:
      'the same for claims, sign-ins, `/oauth/token` and OCSP, each for itself; an address holds a sixteenth at most, else 429. Where it is used up a new body ends the oldest that still arrives, which gets the 503',
  }),
});

const claimPageSettings = z.object({
  maxStreams: setting(integer({ min: 0, max: 9_000 }).default(1_000), {
    env: 'CLAIM_PROGRESS_STREAMS',
    about:
      'claim pages that are told of progress as it happens, at once, per copy; others reload now and then',
  }),
});

const docsSettings = z.object({
  site: setting(z.string().default('site'), {
    env: 'DOCS_SITE',
    about:
      'folder of the built documentation, from the working directory; `/docs` answers 503 while it is absent',
  }),
  sdkPackage: setting(z.string().optional(), {
    env: 'SDK_PACKAGE',
    about:
      'file that `npm pack` made of the SDK; `/docs` offers it for download, and answers 404 while there is none',
  }),
});

export const gatewaySettings = serviceSettings.extend({
  nats: natsSettings,
  keys: keySettings,
  http: httpSettings,
  rateLimits: rateLimitSettings,
  limits: limitSettings,
  claimPage: claimPageSettings,
  docs: docsSettings,
  evidence: evidenceStoreSettings,
});

export type GatewayConfig = z.output<typeof gatewaySettings>;

/**
 * Reads the settings.
 * @throws ConfigError with all faults at once
 */
export function readConfig(env: Environment = process.env): GatewayConfig {
  return loadConfig(gatewaySettings, env);
}
