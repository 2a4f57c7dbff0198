import type { SettingRow } from '@rubrica/process/config';
import {
  type Deployable,
  deployables,
  fileChecker,
  readDeployableSettings,
  readFileCheckerSettings,
} from '../../src/deploy/read-deployable-settings.ts';
import type { Container, KubeObject } from './rendered.ts';

/** Rows of settings by the workload that reads them: a service, or its provisioning step. */
export type SettingsFact = ReadonlyMap<string, readonly SettingRow[]>;

export async function settingFacts(): Promise<SettingsFact> {
  const facts = new Map<string, readonly SettingRow[]>();
  for (const service of deployables) {
    const { running, ofStep } = await readDeployableSettings(service);
    facts.set(service, running);
    facts.set(`${service}-provision`, ofStep);
    facts.set(`${service}: await-provisioned`, waiting(running));
  }
  facts.set(fileChecker, await readFileCheckerSettings());
  return facts;
}

const waiting = (running: readonly SettingRow[]) => running.filter(({ env }) => env === 'DATABASE_URL');

type Fault = 'unknown' | 'missing' | 'secret';

/** What is wrong with what the containers are given. */
export function settingFaults(objects: readonly KubeObject[], facts: SettingsFact, fault: Fault): string[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .filter(({ metadata }) => metadata.name !== 'database-roles')
    .flatMap(({ metadata, spec }) => {
      const { containers = [], initContainers = [] } = spec?.template?.spec ?? {};
      const name = metadata.name.replace(/-provision-.*$/, '-provision');
      return [
        ...containers.map((one) => ({ one, of: name })),
        ...initContainers.map((one) => ({ one, of: `${name as Deployable}: ${one.name}` })),
      ];
    })
    .flatMap(({ one, of }) => {
      const rows = facts.get(of);
      if (rows === undefined) return [`${of} reads nothing that is known`];
      return faultsOf(given(objects, one), rows)[fault].map((env) => `${of}: ${env}`);
    });
}

interface Given {
  readonly name: string;
  readonly isByReference: boolean;
  /** An empty one counts as none, and a reference that need not be there may be none. */
  readonly isSure: boolean;
}

function given(objects: readonly KubeObject[], { env = [], envFrom = [] }: Container): Given[] {
  const maps = envFrom.map(({ configMapRef }) => configMapRef?.name);
  const plain = objects
    .filter(({ kind, metadata }) => kind === 'ConfigMap' && maps.includes(metadata.name))
    .flatMap(({ data = {} }) => Object.entries(data))
    .map(([name, value]) => ({ name, isByReference: false, isSure: value !== '' }));
  const single = env.map(({ name, value, valueFrom }) => ({
    name,
    isByReference: valueFrom?.secretKeyRef !== undefined,
    isSure: Boolean(value) || (valueFrom !== undefined && valueFrom.secretKeyRef?.optional !== true),
  }));
  return [...plain, ...single];
}

function faultsOf(has: readonly Given[], rows: readonly SettingRow[]): Record<Fault, string[]> {
  const row = (name: string) => rows.find(({ env }) => env === name);
  return {
    unknown: has.filter(({ name }) => row(name) === undefined).map(({ name }) => name),
    missing: rows
      .filter(({ env, required }) => required && !has.some(({ name, isSure }) => isSure && name === env))
      .map(({ env }) => env),
    secret: has
      .filter(({ name, isByReference }) => row(name)?.secret && !isByReference)
      .map(({ name }) => name),
  };
}
