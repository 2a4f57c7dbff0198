import { generateKeyPairSync } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readPem } from '../src/ca/files.ts';
import { ca } from './support/ca.ts';
import { ceremonyGround, foreignRequest, refused } from './support/ceremony-ground.ts';

const ground = ceremonyGround();
const { stick, sign, requested, putRequest } = ground;

describe('the root signs nothing', () => {
  it('for a request that was exchanged on the way, though its proof is right', async () => {
    const { digest } = await requested();
    await putRequest(await foreignRequest('Firma Ejemplo Issuing CA'));
    expect(await sign(digest)).toMatchObject(refused('not the request that was announced'));
  });

  it('for a request that was altered, though the paper was altered with it', async () => {
    await requested();
    const [block] = await readPem(stick('issuing-request.pem'));
    const altered = Buffer.from(block?.der ?? []);
    altered.write('X', altered.indexOf('Firma'));
    expect(await sign(await putRequest(altered))).toMatchObject(
      refused('not signed by the key that it asks'),
    );
    const cut = await putRequest(altered.subarray(0, -3));
    expect(await sign(cut)).toMatchObject(refused('cannot be read'));
  });

  it('for a key that whoever asks does not have', async () => {
    await requested();
    const thief = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const digest = await putRequest(await foreignRequest('Firma Ejemplo Issuing CA', 'ec', thief));
    expect(await sign(digest)).toMatchObject(refused('not signed by the key that it asks'));
  });

  it.each([
    ['of another operator', 'Otra Firma Issuing CA', 'ec', 'The name would be'],
    ['that is no issuing authority', 'Firma Ejemplo Root CA', 'ec', 'No issuing authority is called'],
    ['with a key of another type', 'Firma Ejemplo Issuing CA', 'rsa', 'The key-type would be "RSA_2048"'],
  ] as const)('for an authority %s', async (_, name, kind, fault) => {
    await requested();
    expect(await sign(await putRequest(await foreignRequest(name, kind)))).toMatchObject(refused(fault));
  });

  it('unless it is told what may differ, and then nothing else may', async () => {
    await requested();
    const digest = await putRequest(await foreignRequest('Firma Ejemplo Issuing CA', 'rsa'));
    const told = (what: string) => sign(digest, 'issuing-request.pem', '--may-differ', what);
    expect(await told('name')).toMatchObject(refused('The key-type would be "RSA_2048"'));
    expect((await told('key-type')).code).toBe(0);
  });

  it('for a name or a key that another authority has', async () => {
    const { digest } = await requested();
    expect((await sign(digest)).code).toBe(0);
    const again = await putRequest(await foreignRequest('Firma Ejemplo Issuing CA'));
    expect(await sign(again)).toMatchObject(refused('There is an authority'));
  });

  it('without its passphrase, and not from another folder', async () => {
    const { digest } = await requested();
    const guessed = { ...ground.places.root, ROOT_PASSPHRASE: 'a guess of twenty characters' };
    const args = ['root', 'sign', stick('issuing-request.pem'), ground.places.folder, '--sha256', digest];
    expect(await ca(guessed, ...args)).toMatchObject(refused('does not open the key of the root'));
    const inService = { ...ground.places.root, ROOT_DIRECTORY: ground.places.service.CA_DIRECTORY ?? '' };
    expect(await ca(inService, 'root', 'init', ground.places.folder)).toMatchObject(
      refused('belongs to a service'),
    );
    expect(await readdir(ground.places.folder)).not.toContain('issuing-answer.pem');
  });

  it('without the SHA-256 from paper', async () => {
    await requested();
    const file = stick('issuing-request.pem');
    expect(await ca(ground.places.root, 'root', 'sign', file)).toMatchObject({
      code: 2,
      said: expect.stringContaining('needs --sha256'),
    });
  });
});
