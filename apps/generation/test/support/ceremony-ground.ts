import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certificationRequestTbs, keySigner, signCertificationRequest } from '@rubrica/pki';
import { scratchDirectory, writeServiceKeys } from '@rubrica/testkit';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type PemBlock, pem, readPem } from '../../src/ca/files.ts';
import { readAuthorityFile } from '../../src/issuers/authorities/authority-file.ts';
import { ca } from './ca.ts';
import { announce, digestIn, type Places } from './two-places.ts';

export const sha256 = (der: Uint8Array) => createHash('sha256').update(der).digest('hex');

/** A step that changed nothing and says why. */
export const refused = (text: string) => ({ code: 1, said: expect.stringContaining(text) });

/** Two places for each test of a file, with folders of their own and no token, and what is done in them. */
export function ceremonyGround() {
  let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
  let keyFiles: Awaited<ReturnType<typeof writeServiceKeys>>;
  let places: Places;
  let folders = 0;

  const makePlaces = () => {
    folders += 1;
    return placesIn((name) => join(scratch.path, `${folders}-${name}`), keyFiles);
  };
  beforeAll(async () => {
    scratch = await scratchDirectory('two-places');
    keyFiles = await writeServiceKeys(scratch.path);
  });
  beforeEach(() => {
    places = makePlaces();
  });
  afterAll(() => scratch[Symbol.asyncDispose]());

  const stick = (name: string, { folder } = places) => join(folder, name);
  const sign = (digest: string, file = 'issuing-request.pem', ...more: string[]) =>
    ca(places.root, 'root', 'sign', stick(file), places.folder, '--sha256', digest, ...more);
  /** A root, and a request that waits for its signature. */
  const requested = async () => {
    const rootDigest = digestIn((await ca(places.root, 'root', 'init', places.folder)).said);
    const { digest } = await announce(places.service, places.folder);
    return { rootDigest, digest };
  };
  return {
    get places() {
      return places;
    },
    makePlaces,
    stick,
    sign,
    requested,
    install: (file: string, ...more: string[]) => ca(places.service, 'install', stick(file), ...more),
    async records({ service } = places) {
      return (await readAuthorityFile(service.CA_DIRECTORY ?? ''))?.authorities ?? [];
    },
    /** The answer to a request of these places, not yet installed. */
    async answered() {
      const { rootDigest, digest } = await requested();
      expect((await sign(digest)).code).toBe(0);
      const [certificate, root, crl] = await readPem(stick('issuing-answer.pem'));
      if (!certificate || !root || !crl) throw new Error('no answer');
      return { rootDigest, certificate, root, crl };
    },
    async putRequest(der: Uint8Array) {
      await writeFile(stick('issuing-request.pem'), pem('CERTIFICATE REQUEST', der));
      return sha256(der);
    },
    putAnswer: (...blocks: PemBlock[]) =>
      writeFile(
        stick('issuing-answer.pem'),
        blocks.map(({ label, der }) => pem(label as 'CERTIFICATE', der)).join(''),
      ),
  };
}

function placesIn(
  at: (name: string) => string,
  keyFiles: Awaited<ReturnType<typeof writeServiceKeys>>,
): Places {
  const common = {
    CA_KEY_ALGORITHM: 'P_256',
    CA_COMMON_NAME: 'Firma Ejemplo',
    CA_ORGANIZATION: 'Ejemplo S.A.',
    PKI_BASE_URL: 'http://pki.example.test',
  };
  return {
    folder: at('stick'),
    root: { ...common, ROOT_DIRECTORY: at('root'), ROOT_PASSPHRASE: 'correct horse battery staple' },
    service: {
      ...common,
      BASE_URL: 'https://firma.example.test',
      KEYS_FILE: keyFiles.keysFile.generation,
      PEERS_FILE: keyFiles.peersFile,
      CA_DIRECTORY: at('ca'),
    },
  };
}

/** A request of another party, with a proof that is right, or that of another key. */
export async function foreignRequest(
  commonName: string,
  kind: 'ec' | 'rsa' = 'ec',
  signedBy?: KeyObject,
): Promise<Buffer> {
  const { publicKey, privateKey } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const tbs = certificationRequestTbs({
    subject: [
      { type: 'countryName', value: 'EC' },
      { type: 'organizationName', value: 'Ejemplo S.A.' },
      { type: 'commonName', value: commonName },
    ],
    spki: publicKey.export({ type: 'spki', format: 'der' }),
  });
  const algorithm = kind === 'ec' ? 'ecdsa-with-SHA256' : 'sha256WithRSAEncryption';
  return Buffer.from(await signCertificationRequest(tbs, algorithm, keySigner(signedBy ?? privateKey)));
}
