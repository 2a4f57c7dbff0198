import type { Copies, ServiceFolders } from '../setup/services.ts';

export type StackStep = 'build' | 'postgres' | 'nats' | 'keys' | 'provision' | 'services';

/** For showing a person what is going on. `detail` may come any number of times between `begin` and `done`. */
export interface StackProgress {
  readonly step: StackStep;
  readonly state: 'begin' | 'detail' | 'done';
  readonly text: string;
}

export interface StackOptions {
  /** Data folder; made when absent. Default: RUBRICA_HOME, else `.rubrica` in the project folder. */
  readonly home?: string;
  /** Preferred base port: the gateway's. Default: PORT, else 3000. The others follow from it. */
  readonly port?: number;
  /** Copies per service, one where not named. */
  readonly copies?: Partial<Copies>;
  /** Production's rate limits and limits of an address, so that a client can rehearse a 429. Default: none at all. */
  readonly limits?: boolean;
  /** TLS to PostgreSQL and nats-server, as deployments have it. Default: none, on loopback. */
  readonly tls?: boolean;
  /** Settings for all services, over those the stack makes. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onProgress?: (progress: StackProgress) => void;
  /** Lets a test arm crash points by making files in `crashpointDir`. Default: true. */
  readonly crashpoints?: boolean;
  /** Folder with one folder per service, each with `main.mjs`. Default: RUBRICA_APPS, else what is built of the sources. */
  readonly appsDirectory?: string;
  /** Built elsewhere, such as in pruned copies. */
  readonly folders?: ServiceFolders;
}

/** Folder of services that were built before, from the options or the environment. */
export function builtApps({ appsDirectory }: StackOptions): string | undefined {
  return appsDirectory ?? (process.env.RUBRICA_APPS || undefined);
}

export function isBuiltElsewhere(options: StackOptions): boolean {
  return options.folders !== undefined || builtApps(options) !== undefined;
}
