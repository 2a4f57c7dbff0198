import { databaseServiceSchema, type ServiceName, services } from '@rubrica/contracts/shared/enumerations';

/** Services in the order in which people see them; all start at the same time. */
export const serviceNames = services;

/** Services with their own schema. */
export const databaseServices = databaseServiceSchema.options;

export function hasDatabase(service: ServiceName): boolean {
  return (databaseServices as readonly string[]).includes(service);
}

/** Folders of the built files, including `main.mjs`, of each service and of the console. */
export type ServiceFolders = Readonly<Record<ServiceName | 'console', string>>;

export type Copies = Readonly<Record<ServiceName, number>>;

export class CopiesError extends Error {}

/** Parses `intake=2,notifier=3`; unnamed services get one copy. */
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
