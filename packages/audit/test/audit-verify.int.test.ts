import { generateKeyPairSync } from 'node:crypto';
import { createDatabase } from '@rubrica/database/connection';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import type { AuditFinding } from '../src/verification/findings.ts';
import { type VerifyAuditRequest, verifyAudit } from '../src/verification/verify-audit.ts';
import { auditGround, auditTable, guardsOff, makeKeys } from './support/audit.ts';
import { quiet } from './support/quiet.ts';
import { canonical, rechain } from './support/rewrite.ts';

const ground = await disposeAfterAll(auditGround());
// 40 rows; row n has the place n and, by the identity column, the number n. Row 1 begins the chain.
await ground.add(9);
await ground.chainAll();
await ground.add(30);
// Logged once more by who goes on.
ground.logged.length = 0;
await ground.chainAll({ batchRows: 10, checkpointRows: 10 });

const superuser = (name: string) => {
  const url = new URL(ground.databases.superuserUrl);
  url.pathname = `/${name}`;
  return url.href;
};

/** Where the guards are off, as an owner would have them. */
async function cloneAndTamper(sql: string) {
  // A database is cloned while nobody is connected to it.
  await ground.database.close();
  const clone = await ground.databases.createDatabase({ template: ground.service.database.name });
  await clone.query(`${guardsOff} set search_path = intake; ${sql}`);
  return clone;
}

/** Verifies a clone that was tampered with. */
async function afterTampering(sql: string, request: Partial<VerifyAuditRequest> = {}, keys = ground.keys) {
  const clone = await cloneAndTamper(sql);
  await using database = createDatabase({
    url: superuser(clone.name),
    schema: 'intake',
    entities: [],
    logger: quiet,
  });
  return await verifyAudit({ sql: database, table: auditTable, keys }, { maxRows: 1_000, ...request });
}
const found = ({ findings }: { findings: readonly AuditFinding[] }) =>
  findings.map(({ kind, sequence, through, id }) => [kind, sequence, through ?? sequence, id]);

const columns = 'chain_sequence, chain_version, previous_hash, hash';

describe('an intact chain', () => {
  it('has nothing to find, in one call or in many, from the start or from a place', async () => {
    const whole = await afterTampering('select 1');
    expect(whole).toMatchObject({
      rows: 40,
      checkpoints: 4,
      findings: [],
      next: null,
      end: 40,
      unchained: 0,
    });
    await using reader = ground.open();
    const deps = { sql: reader, table: auditTable, keys: ground.keys };
    let rows = 0;
    for (let from: number | null = 1; from !== null; ) {
      const part = await verifyAudit(deps, { from, maxRows: 7, checkpoints: ground.logged });
      expect(part.findings).toEqual([]);
      rows += part.rows;
      from = part.next;
    }
    expect(rows).toBe(40);
    expect(await verifyAudit(deps, { from: 33, maxRows: 100 })).toMatchObject({ rows: 8, findings: [] });
  });

  it('is made as documented: the hashes are the same where PostgreSQL computes them', async () => {
    expect(found(await afterTampering(`${canonical} ${rechain(2)}`))).toEqual([]);
  });
});

describe('tampering by the owner', () => {
  it.each<[string, string, unknown[][]]>([
    [
      'an altered detail',
      `update audit set details = '{"n": 999}' where id = 17`,
      [['altered', 17, 17, '17']],
    ],
    [
      'a time off by a microsecond',
      `update audit set at = at + interval '1 microsecond' where id = 17`,
      [['altered', 17, 17, '17']],
    ],
    ['a time that is none', `update audit set at = 'infinity' where id = 17`, [['altered', 17, 17, '17']]],
    ['an altered hash', `update audit set hash = sha256('x') where id = 17`, [['altered', 17, 17, '17']]],
    ['an unknown version', `update audit set chain_version = 2 where id = 17`, [['altered', 17, 17, '17']]],
    ['an altered first row', `update audit set actor = 'x' where id = 1`, [['altered', 1, 1, '1']]],
    ['an altered last row', `update audit set actor = 'x' where id = 40`, [['altered', 40, 40, '40']]],
    ['a deleted row', 'delete from audit where id = 17', [['removed', 17, 17, null]]],
    [
      'several deleted rows, one of them signed',
      'delete from audit where id between 9 and 12',
      [['removed', 9, 12, null]],
    ],
    ['the deleted first row', 'delete from audit where id = 1', [['removed', 1, 1, null]]],
    ['a deleted tail', 'delete from audit where id > 35', [['tail-removed', 36, 40, null]]],
    ['all rows deleted', 'delete from audit', [['tail-removed', 1, 40, null]]],
    [
      'two rows with swapped places',
      `alter table audit drop constraint audit_chain_sequence;
       update audit set chain_sequence = 33 - chain_sequence where id in (16, 17)`,
      [
        ['moved', 16, 16, '17'],
        ['moved', 17, 17, '16'],
      ],
    ],
    [
      'two rows with swapped chains',
      `alter table audit drop constraint audit_chain_sequence; update audit a set
       (${columns}) = (select ${columns} from audit b where b.id = 37 - a.id) where id in (12, 25)`,
      [
        ['altered', 12, 12, '25'],
        ['altered', 25, 25, '12'],
      ],
    ],
    [
      'a row at the place of another',
      `alter table audit drop constraint audit_chain_sequence;
       insert into audit (actor, ${columns}) select 'forged', ${columns} from audit where id = 20`,
      [['inserted', 20, 20, '41']],
    ],
    [
      'a row put between two others, which move up',
      `alter table audit drop constraint audit_chain_sequence; ${canonical}
       update audit set chain_sequence = chain_sequence + 1 where chain_sequence > 25;
       insert into audit (actor, ${columns}) select 'forged', 26, 1, hash, hash from audit where chain_sequence = 25;
       update audit set hash = sha256(previous_hash || canonical(audit)) where chain_sequence = 26`,
      [
        ['inserted', 26, 26, '41'],
        ['moved', 27, 41, null],
      ],
    ],
    [
      'a row rewritten with a fitting hash',
      `${canonical} update audit set actor = 'forged' where id = 25;
       update audit set hash = sha256(previous_hash || canonical(audit)) where id = 25`,
      [['replaced', 25, 25, '25']],
    ],
    [
      'everything rewritten from a row on',
      `${canonical} update audit set actor = 'forged' where id = 25; ${rechain(25)}`,
      [
        ['rewritten', 21, 30, '30'],
        ['rewritten', 21, 40, '40'],
      ],
    ],
    [
      'half a place',
      `alter table audit drop constraint audit_chained; insert into audit (actor, hash) values ('x', '\\x00')`,
      [['inserted', null, null, '41']],
    ],
    [
      'a place outside the chain',
      `insert into audit (actor, ${columns}) values ('x', -3, 1, '\\x00', '\\x00')`,
      [['inserted', null, null, '41']],
    ],
    [
      'a deleted checkpoint',
      'delete from audit_checkpoint where sequence = 20',
      [['checkpoint-removed', 30, 30, null]],
    ],
    [
      'the deleted first checkpoint',
      'delete from audit_checkpoint where sequence = 10',
      [['checkpoint-removed', 20, 20, null]],
    ],
    [
      'an altered checkpoint',
      `update audit_checkpoint set hash = sha256('x') where sequence = 20`,
      [['checkpoint-altered', 20, 20, null]],
    ],
    [
      'a changed key id beside the signature',
      `update audit_checkpoint set kid = 'other' where sequence = 20`,
      [['checkpoint-altered', 20, 20, null]],
    ],
    [
      'a changed time beside the signature',
      `update audit_checkpoint set at = at - interval '1 day' where sequence = 20`,
      [['checkpoint-altered', 20, 20, null]],
    ],
  ])('finds %s, and says which', async (_, sql, expected) => {
    expect(found(await afterTampering(sql))).toEqual(expected);
  });

  it('finds a changed signature, a changed key id inside it, and a checkpoint of a key that is not known', async () => {
    const [header = '', payload = '', signature = ''] = (ground.logged[1] ?? '').split('.');
    const named = (kid: string) =>
      Buffer.from(
        JSON.stringify({ ...JSON.parse(Buffer.from(header, 'base64url').toString()), kid }),
      ).toString('base64url');
    const put = (jws: string) => `update audit_checkpoint set jws = '${jws}' where sequence = 20`;
    const broken = [
      ['checkpoint-invalid', 20, 20, null],
      ['checkpoint-removed', 30, 30, null],
    ];
    expect(found(await afterTampering(put(`${header}.${payload}.${signature.slice(0, -4)}AAAA`)))).toEqual(
      broken,
    );
    const changed = await afterTampering(put(`${named('other')}.${payload}.${signature}`));
    expect(found(changed)).toEqual(broken);
    expect(changed.findings[0]?.text).toContain('other');
    const stranger = makeKeys('stranger', generateKeyPairSync('ed25519'));
    const forged = stranger.signCheckpoint({ iat: 1, seq: 20, hash: 'A'.repeat(43) });
    expect(found(await afterTampering(put(forged)))).toEqual(broken);
  });

  it('finds a tail that went with its checkpoints by a checkpoint that was kept elsewhere', async () => {
    const both = 'delete from audit where id > 18; delete from audit_checkpoint where sequence > 18';
    expect(found(await afterTampering(both))).toEqual([]);
    expect(found(await afterTampering(both, { checkpoints: ground.logged }))).toEqual([
      ['tail-removed', 19, 40, null],
    ]);
    const rewritten = `${canonical} update audit set actor = 'forged' where id = 25; ${rechain(25)};
      delete from audit_checkpoint where sequence > 20`;
    expect(found(await afterTampering(rewritten))).toEqual([]);
    expect(found(await afterTampering(rewritten, { checkpoints: [ground.logged[3] ?? ''] }))).toEqual([
      ['rewritten', 21, 40, '40'],
    ]);
  });

  it('is found in the same places by calls of few rows each', async () => {
    const clone = await cloneAndTamper(`delete from audit where id in (14, 15);
      update audit set actor = 'x' where id in (7, 21, 28); delete from audit where id > 38`);
    await using database = createDatabase({
      url: superuser(clone.name),
      schema: 'intake',
      entities: [],
      logger: quiet,
    });
    const kinds: unknown[] = [];
    for (let from: number | null = 1; from !== null; ) {
      const part = await verifyAudit(
        { sql: database, table: auditTable, keys: ground.keys },
        { from, maxRows: 7 },
      );
      kinds.push(...found(part));
      from = part.next;
    }
    expect(kinds).toEqual([
      ['altered', 7, 7, '7'],
      ['removed', 14, 15, null],
      ['altered', 21, 21, '21'],
      ['altered', 28, 28, '28'],
      ['tail-removed', 39, 40, null],
    ]);
  });

  it('refuses a checkpoint from elsewhere that this service never signed', async () => {
    const jws = makeKeys('stranger').signCheckpoint({ iat: 1, seq: 1, hash: 'A'.repeat(43) });
    await expect(afterTampering('select 1', { checkpoints: [jws] })).rejects.toThrow(/unknown key/);
  });
});
