import { email } from '@rubrica/contracts/shared/fields';
import { evidenceStoreSettings } from '@rubrica/evidence-store';
import {
  address,
  commaList,
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
import { openIdSettings } from './access/openid/openid-settings.ts';
import { issuerSettings } from './access/partners/issuers/issuer-settings.ts';
import { passkeySettings } from './access/passkeys/passkey-settings.ts';
import { approvalRules, sessionSettings, tokenSettings } from './access/settings.ts';
import { reviewRules } from './desk/settings.ts';
import { outsideSettings, outsideSystems } from './outside/outside-settings.ts';
import { findObjectLockFault, lockSettings } from './requests/evidence/lock/lock-settings.ts';
import { moveSettings } from './requests/evidence/move/move-settings.ts';
import { scrubSettings } from './requests/evidence/scrub/scrub-settings.ts';
import {
  fileCheckerSettings as checkerSettings,
  checkerTlsFault,
  type FileCheckerConfig,
  fileSettings,
  hasCheckerTls,
} from './requests/file-checks/file-settings.ts';
import { reminderSettings, requestRules, retentionSettings } from './requests/settings.ts';

const GIBIBYTE = 1024 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

const ruleSettings = z.object({
  ...requestRules.shape,
  ...approvalRules.shape,
  ...reviewRules.shape,
  reminders: reminderSettings,
  retention: retentionSettings,
});

const consoleAddress = address(['http:', 'https:']).transform((url) => url.replace(/\/{1,9}$/, ''));
const consoleUrlSetting = {
  env: 'CONSOLE_URL',
  about:
    "address of the operators' console as they see it; stands in e-mails to them; needed unless `SANDBOX`",
} as const;

const allSettings = serviceSettings.extend({
  nats: natsSettings,
  database: databaseSettings,
  keys: keySettings,
  rules: ruleSettings,
  baseUrl: setting(
    address(['http:', 'https:']).transform((url) => url.replace(/\/{1,9}$/, '')),
    { env: 'BASE_URL', about: 'address of the gateway as partners and applicants see it; issuer of tokens' },
  ),
  consoleUrl: setting(consoleAddress.optional(), consoleUrlSetting),
  tokens: tokenSettings,
  operatorSessions: sessionSettings,
  operatorPasskeys: passkeySettings,
  passwordHashes: setting(integer({ min: 1, max: 256 }).optional(), {
    env: 'PASSWORD_HASHES_AT_ONCE',
    about:
      'passwords of operators that this copy hashes at once; without it two for each core. Twenty more wait, others get 429',
  }),
  issuers: issuerSettings,
  operatorOpenId: openIdSettings,
  workers: setting(integer({ min: 1, max: 256 }).default(16), {
    env: 'VALIDATION_WORKERS',
    about: 'validations at once in this copy',
  }),
  outside: outsideSettings,
  files: fileSettings,
  evidence: evidenceStoreSettings,
  scrub: scrubSettings,
  move: moveSettings,
  lock: lockSettings,
});

/**
 * Settings of the running service. Outside systems are required unless `SANDBOX`: without them people would
 * be approved unchecked.
 */
export const settings = allSettings.superRefine(
  ({ sandbox, outside, consoleUrl, evidence, lock, files }, context) => {
    if (files !== undefined && !hasCheckerTls(files)) context.addIssue(checkerTlsFault);
    const fault = findObjectLockFault({ store: evidence?.store, mode: lock?.mode });
    if (fault !== undefined) context.addIssue({ code: 'custom', path: ['lock', 'mode'], message: fault });
    if (sandbox === false && consoleUrl === undefined)
      context.addIssue({ code: 'custom', path: ['consoleUrl'], message: 'is required' });
    for (const system of outsideSystems)
      for (const part of ['url', 'token'] as const)
        if (sandbox === false && outside?.[system]?.[part] === undefined)
          context.addIssue({ code: 'custom', path: ['outside', system, part], message: 'is required' });
  },
  // Runs despite other faults, so that all faults are reported at once.
  { when: () => true },
);
export type IntakeConfig = z.output<typeof settings>;

/** Settings of the provisioning step. It uses the owner's rights, which the running service never holds. */
export const provisioningSettings = z.object({
  log: logSettings,
  nats: natsSettings.pick({ url: true, apiPrefix: true }),
  database: databaseSettings,
  keys: keySettings,
  provision: provisionSettings,
  evidenceBucketBytes: setting(integer({ min: MEBIBYTE, max: 1_000_000 * GIBIBYTE }).default(2 * GIBIBYTE), {
    env: 'EVIDENCE_BUCKET_BYTES',
    about: 'most that evidence in NATS may come to, on each replica; raised where it is less, never lowered',
  }),
  adoptHours: setting(integer({ min: 0, max: 168 }).optional(), {
    env: 'ADOPT_REQUESTS_HOURS',
    about:
      'hours from now for which requests that copies of the release before write are taken over, at a rolling upgrade or after a roll-back; 0 once no such copy runs any more. Without it those that were there at the upgrade are taken over, for a day',
  }),
  firstAdministrators: setting(
    commaList()
      .transform((emails) => [...new Set(emails.map((entry) => entry.toLowerCase()))])
      .refine((emails) => emails.every((entry) => email.safeParse(entry).success), 'must be e-mail addresses')
      .refine((emails) => [0, 2].includes(emails.length), 'must be two addresses')
      .default([]),
    {
      env: 'FIRST_ADMINISTRATORS',
      about:
        'e-mail addresses of the first two administrators, divided by a comma; each gets a link to choose a password',
    },
  ),
});
/** Settings of the break-glass command, which uses the owner's rights too. */
const breakGlassSettings = z.object({
  log: logSettings,
  keys: keySettings,
  databaseOwnerUrl: provisionSettings.shape.databaseOwnerUrl,
  consoleUrl: setting(consoleAddress, consoleUrlSetting),
});

/** Settings of the file checker when it runs as its own process. */
export const fileCheckerSettings = checkerSettings;

export type ProvisioningConfig = z.output<typeof provisioningSettings>;

/** @throws ConfigError with all faults at once */
export function readConfig(env: Environment = process.env): IntakeConfig {
  return loadConfig(settings, env);
}

/** @throws ConfigError with all faults at once */
export function readProvisioningConfig(env: Environment = process.env): ProvisioningConfig {
  return loadConfig(provisioningSettings, env);
}

/** @throws ConfigError with all faults at once */
export function readBreakGlassConfig(env: Environment = process.env): z.output<typeof breakGlassSettings> {
  return loadConfig(breakGlassSettings, env);
}

/** @throws ConfigError with all faults at once */
export function readFileCheckerConfig(env: Environment = process.env): FileCheckerConfig {
  return loadConfig(fileCheckerSettings, env);
}
