import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { readAddress } from '../src/s3/read-address.ts';
import { s3EvidenceStore } from '../src/s3/s3-store.ts';
import { evidenceStoreRules } from './support/rules.ts';
import { smallS3 } from './support/small-s3.ts';

/** A store that is played, on loopback without TLS. */
async function listening(answer: (request: IncomingMessage, answer: ServerResponse) => Promise<void>) {
  const server = createHttpServer((request, response) => void answer(request, response)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const s3 = await disposeAfterAll(smallS3());
const store = s3EvidenceStore(s3.settings);

describe('evidence in S3, over TLS with an authority of its own', () => {
  evidenceStoreRules(() => store);

  it('is read at an address without any rights, as long as it is there', async () => {
    const entry = await store.keep(Buffer.from('a passport'));
    const address = (await store.addressOf(entry)) ?? '';
    const read = (other = address) => readAddress({ address: other, entry, ca: s3.ca });
    expect(String(await read())).toBe('a passport');
    await expect(readAddress({ address, entry })).rejects.toMatchObject({ code: 'unavailable' });
    await store.remove(entry);
    await expect(read()).rejects.toMatchObject({ code: 'missing' });
  });

  it('goes in parts above 8 MiB, and at exactly 8 MiB in one piece', async () => {
    const chunksOf = async (size: number) => (await store.keep(Buffer.alloc(size))).chunks;
    expect(await chunksOf(8 * 1024 * 1024)).toBe(1);
    expect(await chunksOf(8 * 1024 * 1024 + 1)).toBe(2);
  });

  it('goes with the SHA-256 of each body, and only where nothing is under its name', async () => {
    const seen: { readonly headers: IncomingHttpHeaders; readonly sha256: string }[] = [];
    await using recorder = await listening(async (request, answer) => {
      const hash = createHash('sha256');
      for await (const piece of request) hash.update(piece);
      seen.push({ headers: request.headers, sha256: hash.digest('base64') });
      answer.end();
    });
    await s3EvidenceStore({ ...s3.settings, endpoint: recorder.url }).keep(Buffer.from('a passport'));
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers).toMatchObject({
      'x-amz-checksum-sha256': seen[0]?.sha256,
      'x-amz-content-sha256': Buffer.from(seen[0]?.sha256 ?? '', 'base64').toString('hex'),
      'if-none-match': '*',
    });
  });

  it.each([
    ['comes through at the second try', [503, 200], 2, undefined],
    ['is not tried again where the store says no', [403], 1, 'forbidden'],
    ['is not tried again where the store is full', [507], 1, 'full'],
    ['has come through where a repeat finds it there', [500, 412], 2, undefined],
    ['is unavailable where its name was taken before', [412], 1, 'unavailable'],
  ] as const)('%s', async (_, statuses, tries, code) => {
    let asked = 0;
    await using played = await listening(async (request, answer) => {
      for await (const _piece of request);
      const status = statuses[asked] ?? 500;
      answer.writeHead(status).end(status === 403 ? '<Error><Code>AccessDenied</Code></Error>' : '');
      asked += 1;
    });
    const keeping = s3EvidenceStore({ ...s3.settings, endpoint: played.url }).keep(Buffer.alloc(10));
    expect(
      await keeping.then(
        () => undefined,
        (error) => error.code,
      ),
    ).toBe(code);
    expect(asked).toBe(tries);
  });

  it('is tried once while the store is away, and again as before when it is back', async () => {
    let [asked, isAway, isBlinking] = [0, true, false];
    await using played = await listening(async (request, answer) => {
      for await (const _piece of request);
      asked += 1;
      isBlinking = !isBlinking;
      answer.writeHead(isAway || isBlinking ? 503 : 200).end();
    });
    const store = s3EvidenceStore({ ...s3.settings, endpoint: played.url });
    const triesOf = async () => {
      asked = 0;
      await store.keep(Buffer.alloc(10)).catch(() => undefined);
      return asked;
    };
    expect(await triesOf()).toBeGreaterThan(1);
    expect(await triesOf()).toBe(1);
    [isAway, isBlinking] = [false, true];
    expect([await triesOf(), await triesOf()]).toEqual([1, 2]);
  });

  it('of a store that answers nobody is unavailable, also one that takes the connection and goes silent', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    try {
      const address = silent.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      for (const endpoint of ['http://127.0.0.1:1', `http://127.0.0.1:${port}`]) {
        const away = s3EvidenceStore({ ...s3.settings, endpoint });
        const upload = away.upload();
        upload.write(Buffer.alloc(1_000));
        await expect(upload.finish()).rejects.toMatchObject({ code: 'unavailable' });
        expect([upload.heldBytes(), upload.failure()]).toEqual([0, expect.anything()]);
        await expect(away.probe()).rejects.toMatchObject({ code: 'unavailable' });
      }
    } finally {
      silent.close();
    }
  });

  it('answers a probe, although there is nothing to find', async () => {
    await expect(store.probe()).resolves.toBeUndefined();
  });
});
