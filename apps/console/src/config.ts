import {
  address,
  commaList,
  type Environment,
  integer,
  loadConfig,
  serviceSettings,
  setting,
} from '@rubrica/process/config';
import { z } from 'zod';

const withoutSlash = (url: string) => url.replace(/\/{1,9}$/, '');

const httpSettings = z.object({
  host: setting(z.string().default('127.0.0.1'), {
    env: 'HOST',
    about: 'address on which operators are served',
  }),
  port: setting(integer({ min: 0, max: 65_535 }), { env: 'PORT', about: 'its port; 0 takes a free one' }),
  consoleUrl: setting(address(['http:', 'https:']).transform(withoutSlash), {
    env: 'CONSOLE_URL',
    about: 'origin under which operators reach the pages: `https:`, or `http://localhost:<port>`',
  }),
  trustProxy: setting(commaList().optional(), {
    env: 'TRUST_PROXY',
    about: 'addresses or networks of the proxies whose `X-Forwarded-For` is believed, divided by commas',
  }),
  pagesDirectory: setting(z.string().default('pages'), {
    env: 'PAGES_DIRECTORY',
    about: 'folder with the built pages; from the working directory where it is relative',
  }),
});

const gatewaySettings = z.object({
  url: setting(address(['http:', 'https:']).transform(withoutSlash), {
    env: 'GATEWAY_URL',
    about: 'origin of the gateway, which names this service in its TRUST_PROXY',
  }),
  timeoutSeconds: setting(integer({ min: 1, max: 120 }).default(30), {
    env: 'GATEWAY_TIMEOUT_SECONDS',
    about: 'time for which an answer of the gateway is waited for, and between two parts of it',
  }),
});

function cookieKeys() {
  const fault = 'must be keys of 32 bytes in base64url, divided by commas';
  return commaList()
    .transform((keys) => keys.map((key) => Buffer.from(key, 'base64url')))
    .refine((keys) => keys.length > 0 && keys.every((key) => key.length === 32), fault);
}

export const consoleSettings = serviceSettings.extend({
  http: httpSettings,
  gateway: gatewaySettings,
  openIdIssuer: setting(address(['http:', 'https:']).optional(), {
    env: 'OPERATOR_OIDC_ISSUER',
    about: "as intake's: where it is set, the sign-in page offers the organisation's OpenID provider",
  }),
  cookieKeys: setting(cookieKeys(), {
    env: 'COOKIE_KEYS',
    about:
      'keys of 32 bytes in base64url that session cookies are sealed with, divided by commas: the first seals, all open',
    secret: true,
  }),
});

export type ConsoleConfig = z.output<typeof consoleSettings>;

/**
 * Reads the settings.
 * @throws ConfigError with all faults at once
 */
export function readConfig(env: Environment = process.env): ConsoleConfig {
  return loadConfig(consoleSettings, env);
}
