import { isIP } from 'node:net';
import { importedApi } from '@rubrica/contracts/messages/accounts';
import { z } from 'zod';
import { samplers } from '../tracing/sampling.ts';
import { address, flag, integer, setting, share } from './setting.ts';

export const logSettings = z.object({
  level: setting(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'), {
    env: 'LOG_LEVEL',
    about: 'least severe level that is logged: fatal, error, warn, info, debug, trace, silent',
  }),
  format: setting(z.enum(['json', 'pretty']).default('json'), {
    env: 'LOG_FORMAT',
    about: '`json` for machines, `pretty` for a person at a terminal',
  }),
});

const managementSettings = z.object({
  host: setting(z.string().default('127.0.0.1'), {
    env: 'MANAGEMENT_HOST',
    about: 'address on which health and metrics are served',
  }),
  port: setting(integer({ min: 0, max: 65_535 }), {
    env: 'MANAGEMENT_PORT',
    about: 'port of health and metrics; 0 takes a free one',
  }),
});

const tracingSettings = z.object({
  otlpEndpoint: setting(address(['http:', 'https:']).optional(), {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    about: 'OpenTelemetry collector (OTLP over HTTP, JSON); without it no span is made',
  }),
  sampler: setting(z.enum(samplers).default('parentbased_traceidratio'), {
    env: 'OTEL_TRACES_SAMPLER',
    about:
      'which traces are kept: `parentbased_always_on`, `parentbased_traceidratio`, `parentbased_always_off`; a `traceparent` that comes with a call decides for it',
  }),
  ratio: setting(share().default(0.05), {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    about:
      'share of traces that `parentbased_traceidratio` keeps, 0 to 1; a twentieth costs status queries less than 3 % of their rate, all cost them 12 %',
  }),
});

const natsTlsDirectory = setting(z.string().optional(), {
  env: 'NATS_TLS_DIRECTORY',
  about:
    'mutual TLS to NATS: folder with `ca.pem`, and `<user>.pem` and `<user>.key` of each user; without it plain',
});

export const natsSettings = z.object({
  url: setting(z.string(), { env: 'NATS_URL', about: 'NATS servers, divided by commas', secret: true }),
  user: setting(z.string(), { env: 'NATS_USER', about: "this service's NATS user" }),
  password: setting(z.string(), { env: 'NATS_PASSWORD', about: 'its password', secret: true }),
  streamsUser: setting(z.string().optional(), {
    env: 'NATS_STREAMS_USER',
    about: 'NATS user of its connection for streams, with the same password; without it NATS_USER',
  }),
  apiPrefix: setting(z.string().default(importedApi), {
    env: 'NATS_API_PREFIX',
    about: 'what requests to JetStream begin with; `$JS.API` where one account has calls and streams',
  }),
  seals: setting(z.enum(['required', 'accepted']).default('required'), {
    env: 'BUS_SEALS',
    about:
      '`required`: calls, answers and events of other services count where their keys seal or sign them. `accepted`: also in clear, for as long as a copy of the release before runs beside',
  }),
  tlsDirectory: natsTlsDirectory,
});

const postgres = address(['postgres:', 'postgresql:']).refine(
  isPlainOrVerified,
  'sslmode must be verify-full, with sslrootcert and the name of the server, no IP address',
);

/** Accepts no TLS or `verify-full`. A mode in between would look safe, and admit a man in the middle. */
function isPlainOrVerified(text: string): boolean {
  const url = URL.parse(text);
  const mode = url?.searchParams.get('sslmode');
  if (url === null || mode === undefined || mode === null || mode === 'disable') return true;
  const isNamed = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0;
  return mode === 'verify-full' && isNamed && Boolean(url.searchParams.get('sslrootcert'));
}

export const databaseSettings = z.object({
  url: setting(postgres, {
    env: 'DATABASE_URL',
    about:
      'PostgreSQL, as the role that reads and writes rows only; with TLS: `?sslmode=verify-full&sslrootcert=<file>`',
    secret: true,
  }),
  directUrl: setting(postgres.optional(), {
    env: 'DATABASE_DIRECT_URL',
    about:
      'the same straight to PostgreSQL, where DATABASE_URL leads to a pooler in transaction mode (PgBouncer): locks and LISTEN need a session',
    secret: true,
  }),
});

/** Settings of the command `provision` only: the running service never has an owner's rights. */
export const provisionSettings = z.object({
  databaseOwnerUrl: setting(postgres, {
    env: 'DATABASE_OWNER_URL',
    about: 'PostgreSQL, as the role that owns the schema',
    secret: true,
  }),
  natsUser: setting(z.string(), {
    env: 'NATS_PROVISION_USER',
    about: 'NATS user that may create streams and consumers',
  }),
  natsPassword: setting(z.string(), {
    env: 'NATS_PROVISION_PASSWORD',
    about: 'its password',
    secret: true,
  }),
  natsTlsDirectory,
  natsReplicas: setting(integer({ min: 1, max: 5 }).default(1), {
    env: 'NATS_REPLICAS',
    about:
      'replicas of each stream and bucket: 3 on three nats-servers; raised where there are fewer, never lowered',
  }),
  sandbox: setting(flag().default(false), {
    env: 'SANDBOX',
    about:
      'as the running services have it: marks a new database as a sandbox for good; refused on any other',
  }),
  baseUrl: setting(address(['http:', 'https:']).optional(), {
    env: 'BASE_URL',
    about:
      'as the running services have it; a database of a former release on this machine alone may become a sandbox',
  }),
  adoptAuditHours: setting(integer({ min: 0, max: 168 }).optional(), {
    env: 'ADOPT_AUDIT_HOURS',
    about: 'hours in which audit entries without a MAC count, and all that are there; 0: none any more',
  }),
  seedFile: setting(z.string().optional(), {
    env: 'SEED_FILE',
    about: 'JSON file with first partners, operators and terms; present rows are left alone',
  }),
});

export const keySettings = z.object({
  keysFile: setting(z.string(), {
    env: 'KEYS_FILE',
    about: "file with this service's private keys (JWK set), shared by its copies",
  }),
  peersFile: setting(z.string(), {
    env: 'PEERS_FILE',
    about: 'file with the public keys of all services',
  }),
});

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Settings of every service. Extend them: `serviceSettings.extend({ nats: natsSettings, … })`. */
export const serviceSettings = z.object({
  log: logSettings,
  management: managementSettings,
  tracing: tracingSettings,
  timeZone: setting(
    z
      .string()
      .refine(isTimeZone, 'must be an IANA time zone such as America/Guayaquil')
      .default('America/Guayaquil'),
    { env: 'TIME_ZONE', about: 'zone of all dates that leave the product' },
  ),
  sandbox: setting(flag().default(false), {
    env: 'SANDBOX',
    about:
      'registries and liveness are answered in process, and a password alone opens a session; refused on a database that was not made as a sandbox, and beside an https `BASE_URL`',
  }),
  shutdownTimeoutSeconds: setting(integer({ min: 1, max: 600 }).default(25), {
    env: 'SHUTDOWN_TIMEOUT_SECONDS',
    about: 'time for an ordered stop; keep it under what the platform waits before it kills',
  }),
  drainDelaySeconds: setting(integer({ min: 0, max: 300 }).default(0), {
    env: 'DRAIN_DELAY_SECONDS',
    about:
      'how long it goes on answering while it says "not ready", before the stop begins: until balancers have seen it',
  }),
  revision: setting(z.string().max(64).optional(), {
    env: 'REVISION',
    about: 'commit that the program was built from, for log lines and `rubrica_build_info`; images have it',
  }),
  crashpointDirectory: setting(z.string().optional(), {
    env: 'CRASHPOINT_DIR',
    about: 'tests only: folder in which a file arms the crash point of its name',
  }),
});

export type ServiceSettings = z.output<typeof serviceSettings>;
