import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { toAppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, forgeCheckpoint, keyInFile } from '@rubrica/testkit';
import { describe, expect, it, vi } from 'vitest';
import { published } from './support/issued-certificates.ts';
import { openScene } from './support/scene.ts';

const requestId = uuidv7();

const scene = await disposeAfterAll(openScene());
await scene.order({}, { requestId, attempt: 1 });
// Each list that is signed has an entry.
await vi.waitFor(() => Promise.all(['issuing.crl', 'root.crl'].map((file) => published(scene, file))), {
  timeout: 60_000,
});

const as = (role: OperatorRole) =>
  scene.gateway.operatorClient({
    kind: 'operator',
    operatorId: uuidv7(),
    email: `${role}@rubrica.test`,
    role,
  }).audit;

const unchained = async () => (await as('admin').verify.query({})).unchained;

/** As an auditor runs it: read access, public keys and, for the MACs of entries, the service's key file. */
function verify(args: string[] = [], env: Record<string, string | undefined> = {}) {
  const { DATABASE_URL = '', PEERS_FILE = '', KEYS_FILE = '' } = scene.env.env;
  const program = join(import.meta.dirname, '../src/main.ts');
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const options = { env: { DATABASE_URL, PEERS_FILE, KEYS_FILE, ...env } };
    const child = execFile(process.execPath, [program, 'verify-audit', ...args], options, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

describe('audit.list', () => {
  it('shows that the chain was begun, at its first place', async () => {
    await expect.poll(unchained).toBe(0);
    const { items } = await as('viewer').list.query({ action: 'audit.start' });
    expect(items).toMatchObject([
      { actor: 'service:generation', target: 'audit:generation.audit_entry', sequence: 1, requestId: null },
    ]);
  });

  it('shows what was decided about a request, newest first, with its place once it has one', async () => {
    await expect.poll(unchained).toBe(0);
    const { items } = await as('viewer').list.query({ requestId, limit: 10 });
    expect(items.map(({ action, requestId: about }) => [action, about])).toEqual([
      ['certificate.issued', requestId],
      ['certificate.intended', requestId],
    ]);
    const [issued, intended] = items;
    expect(issued).toMatchObject({
      service: 'generation',
      actor: 'service:generation',
      target: expect.stringMatching(/^certificate:[4-7][0-9A-F]{29}$/),
    });
    expect(issued?.sequence).toBe((intended?.sequence ?? Number.NaN) + 1);
    expect(issued?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('pages by keyset and filters by action, actor and time', async () => {
    const list = (filter: object) => as('viewer').list.query({ requestId, ...filter });
    const first = await list({ limit: 1 });
    expect(first.items.map(({ action }) => action)).toEqual(['certificate.issued']);
    const rest = await list({ cursor: first.nextCursor ?? '' });
    expect(rest.items.map(({ action }) => action)).toEqual(['certificate.intended']);
    expect(rest.nextCursor).toBeNull();
    expect((await list({ action: 'certificate.intended' })).items).toHaveLength(1);
    expect((await list({ actor: 'operator:nobody' })).items).toEqual([]);
    expect((await list({ since: new Date(Date.now() + 60_000).toISOString() })).items).toEqual([]);
    expect((await list({ until: new Date(Date.now() + 60_000).toISOString() })).items).toHaveLength(2);
  });
});

describe('audit.verify', () => {
  it('looks at no more than it was asked to, and says where to go on', async () => {
    const first = await as('admin').verify.query({ limit: 1 });
    expect(first).toMatchObject({ service: 'generation', intact: true, rows: 1, nextCursor: '2', end: 7 });
    const rest = await as('admin').verify.query({ cursor: first.nextCursor ?? '' });
    expect(rest).toMatchObject({ intact: true, rows: 6, nextCursor: null });
  });

  it('is for administrators, and refuses a checkpoint that is nobody’s', async () => {
    const codeOf = (call: Promise<unknown>) =>
      call.then(
        () => 'OK',
        (error: unknown) => toAppError(error).code,
      );
    expect(await codeOf(as('reviewer').verify.query({}))).toBe('FORBIDDEN');
    expect(await codeOf(as('admin').verify.query({ checkpoint: 'a.b.c' }))).toBe('FIELD_INVALID');
  });
});

describe('the auditor’s program', () => {
  it('ends with 0 where all is intact, 3 where MACs were not checked, and 2 where it cannot look', async () => {
    const good = await verify();
    expect(good).toMatchObject({ code: 0, out: expect.stringMatching(/^generation: intact\. 7 rows/) });
    const { code, out } = await verify([], { KEYS_FILE: undefined });
    expect({ code, out }).toEqual({
      code: 3,
      out: expect.stringMatching(/^generation: chain in order\. 7 rows.*MACs of entries were NOT checked/),
    });
    const away = await verify([], { DATABASE_URL: 'postgres://nobody:none@127.0.0.1:1/none' });
    expect(away).toMatchObject({ code: 2, out: '', err: expect.stringContaining('could not look') });
    expect(await verify(['--from', '0'])).toMatchObject({ code: 2 });
    expect(await verify(['--checkpoint', 'x'])).toMatchObject({ code: 2 });
    expect(await verify(['--nonsense'])).toMatchObject({ code: 2 });
  });

  it('ends with 1 where a row was altered, and names it', async () => {
    await scene.env.database.query(`do $$ begin
      alter table generation.audit_entry disable trigger all;
      update generation.audit_entry set detail = '{"forged": true}' where chain_sequence = 2;
      alter table generation.audit_entry enable trigger all; end $$`);
    const { code, out } = await verify(['--json']);
    const report = JSON.parse(out);
    expect(code).toBe(1);
    expect(report).toMatchObject({ service: 'generation', intact: false, rows: 7, end: 7 });
    expect(report.findings).toEqual([
      expect.objectContaining({ kind: 'altered', sequence: 2, id: '1' }),
      expect.objectContaining({ kind: 'not-authentic', sequence: 2, id: '1' }),
    ]);
    expect((await verify()).out).toContain('place 2, row 1');
    expect(await as('admin').verify.query({})).toMatchObject({ intact: false });
  });

  it('ends with 1 for a checkpoint that the identity key of the service has signed, and names that key', async () => {
    const key = await keyInFile(scene.env.ground.keys.keysFile.generation, 'sig');
    const { sequence } = await forgeCheckpoint(scene.env.ground.service, { key, table: 'audit_entry' });
    const { code, out } = await verify(['--json', '--from', '3']);
    expect(code).toBe(1);
    expect(JSON.parse(out).findings).toEqual([
      expect.objectContaining({
        kind: 'checkpoint-wrong-key',
        sequence,
        text: expect.stringContaining(`signed by key ${key.kid} of generation`),
      }),
    ]);
  });
});
