import * as fields from '@rubrica/contracts/shared/fields';
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
} from '@rubrica/process/config';
import { readNetworks } from '@rubrica/process/networks';
import { z } from 'zod';

/** Creates a setting of addresses and CIDR blocks, separated by commas. */
function networks() {
  return commaList().superRefine((texts, context) => {
    try {
      readNetworks(texts);
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : 'must be networks');
    }
  });
}

const webhookSettings = z.object({
  allowLoopback: setting(flag().default(false), {
    env: 'CALLBACK_ALLOW_LOOPBACK',
    about: 'webhooks may go to loopback addresses, over http and at any port too: for development only',
  }),
  allowedNetworks: setting(networks().default([]), {
    env: 'CALLBACK_ALLOWED_NETWORKS',
    about: 'addresses and networks (CIDR) that may be called though not public, divided by commas',
  }),
  timeoutSeconds: setting(integer({ min: 1, max: 60 }).default(15), {
    env: 'WEBHOOK_TIMEOUT_SECONDS',
    about: 'time for one attempt in all: name, connection, TLS, sending, the answer with its body',
  }),
  concurrency: setting(integer({ min: 1, max: 10_000 }).default(512), {
    env: 'WEBHOOK_CONCURRENCY',
    about: 'attempts under way at once, per copy',
  }),
  concurrencyPerDestination: setting(integer({ min: 1, max: 1_000 }).default(16), {
    env: 'WEBHOOK_CONCURRENCY_PER_DESTINATION',
    about: 'attempts under way at once to one scheme, host and port, per copy',
  }),
  disableAfterHours: setting(integer({ min: 1, max: 8_760 }).default(120), {
    env: 'WEBHOOK_DISABLE_AFTER_HOURS',
    about: 'a destination that has only failed for so long gets no more webhooks until it is enabled again',
  }),
  deliveryStatements: setting(z.enum(['required', 'accepted']).default('required'), {
    env: 'DELIVERY_STATEMENTS',
    about:
      '`required`: a webhook is sent where intake has signed that it may go, and nowhere else. `accepted`: also by a grant without a statement, for as long as intake of the release before runs beside',
  }),
  operatorAlertEmail: setting(fields.email.optional(), {
    env: 'OPERATOR_ALERT_EMAIL',
    about: 'is told by e-mail when a destination is disabled',
  }),
});

const dkimSettings = z
  .object({
    domain: setting(z.string().optional(), {
      env: 'DKIM_DOMAIN',
      about: 'domain in whose name mails are signed (DKIM); needed with `DKIM_KEY_FILE`',
    }),
    selector: setting(z.string().optional(), {
      env: 'DKIM_SELECTOR',
      about: "name of the key's record under `_domainkey` of that domain; needed with `DKIM_KEY_FILE`",
    }),
    keyFile: setting(z.string().optional(), {
      env: 'DKIM_KEY_FILE',
      about: 'file with the RSA private key, as PEM; without it mails are not signed here',
    }),
  })
  .refine(
    ({ domain, selector, keyFile }) =>
      new Set([domain, selector, keyFile].map((value) => value === undefined)).size === 1,
    'DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE belong together: set all three or none',
  );

const mailSettings = z.object({
  smtpUrl: setting(address(['smtp:', 'smtps:']), {
    env: 'SMTP_URL',
    about: 'mail server, with user and password where it asks for them',
    secret: true,
  }),
  from: setting(z.string().regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an address or "Name <address>"'), {
    env: 'MAIL_FROM',
    about: 'sender of mails: an address or `Name <address>`',
  }),
  concurrency: setting(integer({ min: 1, max: 100 }).default(4), {
    env: 'MAIL_CONCURRENCY',
    about:
      'connections to the mail server, per copy; four more serve codes alone, two of them codes that revoke',
  }),
  dkim: dkimSettings,
});

const smsSettings = z.object({
  url: setting(address(['http:', 'https:']).optional(), {
    env: 'SMS_URL',
    about: 'where SMS are posted to; without it codes can go by e-mail only',
    secret: true,
  }),
  token: setting(
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be printable characters without blanks')
      .optional(),
    { env: 'SMS_TOKEN', about: 'bearer token for the SMS provider', secret: true },
  ),
  timeoutSeconds: setting(integer({ min: 1, max: 15 }).default(10), {
    env: 'SMS_TIMEOUT_SECONDS',
    about: 'time for one attempt in all at the SMS provider',
  }),
  concurrency: setting(integer({ min: 1, max: 1_000 }).default(8), {
    env: 'SMS_CONCURRENCY',
    about: 'calls to the SMS provider at once, per copy; a quarter of them for codes that revoke',
  }),
});

/** Settings of the running service. */
export const settings = serviceSettings.extend({
  nats: natsSettings,
  database: databaseSettings,
  keys: keySettings,
  baseUrl: setting(address(['http:', 'https:']), {
    env: 'BASE_URL',
    about: "the gateway's origin, for links in mails",
  }),
  webhook: webhookSettings,
  mail: mailSettings,
  sms: smsSettings,
});
export type NotifierConfig = z.output<typeof settings>;

/** Settings of provisioning. They include the owner's URL, which the running service never has. */
export const provisioningSettings = z.object({
  log: logSettings,
  database: databaseSettings,
  nats: natsSettings.pick({ url: true, apiPrefix: true }),
  provision: provisionSettings.omit({ seedFile: true }),
});
export type ProvisioningConfig = z.output<typeof provisioningSettings>;

/**
 * Reads the settings of the running service.
 * @throws ConfigError with all faults at once
 */
export function readConfig(env: Environment = process.env): NotifierConfig {
  return loadConfig(settings, env);
}

/**
 * Reads the settings of provisioning.
 * @throws ConfigError with all faults at once
 */
export function readProvisioningConfig(env: Environment = process.env): ProvisioningConfig {
  return loadConfig(provisioningSettings, env);
}
