import { databaseServiceSchema, type ServiceName, services } from '@rubrica/contracts/shared/enumerations';

/** In the order in which they are listed to people; all start at the same time. */
export const serviceNames = services;

/** The services that keep a schema of their own. */
export const databaseServices = databaseServiceSchema.options;

export function hasDatabase(service: ServiceName): boolean {
  return (databaseServices as readonly string[]).includes(service);
}

/** Where the built files of each service and of the console lie, `main.mjs` among them. */
export type ServiceFolders = Readonly<Record<ServiceName | 'console', string>>;

export type Copies = Readonly<Record<ServiceName, number>>;

export class CopiesError extends Error {}

/** `intake=2,notifier=3`; services that are not named run once. */
export function parseCopies(text: string | undefined): Copies {
  const copies = Object.fromEntries(serviceNames.map((name) => [name, 1])) as Record<ServiceName, number>;
  for (const part of (text ?? '').split(',').filter((item) => item.trim() !== '')) {
    const match = /^\s*([a-z]+)\s*=\s*(\d{1,2})\s*$/.exec(part);
    const name = serviceNames.find((service) => service === match?.[1]);
    const count = Number(match?.[2]);
    if (name === undefined || count < 1 || count > 16) {
      throw new CopiesError(
        `--copies takes pairs such as "intake=2,notifier=2" (1 to 16 of ${serviceNames.join(', ')}); got "${part}".`,
      );
    }
    if (name === 'gateway' && count > 1) {
      throw new CopiesError(
        '--copies: the gateway owns the public port, so the embedded stack runs it once.',
      );
    }
    copies[name] = count;
  }
  return copies;
}
