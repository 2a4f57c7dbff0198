import { createHash, randomBytes } from 'node:crypto';
import { MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { readAddress, s3EvidenceStore } from '@rubrica/evidence-store/s3';
import { smallS3 } from '@rubrica/evidence-store/small-s3';
import { createLogger } from '@rubrica/process/log';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { afterAll, expect, it, vi } from 'vitest';
import { OperatorSessionEntity } from '../src/access/sessions/session.entity.ts';
import { forgetEvidenceLinks } from '../src/desk/review/forget-evidence-links.ts';
import { schema } from '../src/entities.ts';
import { changeOperator, ownDatabase } from './support/own-database.ts';
import { fault, type OperatorKey, operatorsById, reviewGround } from './support/reviews.ts';
import { asPartner, byTwo } from './support/running-intake.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
function sha256(text: string) {
  return createHash('sha256').update(text).digest('hex');
}
const s3 = await disposeAfterAll(smallS3());
// Where the SDK finds them by itself.
vi.stubEnv('AWS_ACCESS_KEY_ID', s3.settings.credentials?.accessKeyId);
vi.stubEnv('AWS_SECRET_ACCESS_KEY', s3.settings.credentials?.secretAccessKey);
const ground = await disposeAfterAll(reviewGround(s3.env));

afterAll(() => vi.unstubAllEnvs());

async function waiting() {
  const key = randomBytes(32);
  const requestId = uuidv7();
  const { evidenceId, bundle, content } = await ground.evidence(requestId, key);
  await ground.waiting('sandbox', { requestId, evidence: bundle });
  return { requestId, evidenceId, key, content };
}
type Waiting = Awaited<ReturnType<typeof waiting>>;

/** The link as the operator gets it from the gateway. */
async function link({ requestId, evidenceId }: Pick<Waiting, 'requestId' | 'evidenceId'>, by: OperatorKey) {
  const { url, expiresAt } = await ground.as(by).evidence.mutate({ requestId, evidenceId });
  const binding = { purpose: 'evidence-link', owner: operatorsById[by] } as const;
  const address = new URL(await ground.keyring.openText(url, binding));
  return { address, expiresAt, token: address.pathname.split('/').at(-1) ?? '' };
}
function sealToken(token: string) {
  return ground.keyring.sealTo('intake', token, { purpose: 'evidence-token', owner: 'gateway' });
}
async function open(token: string, operatorId?: string) {
  return ground.open.mutate({
    sealedToken: await sealToken(token),
    remoteAddress: '192.0.2.7',
    ...(operatorId && { operatorId }),
  });
}

/** As the gateway opens it: for the link that was followed. */
async function keyOf({ sealedKey }: { sealedKey: string }, token: string): Promise<Buffer> {
  const binding = { purpose: 'shown-evidence-key', owner: sha256(token) } as const;
  return Buffer.from(await ground.keyring.open(sealedKey, binding));
}

/** A session of the reviewer as a sign-in opens it. */
async function openSession(): Promise<string> {
  const id = uuidv7();
  await using own = await ownDatabase(ground.intake.ground);
  const now = new Date();
  const hash = () => sha256(randomBytes(8).toString('hex'));
  await own.database.transaction(async (em) => {
    em.create(OperatorSessionEntity, {
      ...{ id, operatorId: operatorsById.reviewer, gen: 1, method: 'password', scope: 'full' },
      ...{ familySha256: hash(), refreshSha256: hash(), previousSha256: null, sealedRefreshToken: 'sealed' },
      ...{
        createdAt: now,
        lastUsedAt: now,
        expiresAt: new Date(now.getTime() + 60 * MINUTE_MS),
        endedAt: null,
      },
      ...{ address: '192.0.2.7', userAgent: 'a test' },
    });
  });
  return id;
}

it('an evidence link is sealed to the gateway, kept as a hash, and good for five minutes', async () => {
  const one = await waiting();
  const { address, token, expiresAt } = await link(one, 'reviewer');
  expect(address.pathname).toMatch(/^\/review\/evidence\/[A-Za-z0-9_-]{43}$/);
  const rows = await ground.intake.query(
    `select token_sha256, operator_id, extract(epoch from expires_at - created_at)::int as seconds
     from intake.evidence_link where request_id = $1`,
    [one.requestId],
  );
  expect(rows).toEqual([{ token_sha256: sha256(token), operator_id: operatorsById.reviewer, seconds: 300 }]);
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 4 * MINUTE_MS);
});

it('opening it hands the gateway the file as it is stored and its key, and both steps are audited', async () => {
  const one = await waiting();
  const { token } = await link(one, 'reviewer');
  const opened = await open(token);
  expect(opened).toMatchObject({
    requestId: one.requestId,
    evidenceId: one.evidenceId,
    file: {
      mediaType: 'image/png',
      size: expect.any(Number),
      sha256: expect.any(String),
      content: one.content,
    },
  });
  expect(await keyOf(opened, token)).toEqual(one.key);
  await open(token, operatorsById.reviewer);
  const steps = await ground.auditOf(one.requestId);
  expect(steps).toMatchObject([
    {
      actor: 'operator:reviewer@example.com',
      action: 'reviews.evidence',
      details: { evidenceId: one.evidenceId },
    },
    {
      actor: 'operator:reviewer@example.com',
      action: 'reviews.openEvidence',
      details: { evidenceId: one.evidenceId, remoteAddress: '192.0.2.7', mediaType: 'image/png' },
    },
    { action: 'reviews.openEvidence' },
  ]);
  expect(JSON.stringify(steps)).not.toContain(token);
});

it('a file that was sent anew is opened with the key of its own call, until the key of the request is destroyed', async () => {
  const one = await waiting();
  const ownKey = randomBytes(32);
  await ground.intake.query('update intake.evidence set key = $2 where id = $1', [
    one.evidenceId,
    await ground.keyring.sealTo('intake', ownKey, { purpose: 'evidence-key', owner: one.requestId }),
  ]);
  const { token } = await link(one, 'reviewer');
  expect(await keyOf(await open(token), token)).toEqual(ownKey);
  await ground.intake.query('update intake.request set evidence_key = null where id = $1', [one.requestId]);
  await expect(open(token)).rejects.toMatchObject(fault('PAYLOAD_EXPIRED'));
});

it('a link that nobody was given, of another operator, or whose time is over, opens nothing and is not audited', async () => {
  const one = await waiting();
  const { token } = await link(one, 'reviewer');
  const missing = fault('ROUTE_NOT_FOUND');
  await expect(open('made up')).rejects.toMatchObject(missing);
  await expect(open(token, operatorsById.reviewer2)).rejects.toMatchObject(missing);
  ground.pass(5 * MINUTE_MS + 1);
  await expect(open(token)).rejects.toMatchObject(missing);
  expect((await ground.auditOf(one.requestId)).map(({ action }) => action)).toEqual(['reviews.evidence']);
});

it('a link ends with the session that asked for it, and with no other', async () => {
  const one = await waiting();
  const [ending, staying] = [await openSession(), await openSession()];
  const tokenOf = async (id: string) => {
    const session = { id, scope: 'full' } as const;
    const caller = {
      kind: 'operator',
      operatorId: operatorsById.reviewer,
      email: 'reviewer@example.com',
    } as const;
    const { reviews } = ground.intake.operators({ ...caller, role: 'reviewer', session });
    const { url } = await reviews.evidence.mutate({ requestId: one.requestId, evidenceId: one.evidenceId });
    const binding = { purpose: 'evidence-link', owner: operatorsById.reviewer } as const;
    return new URL(await ground.keyring.openText(url, binding)).pathname.split('/').at(-1) ?? '';
  };
  const tokens = [await tokenOf(ending), await tokenOf(staying)] as const;
  for (const token of tokens) await open(token);
  const end = 'update intake.operator_session set ended_at = now(), version = version + 1 where id = $1';
  await ground.intake.query(end, [ending]);
  await expect(open(tokens[0])).rejects.toMatchObject(fault('ROUTE_NOT_FOUND'));
  await open(tokens[1]);
});

it.each([
  ['is switched off', { enabled: false }, { enabled: true }],
  ['may only view from now on', { role: 'viewer' }, { role: 'reviewer' }],
  ['has lost a right since, whatever it was,', { gen: 2 }, { gen: 1 }],
])('the links of an operator who %s open nothing', async (_what, change, back) => {
  const { token } = await link(await waiting(), 'reviewer2');
  const set = (to: object) => changeOperator(ground.intake.ground, operatorsById.reviewer2, to);
  await set(change);
  await expect(open(token)).rejects.toMatchObject(fault('ROUTE_NOT_FOUND'));
  await set(back);
  await open(token);
});

it('a link is made for an evidence of that request alone, that has a file, while it waits', async () => {
  const one = await waiting();
  const another = await waiting();
  const { evidence } = ground.as('reviewer');
  const mixed = { requestId: one.requestId, evidenceId: another.evidenceId };
  await expect(evidence.mutate(mixed)).rejects.toMatchObject(fault('REQUEST_NOT_FOUND'));
  const evidenceId = uuidv7();
  const items = [{ evidenceId, validatorUrl: 'https://validator.example.com/1' }];
  const requestId = await ground.waiting('sandbox', { evidence: { key: 'k', items, errors: [] } });
  await expect(evidence.mutate({ requestId, evidenceId })).rejects.toMatchObject(fault('EVIDENCE_MISSING'));
  await ground.as('reviewer').reject.mutate({ requestId: one.requestId, codes: ['REVIEW_REJECTED'] });
  await expect(link(one, 'reviewer')).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  await link(one, 'admin');
});

it('once the key is destroyed there is nothing to open, and no link is made', async () => {
  const one = await waiting();
  const { token } = await link(one, 'reviewer');
  await ground.intake.query('update intake.request set evidence_key = null where id = $1', [one.requestId]);
  await expect(open(token)).rejects.toMatchObject(fault('PAYLOAD_EXPIRED'));
  await expect(link(one, 'reviewer')).rejects.toMatchObject(fault('PAYLOAD_EXPIRED'));
});

it('an erasure takes the links and the comments of approvals, and leaves who approved', async () => {
  const one = await waiting();
  const { token } = await link(one, 'reviewer');
  const { requestId } = one;
  await ground.setPolicy('sandbox', 'four-eyes');
  const other = await waiting();
  await ground.setPolicy('sandbox', 'automatic');
  await ground.as('reviewer').approve.mutate({ requestId: other.requestId, comment: 'María is known to us' });
  const requests = ground.intake.operators({
    kind: 'operator',
    operatorId: operatorsById.admin,
    email: 'admin@example.com',
    role: 'admin',
  }).requests;
  for (const id of [requestId, other.requestId]) {
    await requests.cancel.mutate({ requestId: id });
    await byTwo(ground.intake, (admin) => admin.requests.erase.mutate({ requestId: id, reason: 'asked' }));
  }
  await expect(open(token)).rejects.toMatchObject(fault('ROUTE_NOT_FOUND'));
  const approvals = await ground.intake.query(
    'select operator_id, comment from intake.review_approval where request_id = $1',
    [other.requestId],
  );
  expect(approvals).toEqual([{ operator_id: operatorsById.reviewer, comment: null }]);
});

it('the sweeper forgets links that are over, and those alone', async () => {
  const one = await waiting();
  await link(one, 'reviewer');
  ground.pass(6 * MINUTE_MS);
  const { token } = await link(one, 'reviewer');
  const url = ground.intake.ground.service.appUrl;
  await using database = createDatabase({ url, schema, entities: [], logger: quiet });
  const { text, params = [] } = forgetEvidenceLinks(ground.clock);
  await database.execute(text, params);
  const left = await ground.intake.query(
    'select token_sha256 from intake.evidence_link where request_id = $1',
    [one.requestId],
  );
  expect(left).toEqual([{ token_sha256: sha256(token) }]);
});

it('no partner opens links', async () => {
  const { token } = await link(await waiting(), 'reviewer');
  const stranger = ground.intake.client(asPartner('sandbox'));
  await expect(
    stranger.reviews.openEvidence.mutate({ sealedToken: await sealToken(token), remoteAddress: '' }),
  ).rejects.toMatchObject(fault('FORBIDDEN'));
});

it('a hash from the tables opens nothing, whatever the gateway makes of it with its own keys', async () => {
  const one = await waiting();
  const { token } = await link(one, 'reviewer');
  const hash = sha256(token);
  const { keyring, intake } = ground;
  await expect(open(hash)).rejects.toMatchObject(fault('ROUTE_NOT_FOUND'));
  const asClaim = await keyring.sealTo('intake', token, { purpose: 'claim-token', owner: 'gateway' });
  const asNotifiers = await keyring.sealTo('intake', token, { purpose: 'evidence-token', owner: 'notifier' });
  for (const sealedToken of [hash, asClaim, asNotifiers]) {
    const attack = ground.open.mutate({ sealedToken, remoteAddress: '192.0.2.7' });
    await expect(attack).rejects.toMatchObject(fault('INTERNAL_ERROR'));
  }
  const asBefore = { tokenSha256: hash, remoteAddress: '192.0.2.7' };
  await expect(ground.open.mutate(asBefore as never)).rejects.toMatchObject(fault('FIELD_INVALID'));
  const sql = "select 1 from intake.audit where action = 'reviews.openEvidence' and target = $1";
  expect(await intake.query(sql, [`request:${one.requestId}`])).toEqual([]);
});

it('evidence in S3 is checked there while new evidence goes to NATS, and opened at an address that the gateway needs no rights for', async () => {
  const key = randomBytes(32);
  const requestId = uuidv7();
  const { evidenceId, bundle, content } = await ground.evidence(requestId, key);
  const upload = s3EvidenceStore(s3.settings).upload();
  upload.write(content);
  const object = await upload.finish();
  const items = bundle.items.map(({ file: { content: _, ...file }, ...item }) => {
    return { ...item, file: { ...file, object } };
  });
  await ground.waiting('sandbox', { requestId, evidence: { ...bundle, items } });
  const { token } = await link({ requestId, evidenceId }, 'reviewer');
  const { file, address = '' } = await open(token);
  expect(file).toMatchObject({ object: { ...object, store: 's3', area: 'incoming' } });
  expect((await readAddress({ address, entry: object, ca: s3.ca })).equals(content)).toBe(true);
});
