import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VouchedCaller } from '@rubrica/contracts/shared/caller';
import { afterAll, describe, expect, it } from 'vitest';
import { createCallTokenVerifier, signCallToken } from '../tokens/call-tokens.ts';
import { type GeneratedKeys, generateServiceKeys } from './generate-keys.ts';
import { loadKeyring } from './keyring.ts';
import { addKey, endKey, useKey } from './rotate-keys.ts';

const folder = await mkdtemp(join(tmpdir(), 'rotation-'));
afterAll(() => rm(folder, { recursive: true }));

const binding = { purpose: 'certificate-password', owner: '01890a5d-ac96-774b-bcce-b302099a8057' } as const;
const caller: VouchedCaller = {
  kind: 'partner',
  partnerId: binding.owner,
  clientId: 'c',
  scopes: ['status:read'],
};
const statement = { type: 'rubrica-test+jwt', issuer: 'intake' };

type Names = 'gateway' | 'intake';

/** Two services whose files a test rewrites while their keyrings stand. */
async function twoServices() {
  const home = await mkdtemp(join(folder, 'two-'));
  const sets: Record<Names, GeneratedKeys> = {
    gateway: generateServiceKeys('gateway'),
    intake: generateServiceKeys('intake'),
  };
  const keysFile = (name: Names) => join(home, `${name}.json`);
  const peersFile = join(home, 'peers.json');
  const write = async () => {
    await writeFile(keysFile('gateway'), JSON.stringify(sets.gateway.privateJwks));
    await writeFile(keysFile('intake'), JSON.stringify(sets.intake.privateJwks));
    await writeFile(
      peersFile,
      JSON.stringify({ gateway: sets.gateway.publicJwks, intake: sets.intake.publicJwks }),
    );
  };
  await write();
  const open = (name: Names) => loadKeyring({ keysFile: keysFile(name), peersFile }, name);
  return { sets, peersFile, write, gateway: await open('gateway'), intake: await open('intake') };
}

const currentOf = (set: GeneratedKeys, use: string) =>
  set.privateJwks.keys.find((key) => key.use === use)?.kid as string;
const kidIn = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).kid;

async function rotate(
  two: Awaited<ReturnType<typeof twoServices>>,
  name: Names,
  use: 'sig' | 'enc' | 'audit',
) {
  const former = currentOf(two.sets[name], use);
  const { set, kid } = addKey(two.sets[name], name, use);
  const steps = [set, useKey(set, kid), endKey(useKey(set, kid), former)] as const;
  const take = async (step: GeneratedKeys) => {
    two.sets[name] = step;
    await two.write();
    for (const keyring of [two.gateway, two.intake]) await keyring.reread();
  };
  return { former, kid, steps, take };
}

describe('a key rotated in three steps', () => {
  it('seals by the new key from the second step on, opens what the former has sealed until the third', async () => {
    const two = await twoServices();
    const { former, kid, steps, take } = await rotate(two, 'intake', 'enc');
    const before = await two.gateway.sealTo('intake', 'before', binding);
    await take(steps[0]);
    expect(kidIn(await two.gateway.sealTo('intake', 'x', binding))).toBe(former);
    await take(steps[1]);
    const after = await two.gateway.sealTo('intake', 'after', binding);
    expect(kidIn(after)).toBe(kid);
    expect(await two.intake.openText(before, binding)).toBe('before');
    await take(steps[2]);
    await expect(two.intake.open(before, binding)).rejects.toMatchObject({ fault: 'unknown-key' });
    expect(await two.intake.openText(after, binding)).toBe('after');
  });

  it('signs by the new key from the second step on, and the former is refused after the third, remembered or not', async () => {
    const two = await twoServices();
    const { former, kid, steps, take } = await rotate(two, 'intake', 'sig');
    const said = two.intake.signStatement(statement.type, {});
    const sign = () => {
      const options = { receiver: 'terms', givenTo: 'gateway', nowMs: Date.now() } as const;
      return signCallToken(two.intake, caller, options);
    };
    const identify = createCallTokenVerifier({ keyring: two.gateway, self: 'terms', nowMs: () => madeAtMs });
    const madeAtMs = Date.now();
    const token = sign();
    expect(kidIn(token)).toBe(former);
    await take(steps[0]);
    await take(steps[1]);
    expect(kidIn(sign())).toBe(kid);
    // Now its verdict is remembered.
    expect(await identify(token, 'gateway')).toEqual(caller);
    expect(two.gateway.verifyStatement(said, statement).kid).toBe(former);
    await take(steps[2]);
    expect(() => identify(token, 'gateway')).toThrow('no key');
    expect(() => two.gateway.verifyStatement(said, statement)).toThrow('no key');
    expect(await identify(sign(), 'gateway')).toEqual(caller);
  });

  it('leaves the audit log of before verifiable, and signs it by the new key', async () => {
    const two = await twoServices();
    const { former, kid, steps, take } = await rotate(two, 'intake', 'audit');
    const checkpoint = two.intake.signCheckpoint({ n: 1 });
    for (const step of steps) await take(step);
    expect(two.intake.verifyCheckpoint(checkpoint, 'intake').kid).toBe(former);
    expect(two.gateway.verifyCheckpoint(two.intake.signCheckpoint({ n: 2 }), 'intake').kid).toBe(kid);
  });
});

describe('a step that would stop what runs', () => {
  it('is refused: ending the key in use, using one that only half of the files know, a use the service has not', () => {
    const set = generateServiceKeys('gateway');
    expect(() => endKey(set, currentOf(set, 'enc'))).toThrow('is in use');
    expect(() => addKey(set, 'gateway', 'audit')).toThrow('no keys of use "audit"');
    const half = { ...set, privateJwks: addKey(set, 'gateway', 'sig').set.privateJwks };
    const kid = half.privateJwks.keys.at(-1)?.kid as string;
    expect(() => useKey(half, kid)).toThrow('not in both files');
    expect(() => endKey(set, 'gateway-sig-0')).toThrow('no key');
  });

  it('is no harm where a file is broken: the keys of before stay until it is whole', async () => {
    const two = await twoServices();
    const sealed = await two.gateway.sealTo('intake', 'x', binding);
    await writeFile(two.peersFile, '{"gateway"');
    await expect(two.intake.reread()).rejects.toThrow('is not JSON');
    expect(await two.intake.openText(sealed, binding)).toBe('x');
    await two.write();
    expect(await two.intake.reread()).toBe(false);
  });
});
