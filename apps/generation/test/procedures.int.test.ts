import { createHash, X509Certificate } from 'node:crypto';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { toAppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it, vi } from 'vitest';
import { listenToEvents } from './support/events.ts';
import { generation } from './support/generation.ts';
import { grantOf } from './support/grants.ts';
import { makeOrder, partnerId } from './support/orders.ts';
import { connectPeer } from './support/peers.ts';

const requestIds: string[] = [];

const operator = (role: OperatorRole): Caller => ({
  kind: 'operator',
  operatorId: uuidv7(),
  email: `${role}@rubrica.test`,
  role,
});

const env = await disposeAfterAll(generation());
const gateway = await disposeAfterAll(connectPeer('gateway', env.ground));
const log = await disposeAfterAll(listenToEvents(env.intakePeer));
await disposeAfterAll(env.start({ SWEEP_INTERVAL_SECONDS: '1', BUNDLE_RETENTION_DAYS: '1' }));
for (let i = 0; i < 5; i++) {
  const job = { requestId: uuidv7(), attempt: 1 };
  requestIds.push(job.requestId);
  const binding = { purpose: 'certificate-password', owner: job.requestId } as const;
  const sealedPassword = await gateway.keyring.sealTo('generation', 'correct horse', binding);
  env.intake.place(makeOrder(job, i === 1 ? { sealedPassword, passwordOrigin: 'HOLDER' } : {}));
  await env.intake.publishJob(job);
  await vi.waitFor(() => expect(log.of(job.requestId)).toHaveLength(1), { timeout: 120_000, interval: 10 });
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    (error: unknown) => toAppError(error).code,
  );

describe('authorities.list', () => {
  it('tells of root and issuing authority when each of theirs ends, as the files say that are served', async () => {
    const viewer = gateway.operatorClient(operator('viewer'));
    const { items, pending } = await viewer.authorities.list.query();
    expect(items.map(({ name, kind, signs }) => [name, kind, signs])).toEqual([
      ['root', 'root', false],
      ['issuing', 'issuing', true],
    ]);
    expect(pending).toEqual([]);
    for (const { name, notAfter, serialNumber, responderNotAfter, crl, keyIsElsewhere } of items) {
      const file = await gateway.serviceClient().pki.file.query({ file: `${name}.cer` });
      const certificate = new X509Certificate(Buffer.from(file.content, 'base64'));
      expect([notAfter, serialNumber]).toEqual([
        certificate.validToDate.toISOString(),
        certificate.serialNumber,
      ]);
      expect(file.lastModified).toBe(certificate.validFromDate.toISOString());
      expect(responderNotAfter === null).toBe(name === 'root');
      const list = await gateway.serviceClient().pki.file.query({ file: `${name}.crl` });
      expect(crl?.thisUpdate).toBe(list.lastModified);
      expect(keyIsElsewhere).toBe(false);
    }
  });
});

describe('certificates.byRequest', () => {
  it('tells intake the state of the certificate', async () => {
    const [requestId = ''] = requestIds;
    const state = await env.intakePeer.serviceClient().certificates.byRequest.query({ requestId, partnerId });
    expect(state).toMatchObject({ status: 'VALID', revokedAt: null, revocationReason: null });
    expect(state.serialNumber).toMatch(/^[4-7][0-9A-F]{29}$/);
  });

  it('is CERTIFICATE_NOT_FOUND for another partner than the one whose order it was', async () => {
    const own = { requestId: requestIds[0] ?? '', partnerId: uuidv7() };
    const { certificates } = env.intakePeer.serviceClient();
    expect(await codeOf(certificates.byRequest.query(own))).toBe('CERTIFICATE_NOT_FOUND');
  });

  it('is CERTIFICATE_NOT_FOUND where there is none, and refused to others', async () => {
    const requestId = uuidv7();
    expect(
      await codeOf(env.intakePeer.serviceClient().certificates.byRequest.query({ requestId, partnerId })),
    ).toBe('CERTIFICATE_NOT_FOUND');
    // What the bus does not let a service call, also under another's name, is to the caller a fault of its own.
    const falselyNamed = gateway.serviceClient(undefined, 'intake');
    expect(await codeOf(falselyNamed.certificates.byRequest.query({ requestId, partnerId }))).toBe(
      'INTERNAL_ERROR',
    );
    expect(await codeOf(gateway.serviceClient().certificates.byRequest.query({ requestId, partnerId }))).toBe(
      'INTERNAL_ERROR',
    );
  });
});

const released = (requestId: string) =>
  env.database.query(
    `select actor, serial from generation.audit_entry
     where request_id = $1 and action = 'bundle.released' order by sequence`,
    [requestId],
  );

describe('bundles.release', () => {
  it('is for notifier and gateway alone, each for a grant of its own', async () => {
    const [requestId = ''] = requestIds;
    const grant = await grantOf(env, requestId);
    const release = (caller?: Caller) =>
      codeOf(gateway.serviceClient(caller).bundles.release.query({ grant }));
    expect(await release()).toBe('OK');
    expect(await released(requestId)).toEqual([{ actor: 'service:gateway', serial: expect.any(String) }]);
    // Whoever heard no answer asks again.
    expect(await release()).toBe('OK');
    // The bus does not let intake make this call: to the caller that is a fault of its own.
    expect(await codeOf(env.intakePeer.serviceClient().bundles.release.query({ grant }))).toBe(
      'INTERNAL_ERROR',
    );
    expect(await release(operator('admin'))).toBe('FORBIDDEN');
    const falselyNamed = env.intakePeer.serviceClient(undefined, 'gateway');
    expect(await codeOf(falselyNamed.bundles.release.query({ grant }))).toBe('INTERNAL_ERROR');
    expect(await released(requestId)).toHaveLength(2);
  });

  it('stays possible for as long as an applicant may download, however short the retention', async () => {
    const kept = await env.database.query<{ days: number }>(
      `select extract(day from purge_at - issued_at)::int as days from generation.bundle
       join generation.certificate on certificate.id = certificate_id where request_id = any($1) order by days`,
      [requestIds.slice(0, 2)],
    );
    expect(kept.map(({ days }) => days)).toEqual([1, 8]);
  });

  it('ends with the retention: the bundle is destroyed', async () => {
    const requestId = requestIds.at(-1) ?? '';
    await env.database.query(
      `update generation.bundle set purge_at = now() - interval '1 second' where certificate_id =
        (select id from generation.certificate where request_id = $1)`,
      [requestId],
    );
    const grant = await grantOf(env, requestId);
    const release = () => codeOf(gateway.serviceClient().bundles.release.query({ grant }));
    await expect.poll(release).toBe('PAYLOAD_EXPIRED');
    const before = await released(requestId);
    expect(await release()).toBe('PAYLOAD_EXPIRED');
    expect(await released(requestId)).toEqual(before);
  });
});

describe('pki files', () => {
  it('are the authorities whose names the certificates carry, for anyone', async () => {
    const client = gateway.serviceClient({ kind: 'public' });
    const { pki } = env.intakePeer.serviceClient();
    expect(await pki.index.query()).toEqual({ root: 'root', issuing: 'issuing' });
    const file = await client.pki.file.query({ file: 'issuing.cer' });
    const issuing = new X509Certificate(Buffer.from(file.content, 'base64'));
    const root = new X509Certificate(
      Buffer.from((await client.pki.file.query({ file: 'root.cer' })).content, 'base64'),
    );
    expect(issuing.verify(root.publicKey)).toBe(true);
    expect(issuing.infoAccess).toContain('URI:http://127.0.0.1:3000/pki/root.cer');
    expect(file.etag).toBe(`"${createHash('sha256').update(issuing.raw).digest('base64url')}"`);
    expect(await codeOf(client.pki.file.query({ file: 'other.cer' }))).toBe('CERTIFICATE_NOT_FOUND');
  });
});

describe('certificates.search and get', () => {
  it('page through all certificates, newest first, each once', async () => {
    const client = gateway.operatorClient(operator('viewer'));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.certificates.search.query({ limit: 2, cursor });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ requestId }) => requestId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(requestIds.toReversed());
  });

  it('find by serial number and by request', async () => {
    const client = gateway.operatorClient(operator('viewer'));
    const [requestId = ''] = requestIds;
    const { items } = await client.certificates.search.query({ requestId });
    const [found] = items;
    expect(items).toHaveLength(1);
    const lower = found?.serialNumber.toLowerCase() ?? '';
    expect((await client.certificates.search.query({ serialNumber: lower })).items).toEqual(items);
    const { certificates } = gateway.operatorClient(operator('reviewer'));
    const whole = await certificates.get.query({ id: found?.id ?? '' });
    expect(new X509Certificate(whole.pem ?? '').serialNumber).toBe(found?.serialNumber);
    expect(whole).toMatchObject({ status: 'VALID', profile: 'NATURAL_PERSON/TRADITIONAL_SIGNATURE' });
  });

  it("show a viewer nobody's identification number, in no form", async () => {
    const [requestId = ''] = requestIds;
    const shownTo = async (role: 'viewer' | 'reviewer') => {
      const { certificates } = gateway.operatorClient(operator(role));
      const { items } = await certificates.search.query({ requestId });
      return [items[0], await certificates.get.query({ id: items[0]?.id ?? '' })] as const;
    };
    const [row, whole] = await shownTo('reviewer');
    const [, number = ''] = /IDCEC-(\d{10})/.exec(row?.subject ?? '') ?? [];
    expect(number).toHaveLength(10);
    expect(whole.subject).toContain(number);
    const [maskedRow, maskedWhole] = await shownTo('viewer');
    expect(JSON.stringify([maskedRow, maskedWhole])).not.toContain(number);
    expect(maskedRow?.subject).toBe(row?.subject.replace(number, `******${number.slice(-4)}`));
    expect(maskedWhole.pem).toBeNull();
  });

  it("are written down in the audit log, and are no part of the certificate's history", async () => {
    const requestId = requestIds.at(-1) ?? '';
    const reviewer = operator('reviewer');
    const { certificates, audit } = gateway.operatorClient(reviewer);
    const { items } = await certificates.search.query({ requestId });
    const { history } = await certificates.get.query({ id: items[0]?.id ?? '' });
    expect(history.filter(({ action }) => action.startsWith('certificates.'))).toEqual([]);
    const read = await audit.list.query({ requestId, limit: 2 });
    const actor = `operator:${(reviewer as { email: string }).email}`;
    expect(read.items).toMatchObject([
      { action: 'certificates.get', actor, target: `request:${requestId}`, details: { askedBy: ['id'] } },
      {
        action: 'certificates.search',
        actor,
        target: `request:${requestId}`,
        details: { askedBy: ['requestId'] },
      },
    ]);
  });

  it('refuse a cursor of another service and callers who are no operators', async () => {
    const client = gateway.operatorClient(operator('viewer'));
    expect(await codeOf(client.certificates.search.query({ cursor: 'bm9uZQ' }))).toBe('FIELD_INVALID');
    expect(await codeOf(client.certificates.get.query({ id: uuidv7() }))).toBe('CERTIFICATE_NOT_FOUND');
    expect(await codeOf(gateway.operatorClient({ kind: 'public' }).certificates.search.query({}))).toBe(
      'FORBIDDEN',
    );
  });
});
