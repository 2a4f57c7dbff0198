import { maxPkcs12Iterations } from '@rubrica/pki';
import {
  address,
  ConfigError,
  databaseSettings,
  type Environment,
  integer,
  keySettings,
  loadConfig,
  logSettings,
  natsSettings,
  provisionSettings,
  serviceSettings,
  setting,
} from '@rubrica/process';
import { z } from 'zod';
import { type RootConfig, rootSettings } from './ca/root/root-settings.ts';
import { profileSettings } from './issuance/profile-settings.ts';
import { authoritySettings, makingAuthoritySettings } from './issuers/authority-settings.ts';

const addressSettings = z.object({
  base: setting(address(['http:', 'https:']), { env: 'BASE_URL', about: "the gateway's public address" }),
  pki: setting(address(['http:']).optional(), {
    env: 'PKI_BASE_URL',
    about: 'http address under which certificates, CRL and OCSP are published; BASE_URL where that is http',
  }),
});

const subscriberKeySettings = z.object({
  poolSize: setting(integer({ min: 0, max: 10_000 }).default(128), {
    env: 'KEY_POOL_SIZE',
    about:
      'RSA keys made ahead of each kind that is used, while a core is free and once half are used, in memory, each used once; 0: none',
  }),
});

const workSettings = z.object({
  slots: setting(integer({ min: 1, max: 256 }).default(16), {
    env: 'WORKER_SLOTS',
    about: 'certificates under way at once in one copy',
  }),
  leaseSeconds: setting(integer({ min: 1, max: 600 }).default(30), {
    env: 'ISSUANCE_LEASE_SECONDS',
    about: 'how long a copy that has died keeps its certificates from the others',
  }),
  maxStarts: setting(integer({ min: 1, max: 100 }).default(5), {
    env: 'ISSUANCE_MAX_STARTS',
    about: 'starts of one certificate that end in a crash before it is given up',
  }),
  bundleRetentionDays: setting(integer({ min: 1, max: 365 }).default(30), {
    env: 'BUNDLE_RETENTION_DAYS',
    about: 'days until PKCS#12 file and password are destroyed',
  }),
  orderStatements: setting(z.enum(['required', 'accepted']).default('required'), {
    env: 'ORDER_STATEMENTS',
    about:
      '`required`: a certificate is issued from what intake has signed, and from nothing else. `accepted`: also from an order without a statement, for as long as intake of the release before runs beside',
  }),
  sweepSeconds: setting(integer({ min: 1, max: 3_600 }).default(30), {
    env: 'SWEEP_INTERVAL_SECONDS',
    about: 'pause between two rounds of cleaning up',
  }),
});

/** Rounds of a PKCS#12 file's key and of its MAC; fewer than the defaults would be too few for who makes the password. */
function iterations(least: number) {
  return integer({ min: least, max: maxPkcs12Iterations }).default(least);
}
const iterationSettings = z.object({
  service: setting(iterations(2_048), {
    env: 'PKCS12_ITERATIONS_SERVICE',
    about: 'rounds for each guess at a PKCS#12 file whose password was made here; at most 600000',
  }),
  partner: setting(iterations(10_000), {
    env: 'PKCS12_ITERATIONS_PARTNER',
    about: 'the same where a partner gave the password',
  }),
  applicant: setting(iterations(100_000), {
    env: 'PKCS12_ITERATIONS_APPLICANT',
    about: 'the same where the applicant chose it',
  }),
});

/** How soon a change of status is seen, and for how long what was signed about it counts. */
const statusSettings = z.object({
  maxAgeSeconds: setting(integer({ min: 0, max: 3_600 }).default(15), {
    env: 'STATUS_MAX_AGE_SECONDS',
    about: 'time for which caches may keep a CRL or an OCSP answer',
  }),
  crlShards: setting(integer({ min: 1, max: 4_096 }).default(1), {
    env: 'CRL_SHARDS',
    about:
      'CRLs over which new certificates are spread, beside the complete one; with 1 there is the complete one alone',
  }),
  crlCheckSeconds: setting(integer({ min: 1, max: 60 }).default(5), {
    env: 'CRL_CHECK_SECONDS',
    about: 'pause between two looks for a CRL that must be signed anew',
  }),
  crlLifetimeHours: setting(integer({ min: 1, max: 8_784 }).default(24), {
    env: 'CRL_LIFETIME_HOURS',
    about: 'time from a CRL to its nextUpdate; the next one is signed after half of it at the latest',
  }),
  rootCrlLifetimeDays: setting(integer({ min: 1, max: 366 }).default(180), {
    env: 'ROOT_CRL_LIFETIME_DAYS',
    about: "the same for the built-in root's CRL",
  }),
  crlDeltaFromEntries: setting(integer({ min: 1, max: 100_000_000 }).default(20_000), {
    env: 'CRL_DELTA_FROM_ENTRIES',
    about:
      'entries from which a complete CRL gets a delta, `{name}-delta.crl`, which is signed at every change in its stead',
  }),
  crlDeltaLifetimeMinutes: setting(integer({ min: 2, max: 10_080 }).default(60), {
    env: 'CRL_DELTA_LIFETIME_MINUTES',
    about: 'time from a delta CRL to its nextUpdate; the next one is signed after half of it at the latest',
  }),
  crlCompleteMinutes: setting(integer({ min: 1, max: 10_080 }).default(15), {
    env: 'CRL_COMPLETE_MINUTES',
    about: 'time from one complete CRL that has a delta to the next, when there are changes',
  }),
  crlLeaseSeconds: setting(integer({ min: 1, max: 600 }).default(30), {
    env: 'CRL_LEASE_SECONDS',
    about: 'how long a copy that dies while it signs a CRL keeps it from the others',
  }),
  ocspLifetimeHours: setting(integer({ min: 1, max: 240 }).default(12), {
    env: 'OCSP_LIFETIME_HOURS',
    about: 'time from an OCSP answer to its nextUpdate; asked for in its last half it is signed anew',
  }),
  ocspFreshAtOnce: setting(integer({ min: 1, max: 256 }).default(8), {
    env: 'OCSP_FRESH_AT_ONCE',
    about: 'OCSP answers that are signed at once for nonces and unknown serials; beyond it: tryLater',
  }),
});

/** What the running service needs. */
export const settings = serviceSettings.extend({
  nats: natsSettings,
  database: databaseSettings,
  keys: keySettings,
  address: addressSettings,
  authority: authoritySettings,
  profile: profileSettings,
  subscriberKeys: subscriberKeySettings,
  work: workSettings,
  iterations: iterationSettings,
  status: statusSettings,
});

/** What the step before it needs: the owner's rights, which the running service never holds. */
export const provisioningSettings = z.object({
  log: logSettings,
  nats: natsSettings.pick({ url: true, apiPrefix: true }),
  database: databaseSettings,
  keys: keySettings,
  provision: provisionSettings.omit({ seedFile: true, baseUrl: true }),
  address: addressSettings,
  authority: makingAuthoritySettings,
});

/** What the key ceremony needs: no bus and, where it must, no database, so that it works while all else stands still. */
export const ceremonySettings = z.object({
  database: z.object({
    url: setting(address(['postgres:', 'postgresql:']).optional(), {
      env: 'DATABASE_URL',
      about:
        'PostgreSQL, as the role that reads and writes rows only; without it the audit log does not tell',
      secret: true,
    }),
  }),
  keys: keySettings,
  address: addressSettings,
  authority: makingAuthoritySettings,
});

/** What the command for forgotten certificates needs: the owner's rights, and what authorities there are. */
const forgottenSettings = z.object({
  log: logSettings,
  databaseOwnerUrl: provisionSettings.shape.databaseOwnerUrl,
  authority: authoritySettings.pick({ directory: true }),
});

type Addressed<Config extends { address: { base: string; pki?: string | undefined } }> = Omit<
  Config,
  'address'
> & {
  address: { base: string; pki: string };
};
export type GenerationConfig = Addressed<z.output<typeof settings>>;
export type ProvisioningConfig = Addressed<z.output<typeof provisioningSettings>>;
export type CeremonyConfig = Addressed<z.output<typeof ceremonySettings>>;

/** @throws ConfigError with all faults at once */
export function readConfig(env: Environment = process.env): GenerationConfig {
  return withPkiAddress(loadConfig(settings, env));
}

/** @throws ConfigError with all faults at once */
export function readProvisioningConfig(env: Environment = process.env): ProvisioningConfig {
  return withPkiAddress(loadConfig(provisioningSettings, env));
}

/** @throws ConfigError with all faults at once */
export function readCeremonyConfig(env: Environment = process.env): CeremonyConfig {
  return withPkiAddress(loadConfig(ceremonySettings, env));
}

/** @throws ConfigError with all faults at once */
export function readForgottenConfig(env: Environment = process.env): z.output<typeof forgottenSettings> {
  return loadConfig(forgottenSettings, env);
}

/** @throws ConfigError with all faults at once */
export function readRootConfig(env: Environment = process.env): RootConfig {
  const config = loadConfig(rootSettings, env);
  return { ...config, pki: config.pki.replace(/\/{1,9}$/, '') };
}

/**
 * Certificates must name http addresses: to fetch over https a program would need the certificates it is about to
 * check (RFC 5280 §8). The linter would stop every certificate; better to hear of it at the start.
 */
function withPkiAddress<Config extends { address: { base: string; pki?: string | undefined } }>(
  config: Config,
): Addressed<Config> {
  const { base, pki } = config.address;
  const chosen = pki ?? (base.startsWith('http:') ? base : undefined);
  if (chosen === undefined) {
    throw new ConfigError([
      'PKI_BASE_URL is required where BASE_URL is not http: certificates name http addresses',
    ]);
  }
  return { ...config, address: { base, pki: chosen.replace(/\/{1,9}$/, '') } };
}
