import { email } from '@rubrica/contracts/shared/fields';
import { evidenceStoreSettings } from '@rubrica/evidence-store';
import {
  address,
  commaList,
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
} from '@rubrica/process';
import { z } from 'zod';
import { openIdSettings } from './access/openid/openid-settings.ts';
import { issuerSettings } from './access/partners/issuers/issuer-settings.ts';
import { passkeySettings } from './access/passkeys/passkey-settings.ts';
import { isOutsideSystemAddress } from './outside/outside-address.ts';
import { lockSettings, objectLockFault } from './requests/evidence/lock/lock-settings.ts';
import { moveSettings } from './requests/evidence/move/move-settings.ts';
import { scrubSettings } from './requests/evidence/scrub/scrub-settings.ts';
import {
  fileCheckerSettings as checkerSettings,
  checkerTlsFault,
  type FileCheckerConfig,
  fileSettings,
  hasCheckerTls,
} from './requests/file-checks/file-settings.ts';
import { mostSpreadHours } from './requests/request/reminder-rule.ts';

const GIBIBYTE = 1024 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

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
  dualControl: setting(z.enum(['required', 'off']).default('required'), {
    env: 'DUAL_CONTROL',
    about:
      '`required`: what loosens a rule takes two administrators, in all services. `off`: one is enough; the overview warns of it',
  }),
  reviewDigests: setting(z.enum(['required', 'accepted']).default('accepted'), {
    env: 'REVIEW_DIGESTS',
    about:
      '`required`: a review is decided with the digest that `reviews.get` gave, so that it rests on what was shown. `accepted`: also without one, by dashboards written for the release before',
  }),
  reminders: z.object({
    spreadHours: setting(integer({ min: 0, max: mostSpreadHours }).default(6), {
      env: 'REMINDER_SPREAD_HOURS',
      about:
        'hours over which the reminders of certificates that end at the same moment are spread, each at its own place',
    }),
    perSecond: setting(integer({ min: 1, max: 10_000 }).default(60), {
      env: 'REMINDERS_PER_SECOND',
      about: 'reminders of the end of certificates a second, of all copies together',
    }),
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

const bearerToken = z.string().regex(/^[\x21-\x7e]{1,1024}$/, 'must be printable characters without blanks');
const outsideAddress = z
  .string()
  .refine(
    isOutsideSystemAddress,
    'must be an https address (http on this machine only) without user, query and fragment',
  );

const outsideSystems = ['civilRegistry', 'taxRegistry', 'liveness'] as const;

const outsideSettings = z.object({
  civilRegistry: z.object({
    url: setting(outsideAddress.optional(), {
      env: 'REGISTRY_URL',
      about: 'base address of the civil registry, or of an adapter in front of it; needed unless `SANDBOX`',
    }),
    token: setting(bearerToken.optional(), {
      env: 'REGISTRY_TOKEN',
      about: 'bearer token for the civil registry; needed unless `SANDBOX`',
      secret: true,
    }),
  }),
  taxRegistry: z.object({
    url: setting(outsideAddress.optional(), {
      env: 'TAX_REGISTRY_URL',
      about: 'the same for the tax registry; needed unless `SANDBOX`',
    }),
    token: setting(bearerToken.optional(), {
      env: 'TAX_REGISTRY_TOKEN',
      about: 'bearer token for the tax registry; needed unless `SANDBOX`',
      secret: true,
    }),
  }),
  liveness: z.object({
    url: setting(outsideAddress.optional(), {
      env: 'LIVENESS_URL',
      about: 'the same for proofs of life; needed unless `SANDBOX`',
    }),
    token: setting(bearerToken.optional(), {
      env: 'LIVENESS_TOKEN',
      about: 'bearer token for proofs of life; needed unless `SANDBOX`',
      secret: true,
    }),
  }),
  timeoutSeconds: setting(integer({ min: 1, max: 8 }).default(8), {
    env: 'REGISTRY_TIMEOUT_SECONDS',
    about: 'time for one try at a registry or at liveness, of the nine seconds that a call has in all',
  }),
});

const tokenSettings = z.object({
  lifetimeSeconds: setting(integer({ min: 60, max: 86_400 }).default(1_800), {
    env: 'TOKEN_LIFETIME_SECONDS',
    about: "life of a partner's access token",
  }),
});

const operatorSessionSettings = z.object({
  name: setting(z.string().min(1).max(60).default('Rubrica'), {
    env: 'OPERATOR_SIGN_IN_NAME',
    about: "what operators' authenticators show as the place that they sign in at",
  }),
  accessSeconds: setting(integer({ min: 60, max: 3_600 }).default(600), {
    env: 'OPERATOR_TOKEN_LIFETIME_SECONDS',
    about: "life of an operator's access token",
  }),
  lifeHours: setting(integer({ min: 1, max: 168 }).default(12), {
    env: 'OPERATOR_SESSION_HOURS',
    about: "hours after which an operator's session ends, however often its tokens are renewed",
  }),
});

const consoleAddress = address(['http:', 'https:']).transform((url) => url.replace(/\/{1,9}$/, ''));
const ofConsole = {
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
  consoleUrl: setting(consoleAddress.optional(), ofConsole),
  tokens: tokenSettings,
  operatorSessions: operatorSessionSettings,
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

/** What the running service needs. Answering from nowhere would approve people nobody has checked. */
export const settings = allSettings.superRefine(
  ({ sandbox, outside, consoleUrl, evidence, lock, files }, context) => {
    if (files !== undefined && !hasCheckerTls(files)) context.addIssue(checkerTlsFault);
    const fault = objectLockFault({ store: evidence?.store, mode: lock?.mode });
    if (fault !== undefined) context.addIssue({ code: 'custom', path: ['lock', 'mode'], message: fault });
    if (sandbox === false && consoleUrl === undefined)
      context.addIssue({ code: 'custom', path: ['consoleUrl'], message: 'is required' });
    for (const system of outsideSystems)
      for (const part of ['url', 'token'] as const)
        if (sandbox === false && outside?.[system]?.[part] === undefined)
          context.addIssue({ code: 'custom', path: ['outside', system, part], message: 'is required' });
  },
  // Also beside other faults: whoever sets a service up is told all of them at once.
  { when: () => true },
);
export type IntakeConfig = z.output<typeof settings>;

/** What the step before it needs: the owner's rights, which the running service never holds. */
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
      .transform((emails) => [...new Set(emails.map((one) => one.toLowerCase()))])
      .refine((emails) => emails.every((one) => email.safeParse(one).success), 'must be e-mail addresses')
      .refine((emails) => [0, 2].includes(emails.length), 'must be two addresses')
      .default([]),
    {
      env: 'FIRST_ADMINISTRATORS',
      about:
        'e-mail addresses of the first two administrators, divided by a comma; each gets a link to choose a password',
    },
  ),
});
/** What the break-glass command needs: the owner's rights too. */
const breakGlassSettings = z.object({
  log: logSettings,
  keys: keySettings,
  databaseOwnerUrl: provisionSettings.shape.databaseOwnerUrl,
  consoleUrl: setting(consoleAddress, ofConsole),
});

/** Needs of the file checker where it runs for itself. */
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
