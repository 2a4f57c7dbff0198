import { toProvisionUser, toStreamsUser } from '@rubrica/contracts/messages/accounts';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { appRole, ownerRole } from '@rubrica/testkit/postgres';
import type { Home } from '../setup/home.ts';
import { peersFile, privateKeysFile } from '../setup/keys.ts';
import { hasDatabase } from '../setup/services.ts';
import type { StackSettings } from '../setup/settings.ts';

/** Short, so that a person who tries a rotation sees it soon. */
export const caRefreshSeconds = '5';

export const databaseName = 'rubrica';

/** Addresses that a service receives, all on loopback. */
export interface Addresses {
  readonly gatewayPort: number;
  readonly consolePort: number;
  readonly mailHttpPort: number;
  readonly mailSmtpPort: number;
  readonly natsUrl: string;
  databaseUrl(user: string, password: string): string;
}

export interface EnvironmentContext {
  readonly home: Home;
  readonly settings: StackSettings;
  readonly addresses: Addresses;
  /** True if `NATS_URL` names a server that another program runs. */
  readonly externalNats: boolean;
  readonly crashpoints: boolean;
  /** True if the gateway applies the limits of production. */
  readonly limits: boolean;
  /** NATS_TLS_DIRECTORY, where the bus has TLS. */
  readonly busTlsDirectory?: string | undefined;
  /** Folder of the built documentation, if the gateway does not contain its own. */
  readonly docsSite?: string | undefined;
  /** Settings from the caller of the stack, which take precedence over all below. */
  readonly overrides: Readonly<Record<string, string>>;
}

export function baseUrl({ gatewayPort }: Addresses) {
  return `http://127.0.0.1:${gatewayPort}`;
}

/** Composes the address with a name: browsers accept `Secure` cookies and passkeys at `localhost` without TLS. */
export function consoleUrl({ consolePort }: Addresses) {
  return `http://localhost:${consolePort}`;
}

/**
 * Half the memory that young objects may take before V8 collects them. By default it is 16 MB, with which five services
 * would idle on one machine. Where files pass through, 2 MB is too little: their buffers survive a collection, and only
 * the next mark of the whole heap frees them. With 8 MB a registration costs those services a tenth less CPU.
 */
const youngObjectsMb = 2;
const youngObjectsWithFilesMb: Partial<Record<ServiceName, number>> = { gateway: 8, intake: 8 };

/**
 * Settings of glibc for files that wait in intake's memory until they are checked. From 32 kB on, glibc gives each its
 * own mapping, and returns it when it is freed. In its heap they leave gaps: 60 to 80 MB of heap after load instead of
 * 34.
 */
const mappedFiles = { MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_TRIM_THRESHOLD_: '4194304' } as const;

/** Disables limits: here all calls come from one address, and tests call as fast as they can. */
const noLimits = {
  RATE_LIMIT_PARTNER: '0',
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_TOKEN: '0',
  CONNECTIONS_PER_ADDRESS: '0',
  CALLS_PER_ADDRESS: '0',
} as const;

/** Composes all settings of the running service, except its management port, which each copy chooses itself. */
export function serviceEnvironment(service: ServiceName, context: EnvironmentContext): NodeJS.ProcessEnv {
  const { home, settings, addresses } = context;
  return {
    ...inheritSettings(process.env),
    // In any other mode libraries add stack traces to their answers.
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: home.compileCache,
    NODE_OPTIONS:
      `--expose-gc --max-semi-space-size=${youngObjectsWithFilesMb[service] ?? youngObjectsMb} ${process.env.RUBRICA_NODE_OPTIONS ?? ''}`.trimEnd(),
    MALLOC_ARENA_MAX: '1',
    ...(service === 'intake' ? mappedFiles : {}),
    LOG_FORMAT: 'json',
    SANDBOX: 'true',
    SHUTDOWN_TIMEOUT_SECONDS: '10',
    MANAGEMENT_HOST: '127.0.0.1',
    BASE_URL: baseUrl(context.addresses),
    ...natsAccess(service, context),
    ...(context.busTlsDirectory === undefined ? {} : { NATS_TLS_DIRECTORY: context.busTlsDirectory }),
    KEYS_FILE: privateKeysFile(home, service),
    PEERS_FILE: peersFile(home),
    ...(context.crashpoints ? { CRASHPOINT_DIR: home.crashpoints } : {}),
    ...(hasDatabase(service)
      ? { DATABASE_URL: addresses.databaseUrl(appRole(service), findPassword(settings, service).appPassword) }
      : {}),
    ...ownSettings(service, context),
    ...context.overrides,
  };
}

/**
 * Composes all settings of the console's server, except its management port. They contain no password and no key of a
 * service.
 */
export function consoleEnvironment(context: EnvironmentContext): NodeJS.ProcessEnv {
  const { home, settings, addresses } = context;
  return {
    ...inheritSettings(process.env),
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: home.compileCache,
    NODE_OPTIONS: `--max-semi-space-size=${youngObjectsMb}`,
    MALLOC_ARENA_MAX: '1',
    LOG_FORMAT: 'json',
    SANDBOX: 'true',
    SHUTDOWN_TIMEOUT_SECONDS: '10',
    MANAGEMENT_HOST: '127.0.0.1',
    HOST: '127.0.0.1',
    PORT: String(addresses.consolePort),
    CONSOLE_URL: consoleUrl(addresses),
    GATEWAY_URL: baseUrl(addresses),
    COOKIE_KEYS: settings.consoleCookieKey ?? '',
    ...context.overrides,
  };
}

/**
 * Composes the settings of the step that migrates, creates streams and seeds: with the owner's rights, which the
 * running service lacks.
 */
export function provisionEnvironment(service: ServiceName, context: EnvironmentContext): NodeJS.ProcessEnv {
  const { home, settings, addresses } = context;
  return {
    MANAGEMENT_PORT: '0',
    ...serviceEnvironment(service, context),
    SEED_FILE: home.seedFile,
    ...provisionAccess(service, context),
    ...(hasDatabase(service)
      ? {
          DATABASE_OWNER_URL: addresses.databaseUrl(
            ownerRole(service),
            findPassword(settings, service).ownerPassword,
          ),
        }
      : {}),
    ...context.overrides,
  };
}

function ownSettings(service: ServiceName, context: EnvironmentContext): Record<string, string> {
  const { home, addresses } = context;
  switch (service) {
    case 'gateway':
      return {
        HOST: '127.0.0.1',
        PORT: String(addresses.gatewayPort),
        SDK_PACKAGE: home.sdkPackage,
        ...(context.docsSite === undefined ? {} : { DOCS_SITE: context.docsSite }),
        ...(context.limits ? {} : noLimits),
      };
    case 'intake':
      return {
        CONSOLE_URL: consoleUrl(addresses),
        CALLBACK_ALLOW_LOOPBACK: 'true',
        RESEND_INTERVAL_SECONDS: '5',
        REMINDER_SPREAD_HOURS: '0',
        CLAIM_CODE_INTERVAL_SECONDS: '0',
      };
    case 'generation':
      // A revocation is visible within 5 s: the check that finds it, the cache's lifetime, the lease of a copy that
      // died.
      return {
        CA_DIRECTORY: home.certificationAuthority,
        CA_REFRESH_SECONDS: caRefreshSeconds,
        STATUS_MAX_AGE_SECONDS: '2',
        CRL_CHECK_SECONDS: '1',
        CRL_LEASE_SECONDS: '2',
        CRL_LIFETIME_HOURS: '1',
        OCSP_LIFETIME_HOURS: '1',
      };
    case 'notifier':
      return {
        SMTP_URL: `smtp://127.0.0.1:${addresses.mailSmtpPort}`,
        MAIL_FROM: 'Rubrica <no-reply@rubrica.test>',
        CALLBACK_ALLOW_LOOPBACK: 'true',
        SMS_URL: `http://127.0.0.1:${addresses.mailHttpPort}/sms`,
      };
    default:
      return {};
  }
}

/**
 * Composes access to NATS. An external server knows the user that its address names, or requires none, and has one
 * account: nothing is known of its configuration.
 */
function natsAccess(service: ServiceName, context: EnvironmentContext): Record<string, string> {
  const { settings, addresses, externalNats } = context;
  const urlUser = parseUser(addresses.natsUrl);
  return {
    NATS_URL: addresses.natsUrl,
    NATS_USER: urlUser?.user ?? service,
    NATS_PASSWORD: urlUser?.password ?? settings.nats[service] ?? '',
    ...(externalNats ? { NATS_API_PREFIX: '$JS.API' } : { NATS_STREAMS_USER: toStreamsUser(service) }),
  };
}

function provisionAccess(service: ServiceName, { settings, addresses }: EnvironmentContext) {
  const urlUser = parseUser(addresses.natsUrl);
  const user = toProvisionUser(service);
  return {
    NATS_PROVISION_USER: urlUser?.user ?? user,
    NATS_PROVISION_PASSWORD: urlUser?.password ?? settings.nats[user] ?? '',
  };
}

function parseUser(address: string): { user: string; password: string } | undefined {
  const [first = ''] = address.split(',');
  const { username, password } = new URL(first.includes('://') ? first : `nats://${first}`);
  if (username === '') return undefined;
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

function findPassword(settings: StackSettings, service: ServiceName) {
  const passwords = settings.database[service];
  if (passwords === undefined) throw new Error(`no database passwords are stored for ${service}`);
  return passwords;
}

/** Passes the caller's settings to the services, but not the traces of npm, test runners and other databases. */
function inheritSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign =
    /^(npm_|VITEST|TEST$|NODE_|INIT_CWD$|PORT$|HOST$|BASE_URL$|DATABASE_|NATS_|SMTP_|SMS_|DKIM_|PG)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}
