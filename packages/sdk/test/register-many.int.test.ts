import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Batched, createRubrica, type RubricaOptions } from '../src/index.ts';
import { idMadeAt } from './client.ts';
import { errorAnswer } from './scripted-service.ts';

const batchPath = '/collector/linked-partner/batch';
const now = Date.parse('2026-11-24T12:00:00Z');

/** What the service does with the lines of one call: the answers, then the end or a broken connection. */
type Play = (lines: string[], response: ServerResponse) => void;

interface LineService extends AsyncDisposable {
  readonly url: string;
  /** References of each batch, in the order of its lines. */
  readonly batches: string[][];
  readonly tokens: string[];
  readonly plays: Play[];
  /** Records that the status operation knows, by reference. */
  readonly records: Map<string, object>;
}

async function lineService(): Promise<LineService> {
  const batches: string[][] = [];
  const tokens: string[] = [];
  const plays: Play[] = [];
  const records = new Map<string, object>();
  let given = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    if (pathname === '/oauth/token') {
      given += 1;
      return response.end(JSON.stringify({ access_token: `token-${given}`, expires_in: 1_800 }));
    }
    if (pathname !== batchPath)
      return response.end(JSON.stringify(records.get(searchParams.get('referenceTransaction') ?? '')));
    const lines = Buffer.concat(chunks).toString().split('\n').slice(0, -1);
    batches.push(lines.map((line) => JSON.parse(line).referenceTransaction));
    tokens.push(request.headers.authorization ?? '');
    response.writeHead(200, { 'content-type': 'application/x-ndjson', date: new Date(now).toUTCString() });
    return plays.shift()?.(lines, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    tokens,
    plays,
    records,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const taken = (line: number) => ({ line, status: 200, body: { linkedPartnerRequestId: `id-${line}` } });
const refusal = (line: number, status: number, code: string) => ({
  line,
  status,
  body: (errorAnswer(status, code) as { body: object }).body,
});
const play =
  (...answers: object[]): Play =>
  (_lines, response) =>
    void response.end(answers.map((one) => `${JSON.stringify(one)}\n`).join(''));
/** Answers some lines, and breaks when they have been sent. */
const breakAfter =
  (...answers: object[]): Play =>
  (_lines, response) =>
    void response.write(answers.map((one) => `${JSON.stringify(one)}\n`).join(''), () =>
      setImmediate(() => response.socket?.destroy()),
    );

let service: LineService;
beforeEach(async () => {
  service = await lineService();
});
afterEach(() => service[Symbol.asyncDispose]());

function client(options: Partial<RubricaOptions> = {}) {
  const given = { baseUrl: service.url, clientId: 'partner', clientSecret: 'secret', ...options };
  return createRubrica(given as RubricaOptions, {
    now: () => now,
    random: () => 0.5,
    pause: () => Promise.resolve(),
  });
}

const requests = (...references: string[]) =>
  references.map((referenceTransaction) => ({ referenceTransaction })) as never[];

async function all(outcomes: AsyncIterable<Batched>): Promise<Batched[]> {
  const found: Batched[] = [];
  for await (const one of outcomes) found.push(one);
  return found;
}

it('sends as many lines in a call as are wished, and tells of each in its order', async () => {
  service.plays.push(play(taken(1), refusal(2, 400, 'FIELD_INVALID')), play(taken(1)));
  const outcomes = await all(
    client().linkedPartner.registerMany(requests('A', 'B', 'C'), { linesPerCall: 2 }),
  );
  expect(service.batches).toEqual([['A', 'B'], ['C']]);
  expect(outcomes).toMatchObject([
    { index: 0, referenceTransaction: 'A', registered: { linkedPartnerRequestId: 'id-1', recovered: false } },
    { index: 1, error: { code: 'FIELD_INVALID', status: 400, outcomeUnknown: false } },
    { index: 2, registered: { linkedPartnerRequestId: 'id-1' } },
  ]);
});

it('sends what a broken connection left open again, and finds what was taken before it', async () => {
  service.plays.push(
    breakAfter(taken(1)),
    play(
      refusal(1, 409, 'DUPLICATED_REFERENCE_TRANSACTION'),
      refusal(2, 409, 'DUPLICATED_REFERENCE_TRANSACTION'),
      taken(3),
    ),
  );
  service.records.set('B', { linkedPartnerRequestId: idMadeAt(now), status: 'GENERATED' });
  service.records.set('C', { linkedPartnerRequestId: idMadeAt(now - 3_600_000), status: 'GENERATED' });
  const outcomes = await all(client().linkedPartner.registerMany(requests('A', 'B', 'C', 'D')));
  expect(service.batches).toEqual([
    ['A', 'B', 'C', 'D'],
    ['B', 'C', 'D'],
  ]);
  expect(outcomes).toMatchObject([
    { registered: { recovered: false } },
    { registered: { recovered: true, status: 'GENERATED' } },
    { error: { code: 'DUPLICATED_REFERENCE_TRANSACTION' } },
    { registered: { recovered: false } },
  ]);
});

it('sends lines again that may fare better later, and lines that an end of the answers left out', async () => {
  service.plays.push(
    play(taken(1), { ...refusal(2, 503, 'SERVICE_UNAVAILABLE'), retryAfter: 1 }),
    play(taken(1), taken(2)),
  );
  const outcomes = await all(client().linkedPartner.registerMany(requests('A', 'B', 'C')));
  expect(service.batches[1]).toEqual(['B', 'C']);
  expect(outcomes.map(({ referenceTransaction, error }) => [referenceTransaction, error])).toEqual([
    ['A', undefined],
    ['B', undefined],
    ['C', undefined],
  ]);
});

it('takes a new token where the old one ends in the middle, once', async () => {
  const ended = (line: number) => refusal(line, 401, 'UNAUTHENTICATED');
  service.plays.push(play(taken(1), ended(2)), play(ended(1)));
  const outcomes = await all(client().linkedPartner.registerMany(requests('A', 'B')));
  expect(service.tokens).toEqual(['Bearer token-1', 'Bearer token-2']);
  expect(outcomes[1]).toMatchObject({ referenceTransaction: 'B', error: { status: 401 } });
});

it('gives up where the service cannot be reached any more, and has told of the rest', async () => {
  service.plays.push(breakAfter(taken(1)), breakAfter(), breakAfter());
  const outcomes = client({ maxAttempts: 2 }).linkedPartner.registerMany(requests('A', 'B'));
  expect((await outcomes.next()).value).toMatchObject({ registered: { recovered: false } });
  await expect(outcomes.next()).rejects.toMatchObject({ code: 'NETWORK_ERROR', outcomeUnknown: true });
});

it('ends the call where its caller has seen enough', async () => {
  let isClosed = false;
  service.plays.push((_lines, response) => {
    response.on('close', () => {
      isClosed = true;
    });
    response.write(`${JSON.stringify(taken(1))}\n`);
  });
  for await (const { registered } of client().linkedPartner.registerMany(requests('A', 'B'))) {
    expect(registered?.recovered).toBe(false);
    break;
  }
  await expect.poll(() => isClosed).toBe(true);
});
