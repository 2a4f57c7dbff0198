import { provisionUserOf, streamsUserOf } from '@rubrica/contracts/messages/accounts';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { appRole, ownerRole } from '@rubrica/testkit/postgres';
import type { Home } from '../setup/home.ts';
import { peersFile, privateKeysFile } from '../setup/keys.ts';
import { hasDatabase } from '../setup/services.ts';
import type { StackSettings } from '../setup/settings.ts';

/** Short, so that whoever tries a rotation out sees it soon. */
export const caRefreshSeconds = '5';

export const databaseName = 'rubrica';

/** The addresses a service is told, all on loopback. */
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
  /** `NATS_URL` names a server that someone else runs. */
  readonly externalNats: boolean;
  readonly crashpoints: boolean;
  /** Whether the gateway's limits are those of production. */
  readonly limits: boolean;
  /** NATS_TLS_DIRECTORY, where the bus has TLS. */
  readonly busTlsDirectory?: string | undefined;
  /** Folder of the built documentation, where the gateway does not bring its own. */
  readonly docsSite?: string | undefined;
  /** From whoever starts the stack: wins over everything below. */
  readonly overrides: Readonly<Record<string, string>>;
}

export function baseUrl({ gatewayPort }: Addresses) {
  return `http://127.0.0.1:${gatewayPort}`;
}

/** By name: a browser takes cookies that are `Secure`, and passkeys, at `localhost` without TLS. */
export function consoleUrl({ consolePort }: Addresses) {
  return `http://localhost:${consolePort}`;
}

/**
 * What young objects may take, twice over, before V8 looks at them: 16 MB by default, in which five services would idle
 * on one machine. Where files pass through, 2 MB is too little: their buffers outlive a collection, and only the next
 * mark of the whole heap frees them. With 8 MB a registration costs them a tenth less CPU.
 */
const youngObjectsMb = 2;
const youngObjectsWithFilesMb: Partial<Record<ServiceName, number>> = { gateway: 8, intake: 8 };

/**
 * Files wait in intake's memory until they are checked. From 32 kB on, glibc gives each a mapping of its own, and gives it
 * back when it is freed; in its heap they leave holes: 60 to 80 MB of heap after load in place of 34.
 */
const mappedFiles = { MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_TRIM_THRESHOLD_: '4194304' } as const;

/** Everything comes from one address here, and tests call as fast as they can. */
const noLimits = {
  RATE_LIMIT_PARTNER: '0',
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_TOKEN: '0',
  CONNECTIONS_PER_ADDRESS: '0',
  CALLS_PER_ADDRESS: '0',
} as const;

/** Everything the running service reads, except its management port, which each copy gets for itself. */
export function serviceEnvironment(service: ServiceName, context: EnvironmentContext): NodeJS.ProcessEnv {
  const { home, settings, addresses } = context;
  return {
    ...inherited(process.env),
    // Libraries add stack traces to their answers in any other mode.
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
      ? { DATABASE_URL: addresses.databaseUrl(appRole(service), passwordOf(settings, service).appPassword) }
      : {}),
    ...ownSettings(service, context),
    ...context.overrides,
  };
}

/** Everything the console's server reads, except its management port. It gets no password and no key of a service. */
export function consoleEnvironment(context: EnvironmentContext): NodeJS.ProcessEnv {
  const { home, settings, addresses } = context;
  return {
    ...inherited(process.env),
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

/** For the step that migrates, makes streams and seeds: the owner's rights, which the running service lacks. */
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
            passwordOf(settings, service).ownerPassword,
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
      // A revocation is seen within 5 s: the look that finds it, what caches keep, the lease of a copy that died.
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
 * A server that someone else runs knows the user its address names, or asks for none, and has one account: nothing is
 * known of its configuration.
 */
function natsAccess(service: ServiceName, context: EnvironmentContext): Record<string, string> {
  const { settings, addresses, externalNats } = context;
  const given = userIn(addresses.natsUrl);
  return {
    NATS_URL: addresses.natsUrl,
    NATS_USER: given?.user ?? service,
    NATS_PASSWORD: given?.password ?? settings.nats[service] ?? '',
    ...(externalNats ? { NATS_API_PREFIX: '$JS.API' } : { NATS_STREAMS_USER: streamsUserOf(service) }),
  };
}

function provisionAccess(service: ServiceName, { settings, addresses }: EnvironmentContext) {
  const given = userIn(addresses.natsUrl);
  const user = provisionUserOf(service);
  return {
    NATS_PROVISION_USER: given?.user ?? user,
    NATS_PROVISION_PASSWORD: given?.password ?? settings.nats[user] ?? '',
  };
}

function userIn(address: string): { user: string; password: string } | undefined {
  const [first = ''] = address.split(',');
  const { username, password } = new URL(first.includes('://') ? first : `nats://${first}`);
  if (username === '') return undefined;
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

function passwordOf(settings: StackSettings, service: ServiceName) {
  const passwords = settings.database[service];
  if (passwords === undefined) throw new Error(`no database passwords are stored for ${service}`);
  return passwords;
}

/** The caller's settings reach the services, the traces of npm, test runners and other databases do not. */
function inherited(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign =
    /^(npm_|VITEST|TEST$|NODE_|INIT_CWD$|PORT$|HOST$|BASE_URL$|DATABASE_|NATS_|SMTP_|SMS_|DKIM_|PG)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}
