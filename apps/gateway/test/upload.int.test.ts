import { createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ensureBucket, objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { AppError } from '@rubrica/process/errors';
import { disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { linkedPartnerBody, pdf, png } from './support/bodies.ts';
import { testGateway } from './support/gateway.ts';
import { openBody, slowBody } from './support/slow-body.ts';

const gateway = await disposeAfterAll(testGateway({ PDF_LIMIT_BYTES: '32000000' }));
const token = await gateway.token();

beforeEach(async () => {
  gateway.state.registered.length = 0;
  gateway.state.registerFailures.length = 0;
  const manager = await gateway.bus.nc.jetstreamManager();
  await manager.streams.purge(`OBJ_${evidenceBucket}`);
});

function pdfOf(bytes: number) {
  return Buffer.concat([pdf, randomBytes(bytes)]);
}

function begin() {
  return slowBody(gateway.url, token);
}

function beginning(overrides = {}) {
  return openBody(linkedPartnerBody(overrides));
}

async function storedBytes(of = gateway): Promise<number> {
  const manager = await of.bus.nc.jetstreamManager();
  return (await manager.streams.info(`OBJ_${evidenceBucket}`)).state.bytes;
}

/** Chunks that no row names: intake's sweep removes them, which its own tests show. */
async function expectLeftToTheSweep() {
  const store = objectStore(gateway.bus, evidenceBucket);
  let count = 0;
  const sweep = async () => {
    const { removed } = await store.sweep({ olderThanMs: -1_000, wanted: async () => new Set() });
    count += removed;
    return storedBytes();
  };
  await expect.poll(sweep).toBe(0);
  expect(count).toBeGreaterThan(0);
}

function lastInput() {
  const last = gateway.state.registered.at(-1);
  if (last === undefined) throw new Error('nothing was registered');
  return last.input;
}

/** The files of the last registration as intake can read them. */
async function openFiles(input = lastInput()) {
  const key = await gateway.keyrings.intake.open(input.evidence?.key ?? '', {
    purpose: 'evidence-key',
    owner: input.requestId,
  });
  const store = objectStore(gateway.bus, evidenceBucket);
  return Promise.all(
    (input.evidence?.items ?? []).map(async ({ file }) => {
      if (file?.object === undefined) throw new Error('the file has no entry');
      const encrypted = await store.get(file.object).bytes();
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12));
      decipher.setAuthTag(encrypted.subarray(-16));
      const bytes = Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()]);
      return { bytes, sha256: file.sha256, size: file.size };
    }),
  );
}

function asOpened(bytes: Buffer) {
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
  };
}

describe('a file in a body that is still being sent', () => {
  test('of 20 MB is in the object store but for its end, and nobody is told of it before the call is complete', async () => {
    const file = pdfOf(20_000_000);
    const text = file.toString('base64');
    const sending = begin();
    await sending.send(beginning());
    const heldBack = 400_000;
    for (let at = 0; at < text.length - heldBack; at += 1_000_000) {
      await sending.send(text.slice(at, Math.min(at + 1_000_000, text.length - heldBack)));
    }
    await expect.poll(() => storedBytes()).toBeGreaterThan(19_000_000);
    expect(gateway.state.registered).toEqual([]);
    sending.end(`${text.slice(text.length - heldBack)}"}]}`);
    expect((await sending.answer).status).toBe(200);
    expect(await openFiles()).toEqual([asOpened(file)]);
  });

  test('is nobody’s when the client goes away', async () => {
    const sending = begin();
    await sending.send(beginning() + pdfOf(3_000_000).toString('base64'));
    await expect.poll(() => storedBytes()).toBeGreaterThan(2_000_000);
    sending.abort();
    await expectLeftToTheSweep();
    expect(gateway.state.registered).toEqual([]);
  });

  test('that grows beyond its limit is 413 before the rest is sent, and nobody’s, as those before it', async () => {
    const sending = begin();
    await sending.send(`${beginning()}${pdfOf(2_000_000).toString('base64')}"},{"evidenceFile":"`);
    await expect.poll(() => storedBytes()).toBeGreaterThan(1_900_000);
    await sending.send(Buffer.concat([png, randomBytes(5_100_000)]).toString('base64'));
    const answer = await sending.answer;
    expect(answer.status).toBe(413);
    expect(answer.error().errors).toMatchObject([{ field: 'evidences[1].evidenceFile' }]);
    await expectLeftToTheSweep();
    sending.abort();
  });

  test.each([
    ['turns out to be no JSON', {}, '"}]]', 'BODY_MALFORMED'],
    ['has other faults', { city: undefined }, '"}]}', 'FIELD_REQUIRED'],
    ['has a file that is base64 no more', { city: undefined }, '%"}]}', 'FIELD_REQUIRED'],
  ])('is nobody’s when the body %s', async (_what, overrides, end, code) => {
    const sending = begin();
    await sending.send(beginning(overrides) + pdfOf(3_000_000).toString('base64'));
    await expect.poll(() => storedBytes()).toBeGreaterThan(2_000_000);
    sending.end(end);
    const answer = await sending.answer;
    expect(answer.status).toBe(400);
    expect(answer.error().code).toBe(code);
    await expectLeftToTheSweep();
  });
});

test('bodies and files that arrive interleaved are kept apart, in any encoding', async () => {
  const contents = [0, 1].map(() => [pdfOf(700_000), pdfOf(900_000), pdfOf(50)]);
  const texts = contents.map((files, index) => {
    const encoded = files.map((file, at) =>
      at === 1 ? `[${file.join(',')}]` : `"${file.toString('base64')}"`,
    );
    const items = encoded.map((file) => `{"evidenceFile":${file}}`).join(',');
    const fields = JSON.stringify(linkedPartnerBody({ referenceTransaction: `MIX-${index}`, evidences: [] }));
    return fields.replace('"evidences":[]', `"evidences":[${items}]`);
  });
  const calls = texts.map(() => begin());
  for (let at = 0; at < Math.max(...texts.map(({ length }) => length)); at += 50_000) {
    for (const [index, one] of calls.entries()) {
      const piece = texts[index]?.slice(at, at + 50_000) ?? '';
      if (piece !== '') await one.send(piece);
    }
  }
  for (const one of calls) one.end();
  for (const one of calls) expect((await one.answer).status).toBe(200);
  for (const [index, files] of contents.entries()) {
    const named = gateway.state.registered.find(
      ({ input }) => input.fields.referenceTransaction === `MIX-${index}`,
    );
    expect(await openFiles(named?.input)).toEqual(files.map(asOpened));
  }
});

test('files that fit into a call never see the object store', async () => {
  const sending = begin();
  sending.end(`${beginning()}${pdfOf(190_000).toString('base64')}"}]}`);
  expect((await sending.answer).status).toBe(200);
  expect(lastInput().evidence?.items[0]?.file?.content).toBeDefined();
  expect(await storedBytes()).toBe(0);
});

test.each([
  ['by its first call', ['DUPLICATED_REFERENCE_TRANSACTION']],
  [
    'by a second, after a first that may have been carried out',
    ['SERVICE_UNAVAILABLE', 'DUPLICATED_REFERENCE_TRANSACTION'],
  ],
] as const)(
  'files of a request that intake refuses %s stay as they are: only intake removes',
  async (_how, codes) => {
    gateway.state.registerFailures.push(...codes.map((code) => new AppError({ code })));
    const file = pdfOf(3_000_000);
    const sending = begin();
    sending.end(`${beginning()}${file.toString('base64')}"}]}`);
    expect((await sending.answer).status).toBe(409);
    expect(await openFiles()).toEqual([asOpened(file)]);
  },
);

describe('an object store that cannot take a file', () => {
  test('because it is full: 503 before the rest is sent, nothing registered', async () => {
    await using small = await testGateway();
    await ensureBucket(small.bus, { bucket: evidenceBucket, maxBytes: 1_000_000 });
    const sending = slowBody(small.url, await small.token());
    await sending.send(beginning() + pdfOf(3_000_000).toString('base64'));
    const answer = await sending.answer;
    expect(answer.status).toBe(503);
    expect(answer.retryAfter).toBe('2');
    expect(answer.error().code).toBe('SERVICE_UNAVAILABLE');
    expect(small.state.registered).toEqual([]);
    sending.abort();
  });

  test('because it is gone in the middle of the body: 503, nothing registered', async () => {
    await using broken = await testGateway();
    const sending = slowBody(broken.url, await broken.token());
    await sending.send(beginning() + pdfOf(3_000_000).toString('base64'));
    await expect.poll(() => storedBytes(broken)).toBeGreaterThan(2_000_000);
    await broken.nats.kill();
    await sending.send(randomBytes(3_000_000).toString('base64'));
    const answer = await sending.answer;
    expect(answer.status).toBe(503);
    expect(answer.retryAfter).toBeDefined();
    expect(broken.state.registered).toEqual([]);
    sending.abort();
  });
});
