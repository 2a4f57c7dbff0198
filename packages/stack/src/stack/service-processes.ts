import { join } from 'node:path';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { freePort, spawnChild } from '@rubrica/testkit/processes';
import { type ServiceFolders, serviceNames } from '../setup/services.ts';
import { type ManagedProcess, manageProcess } from '../supervision/managed-process.ts';
import { consoleEnvironment, type EnvironmentContext, serviceEnvironment } from './environment.ts';
import { answersOk } from './readiness.ts';

export interface ServiceProcess extends ManagedProcess {
  readonly service: ServiceName;
  managementPort(): number;
}

interface Start {
  readonly environment: EnvironmentContext;
  readonly folders: ServiceFolders;
  onChange(): void;
}

/** Starts every copy of every service and restarts it when it ends. */
export function startServices(
  options: Start & {
    readonly copies: Readonly<Record<ServiceName, number>>;
    readonly firstManagementPort: number;
  },
): ServiceProcess[] {
  let port = options.firstManagementPort;
  return serviceNames.flatMap((service) =>
    Array.from({ length: options.copies[service] }, (_, index) => {
      const name = index === 0 ? service : `${service}-${index + 1}`;
      port += 1;
      return startCopy({ ...options, service, name, preferredPort: port });
    }),
  );
}

function startCopy(
  options: Start & { readonly service: ServiceName; readonly name: string; readonly preferredPort: number },
): ServiceProcess {
  const { environment, folders, service } = options;
  const { managed, managementPort } = startBuilt({
    ...options,
    folder: folders[service],
    settings: () => serviceEnvironment(service, environment),
  });
  return { ...managed, service, managementPort };
}

/** Starts the operators' pages separately, because the console is not a service on the bus. */
export function startConsole(options: Start & { readonly preferredPort: number }): ManagedProcess {
  const { environment, folders } = options;
  const { managed } = startBuilt({
    ...options,
    name: 'console',
    folder: folders.console,
    settings: () => consoleEnvironment(environment),
  });
  return managed;
}

/**
 * Node options of the image; Node accepts these only on the command line. `packages/process/README.md`, Memory,
 * explains them.
 */
const nodeFlags = ['--heap-growing-percent=200'];

function startBuilt(options: {
  readonly environment: EnvironmentContext;
  readonly name: string;
  readonly folder: string;
  readonly preferredPort: number;
  settings(): NodeJS.ProcessEnv;
  onChange(): void;
}): { managed: ManagedProcess; managementPort(): number } {
  const { environment, name, folder, settings } = options;
  const logFile = join(environment.home.logs, `${name}.log`);
  let managementPort = options.preferredPort;
  const managed = manageProcess({
    name,
    logFile,
    onChange: options.onChange,
    async launch() {
      managementPort = await freePort(managementPort);
      const port = managementPort;
      const child = await spawnChild({
        command: process.execPath,
        args: [...nodeFlags, join(folder, 'main.mjs')],
        cwd: folder,
        env: { ...settings(), MANAGEMENT_PORT: String(port) },
        logFile,
        onParentDeath: 'SIGTERM',
      });
      return { child, isReady: () => answersOk(`http://127.0.0.1:${port}/readyz`) };
    },
  });
  return { managed, managementPort: () => managementPort };
}

/** Starts the mail catcher as a separate process, with this process's node. */
export function startMailCatcher(options: {
  environment: EnvironmentContext;
  onChange(): void;
}): ManagedProcess {
  const { home, addresses } = options.environment;
  const logFile = join(home.logs, 'mail.log');
  return manageProcess({
    name: 'mail',
    logFile,
    onChange: options.onChange,
    async launch() {
      const child = await spawnChild({
        command: process.execPath,
        args: [join(import.meta.dirname, '..', 'mail-catcher', 'main.ts')],
        cwd: home.mail,
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: home.compileCache,
          MAIL_SMTP_PORT: String(addresses.mailSmtpPort),
          MAIL_HTTP_PORT: String(addresses.mailHttpPort),
          MAIL_STORE_FILE: join(home.mail, 'messages.jsonl'),
        },
        logFile,
        onParentDeath: 'SIGTERM',
      });
      return { child, isReady: () => answersOk(`http://127.0.0.1:${addresses.mailHttpPort}/readyz`) };
    },
  });
}
