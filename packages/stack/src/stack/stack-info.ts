import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { serviceNames } from '../setup/services.ts';
import type { OperatorSeed, PartnerSeed, StackSettings } from '../setup/settings.ts';
import type { AuthorityNames } from './authority-names.ts';

/** Content of `stack.json`: addresses on loopback, processes, and secrets that belong to this stack alone. */
export interface StackInfo {
  readonly baseUrl: string;
  readonly trpcUrl: string;
  /** Address of the operators' pages. */
  readonly consoleUrl: string;
  readonly mailUrl: string;
  /** URL with the credentials of a user that may see all traffic on the bus. */
  readonly natsUrl: string;
  /** URL as superuser, with password. */
  readonly databaseUrl: string;
  readonly pki: { root: string; issuing: string; crl: string; ocsp: string };
  readonly metrics: Readonly<Record<ServiceName, string>>;
  readonly services: Readonly<Record<ServiceName, { pid: number; pids: number[] }>>;
  readonly partners: Readonly<Record<PartnerSeed['key'], PartnerInfo>>;
  readonly operators: Readonly<Record<OperatorSeed['key'], { email: string; password: string }>>;
}

export type PartnerInfo = Pick<
  PartnerSeed,
  'clientId' | 'clientSecret' | 'webhookSecret' | 'passwordConfiguration'
>;

/** One running copy of a service. */
export interface ServiceCopy {
  readonly service: ServiceName;
  readonly pid: number;
  readonly managementPort: number;
}

export function describeStack(parts: {
  baseUrl: string;
  consoleUrl: string;
  mailUrl: string;
  natsUrl: string;
  databaseUrl: string;
  copies: readonly ServiceCopy[];
  settings: StackSettings;
  authorities: AuthorityNames;
}): StackInfo {
  const { baseUrl, consoleUrl, mailUrl, natsUrl, databaseUrl, copies, settings, authorities } = parts;
  const copiesOf = (service: ServiceName) => copies.filter((copy) => copy.service === service);
  const perService = <T>(describe: (copies: ServiceCopy[]) => T) =>
    Object.fromEntries(serviceNames.map((name) => [name, describe(copiesOf(name))])) as Record<
      ServiceName,
      T
    >;
  const byKey = <K extends string, T, V>(rows: ReadonlyArray<T & { key: K }>, pick: (row: T) => V) =>
    Object.fromEntries(rows.map((row) => [row.key, pick(row)])) as Record<K, V>;
  return {
    baseUrl,
    trpcUrl: `${baseUrl}/trpc`,
    consoleUrl,
    mailUrl,
    natsUrl,
    databaseUrl,
    pki: {
      root: `${baseUrl}/pki/${authorities.root}.cer`,
      issuing: `${baseUrl}/pki/${authorities.issuing}.cer`,
      crl: `${baseUrl}/pki/${authorities.issuing}.crl`,
      ocsp: `${baseUrl}/pki/ocsp`,
    },
    metrics: perService(([first]) => `http://127.0.0.1:${first?.managementPort}/metrics`),
    services: perService((running) => ({
      pid: running[0]?.pid ?? 0,
      pids: running.map(({ pid }) => pid),
    })),
    partners: byKey(settings.seed.partners, (partner: PartnerSeed) => ({
      clientId: partner.clientId,
      clientSecret: partner.clientSecret,
      webhookSecret: partner.webhookSecret,
      passwordConfiguration: partner.passwordConfiguration,
    })),
    operators: byKey(settings.seed.operators, ({ email, password }: OperatorSeed) => ({ email, password })),
  };
}
