import type { Copies, ServiceFolders } from '../setup/services.ts';

export type StackStep = 'build' | 'postgres' | 'nats' | 'keys' | 'provision' | 'services';

/** Progress for a person. `detail` may be reported any number of times between `begin` and `done`. */
export interface StackProgress {
  readonly step: StackStep;
  readonly state: 'begin' | 'detail' | 'done';
  readonly text: string;
}

export interface StackOptions {
  /** Data folder; created if absent. Default: RUBRICA_HOME, else `.rubrica` in the project folder. */
  readonly home?: string;
  /** Preferred base port, that of the gateway. Default: PORT, else 3000. The others follow from it. */
  readonly port?: number;
  /** Copies per service; default: one. */
  readonly copies?: Partial<Copies>;
  /**
   * True for production's rate limits and limits of an address, so that a client can rehearse a 429. Default: no
   * limits.
   */
  readonly limits?: boolean;
  /** True for TLS to PostgreSQL and nats-server, as in deployments. Default: none, on loopback. */
  readonly tls?: boolean;
  /** Settings for all services; they override those of the stack. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onProgress?: (progress: StackProgress) => void;
  /** True if a test may arm crash points through files in `crashpointDir`. Default: true. */
  readonly crashpoints?: boolean;
  /** Folder with one folder per service, each with `main.mjs`. Default: RUBRICA_APPS, else a build of the sources. */
  readonly appsDirectory?: string;
  /** Folders of services that were built elsewhere, such as in pruned copies. */
  readonly folders?: ServiceFolders;
}

/** Returns the folder of prebuilt services, from the options or the environment. */
export function builtApps({ appsDirectory }: StackOptions): string | undefined {
  return appsDirectory ?? (process.env.RUBRICA_APPS || undefined);
}

export function isBuiltElsewhere(options: StackOptions): boolean {
  return options.folders !== undefined || builtApps(options) !== undefined;
}
