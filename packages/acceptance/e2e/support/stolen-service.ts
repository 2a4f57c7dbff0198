import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bus, connectBus } from '@rubrica/bus';
import { importedApi, toStreamsUser } from '@rubrica/contracts/messages/accounts';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { type Keyring, loadKeyring } from '@rubrica/process/keyring';
import { serviceSeals } from '@rubrica/testkit';
import type { Scene } from './scene.ts';

/** Passwords of a running stack, from its folder. */
export interface StackSettings {
  readonly nats: Readonly<Record<string, string>>;
  readonly database: Readonly<Record<string, { readonly appPassword: string }>>;
}

export async function readPartnerSettings({ stack }: Scene): Promise<StackSettings> {
  return JSON.parse(await readFile(join(stack.home, 'state', 'settings.json'), 'utf8'));
}

/**
 * Connects with a service's user and password on the bus, and its key file if given: without it calls are not sealed.
 * Drain it.
 */
export async function stolenBus(scene: Scene, service: ServiceName, keyring?: Keyring): Promise<Bus> {
  const { nats } = await readPartnerSettings(scene);
  return connectBus({
    servers: [new URL(scene.stack.info().natsUrl).host],
    user: service,
    password: nats[service] ?? '',
    name: service,
    seals: keyring && serviceSeals(keyring),
    onFault: () => undefined,
  });
}

/** Connects the same way to its streams. */
export async function stolenStreams(scene: Scene, service: ServiceName): Promise<Bus> {
  const { nats } = await readPartnerSettings(scene);
  const user = toStreamsUser(service);
  return connectBus({
    servers: [new URL(scene.stack.info().natsUrl).host],
    user,
    password: nats[service] ?? '',
    name: user,
    apiPrefix: importedApi,
  });
}

/** Loads a service's private keys, and the public ones of all. */
export function stolenKeys(
  { stack }: { readonly stack: Pick<Scene['stack'], 'home'> },
  service: ServiceName,
): Promise<Keyring> {
  const keys = join(stack.home, 'state', 'keys');
  return loadKeyring(
    { keysFile: join(keys, `${service}.json`), peersFile: join(keys, 'peers.json') },
    service,
  );
}
