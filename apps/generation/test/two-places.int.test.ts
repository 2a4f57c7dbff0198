import { X509Certificate } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadKeyring } from '@rubrica/process/keyring';
import { describe, expect, it } from 'vitest';
import { readPem } from '../src/ca/files.ts';
import { openIssuers } from '../src/issuers/open-issuers.ts';
import { ca } from './support/ca.ts';
import { ceremonyGround, refused } from './support/ceremony-ground.ts';
import { announce, digestIn, holdCeremony } from './support/two-places.ts';

const ground = ceremonyGround();
const { stick, records, sign, install, requested } = ground;

describe('a ceremony in two places', () => {
  it('gives the service an authority that signs, and no key of the root', async () => {
    await holdCeremony(ground.places);
    const [root, issuing, ...more] = await records();
    expect([root?.key, issuing?.key.kind, more]).toEqual([{ kind: 'elsewhere' }, 'sealed', []]);
    const keyring = await loadKeyring(
      { keysFile: ground.places.service.KEYS_FILE ?? '', peersFile: ground.places.service.PEERS_FILE ?? '' },
      'generation',
    );
    const authority = { directory: ground.places.service.CA_DIRECTORY ?? '', token: {} };
    const issuers = await openIssuers({ authority }, keyring, () => new Date());
    expect([issuers.active.name, issuers.root]).toEqual(['issuing', undefined]);
    expect(issuers.active.chain).toHaveLength(2);
    expect(issuers.published[0]?.crl?.nextUpdate.getTime()).toBeGreaterThan(Date.now());
    await issuers.close();
    expect(await readdir(ground.places.service.CA_DIRECTORY ?? '')).toEqual(['authorities.json']);
  });

  it('says at each step what it did and what to carry where', async () => {
    const made = await ca(ground.places.root, 'root', 'init', ground.places.folder);
    expect(made.said).toMatch(/The root was made[\s\S]*root.pem is for everybody[\s\S]*on paper/);
    const asked = await announce(ground.places.service, ground.places.folder);
    expect(asked.said).toMatch(/Carry .*issuing-request.pem to the root[\s\S]*root sign/);
    expect((await sign(asked.digest)).said).toMatch(
      /was signed[\s\S]*Carry .*issuing-answer.pem to the service/,
    );
    const installed = await install('issuing-answer.pem', '--root', digestIn(made.said));
    expect(installed.said).toMatch(/was installed[\s\S]*Nothing is to be carried back/);
    expect((await ca(ground.places.root, 'root', 'status')).said).toContain(asked.digest.replaceAll(' ', ''));
    expect((await ca(ground.places.service, 'status')).said).toContain(
      'elsewhere: no running service can open it',
    );
  });

  it('rotates, under the same root and in the same way', async () => {
    await holdCeremony(ground.places);
    expect(await ca(ground.places.service, 'rotate')).toMatchObject(
      refused('The key of the root is elsewhere'),
    );
    const { digest } = await announce(ground.places.service, ground.places.folder);
    expect((await sign(digest, 'issuing-2-request.pem')).code).toBe(0);
    const { code, said } = await install('issuing-2-answer.pem', '--after', '60');
    expect([code, said]).toEqual([0, expect.stringMatching(/issuing-2 {2}takes over at/)]);
    const [root, issuing, next] = (await records()).map(
      ({ certificate }) => new X509Certificate(Buffer.from(certificate, 'base64')),
    );
    expect(next?.subject).toContain('CN=Firma Ejemplo Issuing CA 2');
    expect(root && [issuing, next].map((one) => one?.verify(root.publicKey))).toEqual([true, true]);
    expect(await ca(ground.places.service, 'request', ground.places.folder)).toMatchObject(
      refused('issuing-2 takes over at'),
    );
  });

  it('signs the same request once: the answer that was lost is written again', async () => {
    const { digest } = await requested();
    expect((await sign(digest)).code).toBe(0);
    const [first] = await readPem(stick('issuing-answer.pem'));
    expect(await sign(digest)).toMatchObject({ code: 0, said: expect.stringContaining('written again') });
    const [second] = await readPem(stick('issuing-answer.pem'));
    expect(second?.der).toEqual(first?.der);
    expect((await announce(ground.places.service, ground.places.folder)).digest).toBe(digest);
  });

  it('is not undone by a crash between two files, and installs nothing twice', async () => {
    const { rootDigest, digest } = await requested();
    await sign(digest);
    const path = join(ground.places.service.CA_DIRECTORY ?? '', 'request-issuing.json');
    const kept = await readFile(path);
    expect((await install('issuing-answer.pem', '--root', rootDigest)).code).toBe(0);
    await writeFile(path, kept);
    expect(await install('issuing-answer.pem')).toMatchObject(refused('issuing is installed already'));
    expect(await records()).toHaveLength(2);
    const next = await announce(ground.places.service, ground.places.folder);
    expect([next.code, next.digest === digest]).toEqual([0, false]);
  });

  it('goes on under another number when the key of a signed request was lost', async () => {
    const { digest, rootDigest } = await requested();
    await sign(digest);
    await rm(join(ground.places.service.CA_DIRECTORY ?? '', 'request-issuing.json'));
    const again = await announce(ground.places.service, ground.places.folder);
    expect(await sign(again.digest)).toMatchObject(refused('There is an authority'));
    await rm(join(ground.places.service.CA_DIRECTORY ?? '', 'request-issuing.json'));
    const next = await announce(ground.places.service, ground.places.folder, '--number', '2');
    expect((await sign(next.digest, 'issuing-2-request.pem')).code).toBe(0);
    expect((await install('issuing-2-answer.pem', '--root', rootDigest)).code).toBe(0);
    expect((await records()).map(({ name }) => name)).toEqual(['root', 'issuing-2']);
  });

  it('brings a newer CRL of the root, and never an older one', async () => {
    await holdCeremony(ground.places);
    expect(
      (await ca({ ...ground.places.root, ROOT_CRL_LIFETIME_DAYS: '20' }, 'root', 'crl', ground.places.folder))
        .code,
    ).toBe(0);
    // Installed; and as its time is near, an operator is told to act.
    expect(await install('root-crl.pem')).toMatchObject(refused('The CRL of the root is valid until'));
    const old = await readFile(stick('root-crl.pem'));
    await ca(ground.places.root, 'root', 'crl', ground.places.folder);
    expect((await install('root-crl.pem')).code).toBe(0);
    await writeFile(stick('root-crl.pem'), old);
    expect(await install('root-crl.pem')).toMatchObject(
      refused('older than the one that is published: 2, not 3'),
    );
  });
});

describe('the next authority', () => {
  it.each([
    ['name', { CA_COMMON_NAME: 'Rubrica Test' }, 'The name would be "O=Ejemplo S.A., CN=Rubrica Test …"'],
    ['name', { CA_ORGANIZATION: 'Otra S.A.' }, 'The name would be "O=Otra S.A., CN=Firma Ejemplo …"'],
    ['key-type', { CA_KEY_ALGORITHM: 'RSA_2048' }, 'The key-type would be "RSA_2048"'],
  ] as const)('has another %s only where that was said', async (what, setting, fault) => {
    const other = what === 'name' ? 'key-type' : 'name';
    const local = { ...ground.places.service, CA_DIRECTORY: `${ground.places.service.CA_DIRECTORY}-local` };
    expect((await ca(local, 'init')).code).toBe(0);
    const forgotten = { ...local, ...setting };
    expect(await ca(forgotten, 'rotate')).toMatchObject(refused(fault));
    expect(await ca(forgotten, 'rotate', '--may-differ', other)).toMatchObject(refused(fault));
    expect((await ca(forgotten, 'rotate', '--may-differ', what)).code).toBe(0);
    await holdCeremony(ground.places);
    const asked = { ...ground.places.service, ...setting };
    expect(await ca(asked, 'request', ground.places.folder)).toMatchObject(refused(fault));
    const { code, digest } = await announce(asked, ground.places.folder, '--may-differ', what);
    expect(code).toBe(0);
    expect(await sign(digest, 'issuing-2-request.pem')).toMatchObject(refused(fault));
    expect((await sign(digest, 'issuing-2-request.pem', '--may-differ', what)).code).toBe(0);
    expect((await install('issuing-2-answer.pem')).code).toBe(0);
  });
});
