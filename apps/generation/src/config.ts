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
} from '@rubrica/process/config';
import { z } from 'zod';
import { type RootConfig, rootSettings } from './ca/root/root-settings.ts';
import { profileSettings } from './issuance/profile-settings.ts';
import { authoritySettings, newAuthoritySettings } from './issuers/authority-settings.ts';

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

/**
 * Creates the setting for PKCS#12 iterations of key and MAC. A value below the default is too weak for the origin of
 * the password.
 */
function iterations(minimum: number) {
  return integer({ min: minimum, max: maxPkcs12Iterations }).default(minimum);
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

/** Settings of status publication: how fast a change is visible, and how long signed status is valid. */
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

/** Settings of the running service. */
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

/** Settings of provisioning. They include the owner's URL, which the running service never has. */
export const provisioningSettings = z.object({
  log: logSettings,
  nats: natsSettings.pick({ url: true, apiPrefix: true }),
  database: databaseSettings,
  keys: keySettings,
  provision: provisionSettings.omit({ seedFile: true, baseUrl: true }),
  address: addressSettings,
  authority: newAuthoritySettings,
});

/** Settings of the key ceremony. They need no bus and, if necessary, no database, so that it works during an outage. */
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
  authority: newAuthoritySettings,
});

/** Settings of the command for forgotten certificates: the owner's URL and the folder of authorities. */
const forgottenSettings = z.object({
  log: logSettings,
  databaseOwnerUrl: provisionSettings.shape.databaseOwnerUrl,
  authority: authoritySettings.pick({ directory: true }),
});

type WithPkiAddress<Config extends { address: { base: string; pki?: string | undefined } }> = Omit<
  Config,
  'address'
> & {
  address: { base: string; pki: string };
};
export type GenerationConfig = WithPkiAddress<z.output<typeof settings>>;
export type ProvisioningConfig = WithPkiAddress<z.output<typeof provisioningSettings>>;
export type CeremonyConfig = WithPkiAddress<z.output<typeof ceremonySettings>>;

/**
 * Reads the settings of the running service.
 * @throws ConfigError with all faults at once
 */
export function readConfig(env: Environment = process.env): GenerationConfig {
  return withPkiAddress(loadConfig(settings, env));
}

/**
 * Reads the settings of provisioning.
 * @throws ConfigError with all faults at once
 */
export function readProvisioningConfig(env: Environment = process.env): ProvisioningConfig {
  return withPkiAddress(loadConfig(provisioningSettings, env));
}

/**
 * Reads the settings of the key ceremony.
 * @throws ConfigError with all faults at once
 */
export function readCeremonyConfig(env: Environment = process.env): CeremonyConfig {
  return withPkiAddress(loadConfig(ceremonySettings, env));
}

/**
 * Reads the settings of the command for forgotten certificates.
 * @throws ConfigError with all faults at once
 */
export function readForgottenConfig(env: Environment = process.env): z.output<typeof forgottenSettings> {
  return loadConfig(forgottenSettings, env);
}

/**
 * Reads the settings of the root.
 * @throws ConfigError with all faults at once
 */
export function readRootConfig(env: Environment = process.env): RootConfig {
  const config = loadConfig(rootSettings, env);
  return { ...config, pki: config.pki.replace(/\/{1,9}$/, '') };
}

/**
 * Sets the http address that certificates name: fetching over https would require the certificates that a program is
 * about to check (RFC 5280 §8). The linter would stop every certificate, so this fails at the start instead.
 */
function withPkiAddress<Config extends { address: { base: string; pki?: string | undefined } }>(
  config: Config,
): WithPkiAddress<Config> {
  const { base, pki } = config.address;
  const chosen = pki ?? (base.startsWith('http:') ? base : undefined);
  if (chosen === undefined) {
    throw new ConfigError([
      'PKI_BASE_URL is required where BASE_URL is not http: certificates name http addresses',
    ]);
  }
  return { ...config, address: { base, pki: chosen.replace(/\/{1,9}$/, '') } };
}
