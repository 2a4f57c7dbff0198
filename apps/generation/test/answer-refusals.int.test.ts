import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPem } from '../src/ca/files.ts';
import { ca } from './support/ca.ts';
import { ceremonyGround, refused, sha256 } from './support/ceremony-ground.ts';
import { announce, holdCeremony } from './support/two-places.ts';

const ground = ceremonyGround();
const { makePlaces, stick, records, install, answered, putAnswer } = ground;

describe('the service installs nothing', () => {
  const expectNothing = async (asBefore: number) => expect(await records()).toHaveLength(asBefore);

  it('that comes from another root than the one on paper', async () => {
    const { root: trueRoot, crl: trueCrl } = await answered();
    const others = makePlaces();
    const rootDigest = await holdCeremony(others);
    expect(await install('issuing-answer.pem', '--root', rootDigest)).toMatchObject(refused('another root'));
    expect(await install('issuing-answer.pem')).toMatchObject(refused('No root is known here yet'));
    // With the true root put beside the false certificate.
    const [, issuing] = await records(others);
    await putAnswer(
      { label: 'CERTIFICATE', der: Buffer.from(issuing?.certificate ?? '', 'base64') },
      trueRoot,
      trueCrl,
    );
    const known = sha256(trueRoot.der);
    expect(await install('issuing-answer.pem', '--root', known)).toMatchObject(
      refused('The new certificate is not signed by the root'),
    );
    await expectNothing(0);
  });

  it('that comes from another root than the one that is known', async () => {
    await holdCeremony(ground.places);
    const { digest } = await announce(ground.places.service, ground.places.folder);
    const impostor = makePlaces();
    await holdCeremony(impostor);
    const file = stick('issuing-2-request.pem');
    const signed = await ca(impostor.root, 'root', 'sign', file, ground.places.folder, '--sha256', digest);
    expect(signed.code).toBe(0);
    const rootDigest = sha256((await readPem(stick('root.pem', impostor)))[0]?.der ?? Buffer.alloc(0));
    expect(await install('issuing-2-answer.pem', '--root', rootDigest)).toMatchObject(
      refused('another root'),
    );
    await expectNothing(2);
  });

  it('that is for another key than the one that waits', async () => {
    const { rootDigest } = await answered();
    const other = { ...ground.places.service, CA_DIRECTORY: `${ground.places.service.CA_DIRECTORY}-other` };
    expect((await announce(other, `${ground.places.folder}-other`)).code).toBe(0);
    const stolen = await ca(other, 'install', stick('issuing-answer.pem'), '--root', rootDigest);
    expect(stolen).toMatchObject(refused('for another key than any that waits here'));
    await expectNothing(0);
  });

  it('whose key is not the one that was kept for it', async () => {
    const { rootDigest } = await answered();
    const directory = ground.places.service.CA_DIRECTORY ?? '';
    const others = makePlaces();
    await mkdir(others.folder, { recursive: true });
    await announce(others.service, others.folder);
    const path = join(directory, 'request-issuing.json');
    const theirs = JSON.parse(
      await readFile(join(others.service.CA_DIRECTORY ?? '', 'request-issuing.json'), 'utf8'),
    );
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), key: theirs.key }));
    expect(await install('issuing-answer.pem', '--root', rootDigest)).toMatchObject(
      refused("the key is not its certificate's"),
    );
    await expectNothing(0);
  });

  it('that was altered, and no CRL of another root', async () => {
    const { rootDigest, certificate, root, crl } = await answered();
    const altered = Buffer.from(certificate.der);
    altered.write('x', altered.lastIndexOf('pki.example.test'));
    await putAnswer({ ...certificate, der: altered }, root, crl);
    expect(await install('issuing-answer.pem', '--root', rootDigest)).toMatchObject(
      refused('is not signed by the root'),
    );
    const others = makePlaces();
    await holdCeremony(others);
    await ca(others.root, 'root', 'crl', ground.places.folder);
    const [falseCrl] = await readPem(stick('root-crl.pem'));
    await putAnswer(certificate, root, falseCrl ?? crl);
    expect(await install('issuing-answer.pem', '--root', rootDigest)).toMatchObject(
      refused('The CRL is not'),
    );
    await putAnswer(certificate, root);
    expect(await install('issuing-answer.pem', '--root', rootDigest)).toMatchObject(
      refused('must hold one CRL'),
    );
    await expectNothing(0);
  });

  it('that names other addresses than the service publishes under', async () => {
    const { rootDigest } = await answered();
    const moved = { ...ground.places.service, PKI_BASE_URL: 'http://elsewhere.example.test' };
    const args = ['install', stick('issuing-answer.pem'), '--root', rootDigest];
    expect(await ca(moved, ...args)).toMatchObject(refused('Is PKI_BASE_URL the same'));
    await expectNothing(0);
    expect((await ca(ground.places.service, ...args)).code).toBe(0);
  });

  it('where the key of the root is in its own folder', async () => {
    const { rootDigest } = await answered();
    const both = { ...ground.places.service, CA_DIRECTORY: `${ground.places.service.CA_DIRECTORY}-both` };
    expect((await ca(both, 'init')).code).toBe(0);
    expect(await ca(both, 'request', ground.places.folder)).toMatchObject(
      refused('The key of the root is here'),
    );
    const args = ['install', stick('issuing-answer.pem'), '--root', rootDigest];
    expect(await ca(both, ...args)).toMatchObject(refused('The key of the root is here'));
  });

  it('of an HSM that would hold root and issuing key at once', async () => {
    expect(await ca({ ...ground.places.service, CA_ISSUER: 'pkcs11' }, 'init')).toMatchObject(
      refused('A root in an HSM has a token of its own'),
    );
  });
});
