import {
  address,
  databaseSettings,
  type Environment,
  flag,
  integer,
  keySettings,
  loadConfig,
  logSettings,
  natsSettings,
  provisionSettings,
  serviceSettings,
  setting,
} from '@rubrica/service';
import { z } from 'zod';

const ruleSettings = z.object({
  callbackAllowLoopback: setting(flag().default(false), {
    env: 'CALLBACK_ALLOW_LOOPBACK',
    about: 'accepts callback addresses on this machine; for the embedded stack and tests',
  }),
  claimWindowDays: setting(integer({ min: 1, max: 365 }).default(50), {
    env: 'CLAIM_WINDOW_DAYS',
    about: 'days an applicant has to claim',
  }),
  errorWindowDays: setting(integer({ min: 1, max: 365 }).default(50), {
    env: 'ERROR_WINDOW_DAYS',
    about: 'days a request may stay in error before it expires',
  }),
  resendIntervalSeconds: setting(integer({ min: 0, max: 86_400 }).default(60), {
    env: 'RESEND_INTERVAL_SECONDS',
    about: 'seconds between two claim mails of a request',
  }),
  claimCodeChannel: setting(z.enum(['sms', 'email']).default('sms'), {
    env: 'CLAIM_CODE_CHANNEL',
    about: 'where codes go: `sms`, or `email` (the second one, else the first)',
  }),
  codeIntervalSeconds: setting(integer({ min: 0, max: 300 }).default(20), {
    env: 'CLAIM_CODE_INTERVAL_SECONDS',
    about: 'seconds between two codes of a request, unless the one before was used',
  }),
  retention: z.object({
    issuedDays: setting(integer({ min: 1, max: 36_530 }).default(3_653), {
      env: 'EVIDENCE_RETENTION',
      about:
        'days after the end of a certificate for which evidence and personal data of its request are kept',
    }),
    unissuedDays: setting(integer({ min: 1, max: 36_530 }).default(90), {
      env: 'EVIDENCE_RETENTION_UNISSUED_DAYS',
      about: 'the same after the end of a request for which nothing was issued',
    }),
  }),
});

/** What the running service needs. */
export const settings = serviceSettings.extend({
  nats: natsSettings,
  database: databaseSettings,
  keys: keySettings,
  rules: ruleSettings,
  baseUrl: setting(address(['http:', 'https:']), {
    env: 'BASE_URL',
    about: 'address of the gateway as partners and applicants see it',
  }),
  workers: setting(integer({ min: 1, max: 256 }).default(16), {
    env: 'VALIDATION_WORKERS',
    about: 'validations at once in this copy',
  }),
});
export type IntakeConfig = z.output<typeof settings>;

/** What the step before it needs: the owner's rights, which the running service never holds. */
export const provisioningSettings = z.object({
  log: logSettings,
  nats: natsSettings.pick({ url: true }),
  database: databaseSettings,
  keys: keySettings,
  provision: provisionSettings,
});
export type ProvisioningConfig = z.output<typeof provisioningSettings>;

/** @throws ConfigError with all faults at once */
export function readConfig(env: Environment = process.env): IntakeConfig {
  return loadConfig(settings, env);
}

/** @throws ConfigError with all faults at once */
export function readProvisioningConfig(env: Environment = process.env): ProvisioningConfig {
  return loadConfig(provisioningSettings, env);
}
