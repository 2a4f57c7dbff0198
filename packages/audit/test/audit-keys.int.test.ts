import { createDatabase } from '@rubrica/database/connection';
import { loadCheckpointVerifier, loadKeyring, type PrivateJwk } from '@rubrica/process/keyring';
import {
  disposeAfterAll,
  forgeCheckpoint,
  keyInFile,
  scratchDirectory,
  writeServiceKeys,
} from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { verifyAudit } from '../src/verification/verify-audit.ts';
import { type AuditGround, auditGround, auditTable, guardsOff, untilAllChained } from './support/audit.ts';
import { quiet } from './support/quiet.ts';
import { canonical, rechain } from './support/rewrite.ts';

const { path } = await disposeAfterAll(scratchDirectory('audit-keys'));
const files = await writeServiceKeys(path);

const keyOf = (service: keyof typeof files.keysFile, use: PrivateJwk['use']) =>
  keyInFile(files.keysFile[service], use);
const ownKeys = () => loadKeyring({ keysFile: files.keysFile.intake, peersFile: files.peersFile }, 'intake');

/** A chain of 20 rows with checkpoints at 10 and 20 under the key files of intake. */
async function signedGround(): Promise<AuditGround> {
  const ground = await auditGround();
  const keys = await ownKeys();
  for (const count of [9, 10]) {
    await ground.add(count);
    await using _ = ground.chainer({}, { keys });
    await untilAllChained(ground.database);
  }
  return ground;
}

interface Forger {
  readonly service: keyof typeof files.keysFile;
  readonly use: PrivateJwk['use'];
  /** Whose key id the forged checkpoint names; its own unless given. */
  readonly names?: PrivateJwk['use'];
}

/** As the owner of the database: another actor in row 5, every hash made to fit, and one new checkpoint over it. */
async function rewrite({ service }: AuditGround, forger: Forger): Promise<string> {
  const key = await keyOf(forger.service, forger.use);
  const named = forger.names === undefined ? key : await keyOf('intake', forger.names);
  await service.database.query(`${guardsOff} set search_path = intake; ${canonical}
    update audit set actor = 'operator:forged@b.ec' where chain_sequence = 5; ${rechain(5)};
    delete from audit_checkpoint`);
  return (await forgeCheckpoint(service, { key, kid: named.kid })).jws;
}

/** As an auditor does it: read access, and public keys. */
async function verify({ service }: AuditGround) {
  const database = { url: service.appUrl, schema: 'intake', entities: [], logger: quiet };
  await using sql = createDatabase(database);
  const keys = await loadCheckpointVerifier(files.peersFile);
  return await verifyAudit({ sql, table: auditTable, keys }, { maxRows: 1_000 });
}

it('is whole under the audit key: without forgery nothing is found', async () => {
  await using ground = await signedGround();
  expect(await verify(ground)).toMatchObject({ rows: 20, checkpoints: 2, findings: [] });
});

it('is protected by that key alone: a rewritten chain that it signs is as good as the true one', async () => {
  await using ground = await signedGround();
  await rewrite(ground, { service: 'intake', use: 'audit' });
  expect((await verify(ground)).findings).toEqual([]);
});

it.each<[string, Forger]>([
  ['the identity key of the service', { service: 'intake', use: 'sig' }],
  [
    'the identity key of the service under the name of its audit key',
    { service: 'intake', use: 'sig', names: 'audit' },
  ],
  ['the identity key of the gateway', { service: 'gateway', use: 'sig' }],
  ['the audit key of another service', { service: 'generation', use: 'audit' }],
])(
  'names a checkpoint over a rewritten chain that is signed with %s, and a chainer passes it over with an alarm',
  async (...args) => {
    const [, forger] = args;
    await using ground = await signedGround();
    await rewrite(ground, forger);
    const { kid } = await keyOf(forger.service, forger.use);
    const { findings } = await verify(ground);
    expect(findings).toEqual([
      expect.objectContaining({
        kind: 'checkpoint-wrong-key',
        sequence: 20,
        text: expect.stringContaining(kid),
      }),
    ]);
    await ground.add(1);
    await using chainer = ground.chainer({}, { keys: await ownKeys() });
    await untilAllChained(ground.database);
    expect(chainer.isActive()).toBe(true);
    // The row that was rewritten is named too: it stands behind no checkpoint that counts.
    expect(ground.alarms).toContain('audit_checkpoint 20');
    expect((await verify(ground)).findings.map(({ kind }) => kind)).toContain('checkpoint-wrong-key');
  },
);

it('takes no checkpoint from elsewhere that the identity key has signed', async () => {
  await using ground = await signedGround();
  const jws = await rewrite(ground, { service: 'intake', use: 'sig' });
  const keys = await loadCheckpointVerifier(files.peersFile);
  const deps = { sql: ground.database, table: auditTable, keys };
  await expect(verifyAudit(deps, { maxRows: 1_000, checkpoints: [jws] })).rejects.toMatchObject({
    fault: 'wrong-use',
  });
});
