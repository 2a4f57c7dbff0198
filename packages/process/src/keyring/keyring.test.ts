import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompactEncrypt, compactDecrypt, exportJWK, importJWK } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyrings } from '../../test/keyrings.ts';
import { type GeneratedKeys, generateServiceKeys } from './key-files.ts';
import { loadKeyring } from './keyring.ts';

const { folder, keys, keyringOf, [Symbol.asyncDispose]: remove } = await createKeyrings();
afterAll(remove);

describe('sealing', () => {
  it('opens at the service it was sealed to, byte for byte', async () => {
    const [gateway, generation] = [await keyringOf('gateway'), await keyringOf('generation')];
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    expect(new Uint8Array(await generation.open(await gateway.sealTo('generation', bytes)))).toEqual(bytes);
    expect(await generation.openText(await gateway.sealTo('generation', 'contraseña'))).toBe('contraseña');
    expect(await gateway.openText(await gateway.sealTo('gateway', ''))).toBe('');
  });

  it('cannot be opened by any other service, the one that sealed it included', async () => {
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    const sealed = await gateway.sealTo('generation', 'secret');
    await expect(intake.open(sealed)).rejects.toMatchObject({ fault: 'unknown-key' });
    await expect(gateway.open(sealed)).rejects.toMatchObject({ fault: 'unknown-key' });
  });

  it('cannot be opened with a wrong key that claims the right id', async () => {
    const gateway = await keyringOf('gateway');
    const sealed = await gateway.sealTo('generation', 'secret');
    const forged = structuredClone(keys.intake);
    const [, enc] = forged.privateJwks.keys;
    if (enc) enc.kid = keys.generation.privateJwks.keys[1]?.kid as string;
    await expect((await keyringOf('intake', forged)).open(sealed)).rejects.toMatchObject({
      fault: 'not-authentic',
    });
  });

  it('still opens what was sealed to an older key after a rotation, and seals to the newer one', async () => {
    const before = await (await keyringOf('gateway')).sealTo('intake', 'old');
    const next = generateServiceKeys('intake');
    const rotated: GeneratedKeys = {
      privateJwks: { keys: [...next.privateJwks.keys, ...keys.intake.privateJwks.keys] },
      publicJwks: { keys: [...next.publicJwks.keys, ...keys.intake.publicJwks.keys] },
    };
    keys.intake = rotated;
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    const after = await gateway.sealTo('intake', 'new');
    expect(await intake.openText(before)).toBe('old');
    expect(await intake.openText(after)).toBe('new');
    const newestKid = next.publicJwks.keys[1]?.kid;
    expect(JSON.parse(Buffer.from(after.split('.')[0] as string, 'base64url').toString()).kid).toBe(
      newestKid,
    );
  });

  it('notices any change of header, initialisation vector, text or tag', async () => {
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    const parts = (await gateway.sealTo('intake', 'secret')).split('.');
    for (const index of [0, 2, 3, 4]) {
      const part = Buffer.from(parts[index] as string, 'base64url');
      const last = part.length - (index === 0 ? 6 : 1);
      part[last] = (part[last] as number) ^ 1;
      const altered = parts.with(index, part.toString('base64url')).join('.');
      await expect(intake.open(altered)).rejects.toMatchObject({ name: 'KeyringError' });
    }
  });

  it.each([
    '',
    'a.b.c',
    '....',
    'e30..a.b.c',
    'bnVsbA..AAAAAAAAAAAAAAAA..AAAAAAAAAAAAAAAAAAAAAA',
    '🙂.🙂.🙂.🙂.🙂',
  ])('refuses %j as malformed', async (text) => {
    await expect((await keyringOf('intake')).open(text)).rejects.toMatchObject({ fault: 'malformed' });
  });

  it('writes what any JOSE library opens and opens what one writes', async () => {
    const [gateway, intake] = [await keyringOf('gateway'), await keyringOf('intake')];
    const secret = keys.intake.privateJwks.keys[1];
    const open = keys.intake.publicJwks.keys[1];
    if (!secret || !open) throw new Error('no keys');
    const { plaintext } = await compactDecrypt(
      await gateway.sealTo('intake', 'from us'),
      await importJWK(secret, 'ECDH-ES'),
    );
    expect(Buffer.from(plaintext).toString()).toBe('from us');
    const theirs = await new CompactEncrypt(Buffer.from('from them'))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: open.kid })
      .encrypt(await importJWK(open, 'ECDH-ES'));
    expect(await intake.openText(theirs)).toBe('from them');
  });

  it('refuses a header member that it does not understand', async () => {
    const open = keys.intake.publicJwks.keys[1];
    if (!open) throw new Error('no key');
    const sealed = await new CompactEncrypt(Buffer.from('x'))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: open.kid, cty: 'text/plain' })
      .encrypt(await importJWK(open, 'ECDH-ES'));
    await expect((await keyringOf('intake')).open(sealed)).rejects.toMatchObject({ fault: 'malformed' });
  });

  it('names a service that it has no key of', async () => {
    await expect((await keyringOf('intake')).sealTo('notifier', 'x')).rejects.toMatchObject({
      fault: 'unknown-peer',
    });
  });
});

describe('key files', () => {
  it('says which file is at fault and quotes nothing of it', async () => {
    const [keysFile, peersFile] = [join(folder, 'bad-keys.json'), join(folder, 'bad-peers.json')];
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
    expect(privateJwks.keys.map(({ kid }) => kid)).toEqual(publicJwks.keys.map(({ kid }) => kid));
    const [signing] = privateJwks.keys;
    if (!signing) throw new Error('no key');
    expect(await exportJWK(await importJWK(signing, 'EdDSA', { extractable: true }))).toMatchObject({
      x: signing.x,
    });
  });
});
