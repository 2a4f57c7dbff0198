import { auditColumnsToAdd, auditRights, disposeAfterAll, tamperWithAudit } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { operator } from './support/callers.ts';
import { runningTerms } from './support/running-terms.ts';

const ids: string[] = [];

const terms = await disposeAfterAll(runningTerms());
const { createVersion } = terms.operatorClient(operator('admin')).terms;
for (const version of ['1.0', '2.0', '3.0']) {
  const text = { type: 'TRADITIONAL_SIGNATURE' as const, version, content: version };
  ids.push((await createVersion.mutate({ ...text, reason: `the law of ${version}` })).id);
}
for (const id of ids.slice(0, 2)) await terms.activate(id);

const audit = (role: 'viewer' | 'reviewer' | 'admin') => terms.operatorClient(operator(role)).audit;
const verify = () => audit('admin').verify.query({ service: 'terms' });

it('shows every version that was created or activated, by whom, why, and what it replaced', async () => {
  const by = async (operatorKey: 'admin' | 'admin2') => {
    const actor = `operator:${operatorKey}@rubrica.test`;
    return (await audit('viewer').list.query({ service: 'terms', actor })).items;
  };
  const items = await by('admin');
  const [first, second] = ids;
  expect(items.map(({ action, target }) => [action, target])).toEqual([
    ['approvals.propose', expect.stringMatching(/^approval:/)],
    ['approvals.propose', expect.stringMatching(/^approval:/)],
    ...ids.toReversed().map((id) => ['terms.createVersion', `terms:${id}`]),
  ]);
  const approved = await by('admin2');
  expect(approved.map(({ action, target }) => [action, target])).toEqual([
    ['terms.activate', `terms:${second}`],
    ['approvals.approve', items[0]?.target],
    ['terms.activate', `terms:${first}`],
    ['approvals.approve', items[1]?.target],
  ]);
  expect(approved[0]).toMatchObject({
    service: 'terms',
    details: { type: 'TRADITIONAL_SIGNATURE', version: '2.0', replaced: first },
  });
  expect(items.at(-1)).toMatchObject({ reason: 'the law of 1.0', requestId: null });
});

it('begins with an entry that says so', async () => {
  await expect.poll(async () => (await verify()).end).toBeGreaterThan(0);
  const { items } = await audit('viewer').list.query({ service: 'terms', action: 'audit.start' });
  expect(items).toMatchObject([{ actor: 'service:terms', target: 'audit:terms.audit', sequence: 1 }]);
});

it('lets the running service add decisions, and neither change nor remove them', async () => {
  expect(await auditRights(terms.ground.service)).toEqual(['SELECT']);
  expect(await auditColumnsToAdd(terms.ground.service)).toEqual([
    'action',
    'actor',
    'at',
    'by_owner',
    'details',
    'entry_id',
    'mac',
    'reason',
    'target',
  ]);
});

it('is verified by administrators alone', async () => {
  await expect(audit('reviewer').verify.query({ service: 'terms' })).rejects.toMatchObject({
    data: { appCode: 'FORBIDDEN' },
  });
});

it('chains all of it, and names every row that was tampered with', async () => {
  await expect.poll(async () => (await verify()).unchained).toBe(0);
  expect(await verify()).toMatchObject({ service: 'terms', intact: true, rows: 10, end: 10, findings: [] });
  const expected = await tamperWithAudit(terms.ground.service);
  const { intact, findings } = await verify();
  expect(intact).toBe(false);
  expect(findings.map(({ kind, sequence }) => [kind, sequence])).toEqual(expected);
});

it('says of an entry that was added with the role of the database that it is not authentic', async () => {
  await terms.ground.service.database.query(
    `insert into terms.audit (actor, action, target) values ('operator:admin@example.com', 'terms.activate', 'terms:x')`,
  );
  const { items } = await audit('viewer').list.query({ service: 'terms', limit: 100 });
  expect(items.find(({ target }) => target === 'terms:x')).toMatchObject({ isAuthentic: false });
  expect(items.find(({ target }) => target === `terms:${ids[2]}`)).toMatchObject({ isAuthentic: true });
});
