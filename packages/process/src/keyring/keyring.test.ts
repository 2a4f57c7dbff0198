import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, importJWK } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyrings } from '../../test/keyrings.ts';
import { type GeneratedKeys, generateServiceKeys } from './generate-keys.ts';
import { loadKeyring } from './keyring.ts';

const { folder, keys, keyringOf, [Symbol.asyncDispose]: remove } = await createKeyrings();
afterAll(remove);

const owner = '01890a5d-ac96-774b-bcce-b302099a8057';
const binding = { purpose: 'certificate-password', owner } as const;

describe('sealing', () => {
  it('opens at the service it was sealed to, byte for byte', async () => {
    const [gateway, generation] = [await keyringOf('gateway'), await keyringOf('generation')];
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    const sealed = await gateway.sealTo('generation', bytes, binding);
    expect(new Uint8Array(await generation.open(sealed, binding))).toEqual(bytes);
    const text = await gateway.sealTo('generation', 'contraseña', binding);
    expect(await generation.openText(text, binding)).toBe('contraseña');
    expect(await gateway.openText(await gateway.sealTo('gateway', '', binding), binding)).toBe('');
  });

  it('cannot be opened by any other service, the one that sealed it included', async () => {
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    const sealed = await gateway.sealTo('generation', 'secret', binding);
    await expect(intake.open(sealed, binding)).rejects.toMatchObject({ fault: 'unknown-key' });
    await expect(gateway.open(sealed, binding)).rejects.toMatchObject({ fault: 'unknown-key' });
  });

  it('opens for the purpose and the owner that it was sealed for, and for no other', async () => {
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    const sealed = await gateway.sealTo('intake', 'secret', binding);
    const fault = { fault: 'other-binding' };
    await expect(intake.open(sealed, { ...binding, purpose: 'claim-link' })).rejects.toMatchObject(fault);
    await expect(intake.open(sealed, { ...binding, owner: `${owner}0` })).rejects.toMatchObject(fault);
    await expect(intake.openText(sealed, { ...binding, owner: '' })).rejects.toMatchObject(fault);
    expect(await intake.openText(sealed, binding)).toBe('secret');
  });

  it('seals nothing without an owner', async () => {
    const gateway = await keyringOf('gateway');
    await expect(gateway.sealTo('intake', 'secret', { ...binding, owner: '' })).rejects.toThrow('the owner');
  });

  it('cannot be opened with a wrong key that claims the right id', async () => {
    const gateway = await keyringOf('gateway');
    const sealed = await gateway.sealTo('generation', 'secret', binding);
    const forged = structuredClone(keys.intake);
    const [, enc] = forged.privateJwks.keys;
    if (enc) enc.kid = keys.generation.privateJwks.keys[1]?.kid as string;
    await expect((await keyringOf('intake', forged)).open(sealed, binding)).rejects.toMatchObject({
      fault: 'not-authentic',
    });
  });

  it('still opens what was sealed to an older key after a rotation, and seals to the newer one', async () => {
    const before = await (await keyringOf('gateway')).sealTo('intake', 'old', binding);
    const next = generateServiceKeys('intake');
    const rotated: GeneratedKeys = {
      privateJwks: { keys: [...next.privateJwks.keys, ...keys.intake.privateJwks.keys] },
      publicJwks: { keys: [...next.publicJwks.keys, ...keys.intake.publicJwks.keys] },
    };
    keys.intake = rotated;
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    const after = await gateway.sealTo('intake', 'new', binding);
    expect(await intake.openText(before, binding)).toBe('old');
    expect(await intake.openText(after, binding)).toBe('new');
    const newestKid = next.publicJwks.keys[1]?.kid;
    expect(JSON.parse(Buffer.from(after.split('.')[0] as string, 'base64url').toString()).kid).toBe(
      newestKid,
    );
  });

  it('names a service that it has no key of', async () => {
    await expect((await keyringOf('intake')).sealTo('notifier', 'x', binding)).rejects.toMatchObject({
      fault: 'unknown-peer',
    });
  });
});

describe('key files', () => {
  it('says which file is at fault and quotes nothing of it', async () => {
    const [keysFile, peersFile] = [join(folder, 'bad-keys.json'), join(folder, 'bad-peers.json')];
    await writeFile(peersFile, '{}');
    const load = () => loadKeyring({ keysFile, peersFile }, 'intake').catch((error: Error) => error.message);
    expect(await load()).toBe(`The key file ${keysFile} cannot be read`);
    await writeFile(keysFile, '{"keys":[{"d":"hunter2"');
    expect(await load()).toBe(`The key file ${keysFile} is not JSON`);
    await writeFile(keysFile, JSON.stringify({ keys: [{ d: 'hunter2', use: 'sig' }] }));
    expect(await load()).toMatch(/^The key file .* is not as it must be, at: keys\.0/);
    await writeFile(keysFile, JSON.stringify({ keys: [keys.intake.privateJwks.keys[0]] }));
    expect(await load()).toBe(`The key file ${keysFile} has no key of use "enc"`);
  });

  it('makes public halves without private members', async () => {
    const { privateJwks, publicJwks } = generateServiceKeys('terms');
    expect(JSON.stringify(publicJwks)).not.toContain('"d"');
    expect(JSON.stringify(publicJwks)).not.toContain('"k"');
    const pairs = privateJwks.keys.filter(({ use }) => use !== 'mac');
    expect(pairs.map(({ kid }) => kid)).toEqual(publicJwks.keys.map(({ kid }) => kid));
    expect(privateJwks.keys.length).toBe(pairs.length + 1);
    const [signing] = privateJwks.keys;
    if (signing?.kty !== 'OKP') throw new Error('no key');
    expect(await exportJWK(await importJWK(signing, 'EdDSA', { extractable: true }))).toMatchObject({
      x: signing.x,
    });
  });
});
