import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bus, connectBus, serveRouter } from '@rubrica/bus';
import { toServiceSubject } from '@rubrica/contracts/services/subjects';
import { services } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import {
  addKey,
  endKey,
  type GeneratedKeys,
  generateServiceKeys,
  type Keyring,
  KeyringError,
  loadKeyring,
  useKey,
} from '@rubrica/process/keyring';
import { createLogger } from '@rubrica/process/log';
import { createCallContext } from '@rubrica/process/trpc';
import { disposeAfterAll, pollFor, scratchDirectory, serviceSeals, testNats } from '@rubrica/testkit';
import { fakeHandlers, identifyFakeCaller } from '@rubrica/testkit/fakes';
import { expect, it } from 'vitest';
import { createPeers, implement } from '../src/index.ts';

/**
 * Two services under traffic, one of them twice, while their keys are rotated. Each call carries what the gateway has
 * signed, sealed to intake; intake opens it and checks it. Calls and answers themselves are sealed too. The files are read again when the test says so, by one
 * after the other.
 */
const email = 'ana@example.com';
const binding = { purpose: 'operator-password', owner: email } as const;
const statement = { type: 'rubrica-test+jwt', issuer: 'gateway' };

const owned = await disposeAfterAll(new AsyncDisposableStack());
const sets = { gateway: generateServiceKeys('gateway'), intake: generateServiceKeys('intake') };

async function writeFiles() {
  await writeFile(join(folder, 'gateway.json'), JSON.stringify(sets.gateway.privateJwks));
  await writeFile(join(folder, 'intake.json'), JSON.stringify(sets.intake.privateJwks));
  const peers = { gateway: sets.gateway.publicJwks, intake: sets.intake.publicJwks };
  await writeFile(join(folder, 'peers.json'), JSON.stringify(peers));
}

const keyringOf = (name: 'gateway' | 'intake') =>
  loadKeyring({ keysFile: join(folder, `${name}.json`), peersFile: join(folder, 'peers.json') }, name);

/** What has come in is opened and checked again by whoever asks: as a message that was copied on its way. */
let copied = '';

async function take(keyring: Keyring, sealed: string): Promise<void> {
  const said = await keyring.openText(sealed, binding);
  keyring.verifyStatement(said, statement);
}

async function serve(bus: Bus, keyring: Keyring) {
  const logger = createLogger({ service: 'intake', level: 'silent', format: 'json' });
  const calls = {
    'tokens.signIn': async ({ sealedPassword }: { sealedPassword: string }) => {
      copied = sealedPassword;
      await take(keyring, sealedPassword).catch((cause: unknown) => {
        throw new AppError({ code: 'UNAUTHENTICATED', cause });
      });
      const none = { sealedAccessToken: 'none', sealedRefreshToken: 'none', expiresInSeconds: 1 };
      return { ...none, role: 'admin' as const, scope: 'full' as const };
    },
  };
  const served = await serveRouter(bus, {
    router: implement('intake', fakeHandlers({ calls })).calls,
    subjectPrefix: toServiceSubject('rpc', 'intake'),
    callers: services,
    queue: 'intake',
    createContext: createCallContext(identifyFakeCaller('intake', keyring), logger),
  });
  owned.defer(() => served.stop());
}

const folder = owned.use(await scratchDirectory('rotation')).path;
const nats = owned.use(await testNats());
await writeFiles();
const gateway = await keyringOf('gateway');
const intakes = [await keyringOf('intake'), await keyringOf('intake')];
const connect = async (name: string, keyring: Keyring) => {
  const bus = owned.use(await connectBus({ servers: nats.url, name, seals: serviceSeals(keyring) }));
  return bus;
};
for (const keyring of intakes) await serve(await connect('intake', keyring), keyring);
const peers = createPeers({
  self: 'gateway',
  bus: await connect('gateway', gateway),
  timeoutMs: 20_000,
});
const call: () => Promise<unknown> = async () => {
  const sealedPassword = await gateway.sealTo('intake', gateway.signStatement(statement.type, {}), binding);
  return peers.intake['tokens.signIn']({ email, sealedPassword, address: '198.51.100.7' });
};

/** Callers who call without a pause, until the test stops them. */
function traffic() {
  let isOver = false;
  let answered = 0;
  const faults: unknown[] = [];
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver)
      try {
        await call();
        answered += 1;
      } catch (fault) {
        faults.push(fault);
      }
  });
  return {
    faults,
    /** Some calls that began after this moment have been answered, by both copies as good as certainly. */
    async flows() {
      const before = answered;
      await pollFor(() => answered > before + 40 || faults.length > 0, { what: 'calls are answered' });
    },
    async stop() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

const currentOf = (set: GeneratedKeys, use: string) =>
  set.privateJwks.keys.find((key) => key.use === use)?.kid as string;

const rotations = [
  { service: 'intake', use: 'enc', of: 'the key that others seal to' },
  { service: 'gateway', use: 'sig', of: 'the key that signs' },
] as const;

it.each(rotations)(
  'no call fails while $of is rotated, and what it made is refused once it is ended',
  async ({ service, use }) => {
    const running = traffic();
    const everywhere = [...intakes, gateway];
    const former = currentOf(sets[service], use);
    const step = async (set: GeneratedKeys) => {
      sets[service] = set;
      await writeFiles();
      for (const keyring of everywhere) {
        await running.flows();
        expect(await keyring.reread()).toBe(true);
      }
      await running.flows();
    };
    await running.flows();
    const { set, kid } = addKey(sets[service], service, use);
    await step(set);
    await step(useKey(set, kid));
    // The gateway seals and signs by the new key now, so this is what the former key made, kept by someone.
    expect(currentOf(sets[service], use)).toBe(kid);
    const ofFormer = await beforeSwitch(service, set);
    for (const keyring of intakes) await take(keyring, ofFormer);
    await step(endKey(sets[service], former));
    await running.stop();
    expect(running.faults).toEqual([]);
    for (const keyring of intakes) {
      await expect(take(keyring, ofFormer)).rejects.toThrow(KeyringError);
      await take(keyring, copied);
    }
  },
);

/** As a gateway that has not read the second step would have sealed and signed it. */
async function beforeSwitch(service: 'gateway' | 'intake', set: GeneratedKeys): Promise<string> {
  const now = { ...sets };
  sets[service] = set;
  await writeFiles();
  const late = await keyringOf('gateway');
  Object.assign(sets, now);
  await writeFiles();
  return late.sealTo('intake', late.signStatement(statement.type, {}), binding);
}
