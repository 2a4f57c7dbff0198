import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  makeEvidence,
  makeLinkedPartnerRequest,
  scratchDirectory,
  type TestDatabase,
  testPostgres,
} from '@rubrica/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareTables } from '../bench/bare/rows.ts';
import { readAnswer } from '../bench/load/connection.ts';
import { sendLoad } from '../bench/load/order.ts';
import { referencePlaceholder } from '../bench/load/prepared-request.ts';
import { readMetric } from '../bench/metrics.ts';
import { readCommand } from '../bench/options.ts';
import { median, percentile } from '../bench/statistics.ts';
import { formatSection } from '../bench/table.ts';

describe('the bare process that registrations are compared with', () => {
  const resources = new AsyncDisposableStack();
  let database: TestDatabase;
  let url: string;
  let bodyFile: string;

  beforeAll(async () => {
    const postgres = resources.use(await testPostgres());
    database = await postgres.createDatabase();
    await database.query(bareTables);
    const child = spawn(process.execPath, [join(import.meta.dirname, '../bench/bare/server.ts')], {
      env: { ...process.env, DATABASE_URL: database.superuserUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    resources.defer(async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    });
    [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const scratch = resources.use(await scratchDirectory('bench'));
    bodyFile = join(scratch.path, 'body.json');
    const evidences = [makeEvidence(40_000)];
    const body = makeLinkedPartnerRequest({ referenceTransaction: referencePlaceholder, evidences });
    await writeFile(bodyFile, JSON.stringify(body));
  });
  afterAll(() => resources.disposeAsync());

  const load = (referencePrefix: string, durationMs: number, requests?: number) =>
    sendLoad({
      requests,
      url: `${url}/collector/linked-partner/request`,
      token: 'none',
      bodyFile,
      connections: 4,
      durationMs,
      referencePrefix,
    });
  const count = async (table: string) =>
    Number((await database.query<{ n: string }>(`select count(*) as n from bench_bare.${table}`))[0]?.n);

  it('writes a row, the evidence’s bytes and an outbox row for each call that the generator counts', async () => {
    const result = await load('once', 300);
    expect(result.refused).toBe(0);
    expect(result.accepted).toBeGreaterThan(0);
    expect(result.latenciesMs).toHaveLength(result.accepted);
    for (const table of ['request', 'evidence', 'outbox']) expect(await count(table)).toBe(result.accepted);
    const sizes = await database.query<{ size: number }>(
      'select distinct length(content) as size from bench_bare.evidence',
    );
    expect(sizes).toHaveLength(1);
    expect(sizes[0]?.size).toBeGreaterThan(39_000);
  });

  it('gets no more calls than the generator was told to send', async () => {
    const result = await load('counted', 60_000, 7);
    expect([result.accepted, result.refused]).toEqual([7, 0]);
  });

  it('finds a request by its reference, for each call that the generator counts', async () => {
    const referenceTransaction = 'asked-for';
    const answer = await fetch(`${url}/collector/linked-partner/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(makeLinkedPartnerRequest({ referenceTransaction })),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { referenceTransaction }]);
    const query = (reference: string) =>
      sendLoad({
        url: `${url}/middleware/signature-request/status?referenceTransaction=${reference}`,
        token: 'none',
        connections: 4,
        durationMs: 200,
        referencePrefix: 'status',
      });
    const found = await query(referenceTransaction);
    expect([found.refused, found.refusals]).toEqual([0, []]);
    expect(found.accepted).toBeGreaterThan(0);
    expect((await query('never-sent')).refusals[0]).toMatch(/^404 /);
  });

  it('refuses a repeated reference, and the generator says so', async () => {
    const first = await load('twice', 200);
    const second = await load('twice', 200);
    expect(second.refused).toBeGreaterThan(0);
    expect(second.refusals[0]).toMatch(/^409 /);
    expect(first.refused).toBe(0);
  });
});

describe('the load generator', () => {
  it.each([
    ['a head that is not whole', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n'],
    ['a body that is not whole', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{"a"'],
    ['chunks without their end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n'],
  ])('waits for the rest after %s', (_what, bytes) => {
    expect(readAnswer(Buffer.from(bytes))).toBeUndefined();
  });

  it('reads the status, and the text of an answer that is not 200', () => {
    const refused = 'HTTP/1.1 409 Conflict\r\nContent-Length: 4\r\n\r\nused';
    expect(readAnswer(Buffer.from(refused))).toEqual({ status: 409, body: 'used' });
    const taken = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n';
    expect(readAnswer(Buffer.from(taken))).toEqual({ status: 200, body: '' });
  });
});

describe('the figures', () => {
  it('are values that were seen', () => {
    const samples = [5, 1, 4, 2, 3];
    expect([percentile(samples, 0), median(samples), percentile(samples, 0.95)]).toEqual([1, 3, 5]);
    expect(() => median([])).toThrow(RangeError);
  });

  it('are read from metrics by their exact name, labels or not', () => {
    const text = '# TYPE key_pool_ready gauge\nkey_pool_ready{service="generation"} 12\nkey_pool_ready_x 3\n';
    expect(readMetric(text, 'key_pool_ready')).toEqual([12]);
  });

  it('stand in columns', () => {
    const rows = [
      { what: 'one', value: '10/s', note: 'n' },
      { what: 'another', value: '2/s' },
    ];
    expect(formatSection('T', rows)).toBe('T\n  one      10/s  n\n  another   2/s\n');
  });
});

describe('the command', () => {
  it('explains itself, and refuses what it does not know', () => {
    expect(readCommand(['--help'])).toEqual({ kind: 'help' });
    expect(readCommand(['--fast'])).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('--fast'),
    });
  });

  it('measures at least 300 certificates unless it is to be quick', () => {
    expect(readCommand([])).toMatchObject({ kind: 'run', plan: { certificates: 300 } });
    expect(readCommand(['--quick'])).toMatchObject({ kind: 'run', plan: { rounds: 2 } });
  });
});
