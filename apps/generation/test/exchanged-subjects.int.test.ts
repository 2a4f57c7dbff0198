import { createDatabase } from '@rubrica/database/connection';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/store/schema.ts';
import { codeOf, operator, type TestCertificate } from './support/issued-certificates.ts';
import { openScene } from './support/scene.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Administrators, and an attacker with the rights of this service's role in the database and nothing else. */
const scene = await disposeAfterAll(openScene());
const attacker = await disposeAfterAll(
  createDatabase({ url: scene.env.ground.service.appUrl, schema, entities: [], logger }),
);

const admin = () => scene.gateway.operatorClient(operator('admin'));

/** Number of alarms about rows of certificates. */
async function alarms(): Promise<number> {
  const counted = /^rubrica_rows_not_authentic_total\{[^}]*table="certificate"[^}]*\} (\d+)/m;
  return Number(counted.exec(await scene.metrics())?.[1] ?? 0);
}

async function issuedTo(givenName: string, firstSurname: string): Promise<TestCertificate> {
  const event = await scene.order({ subject: { givenName, firstSurname, secondSurname: null } });
  if (event.subject !== 'issued') throw new Error(event.code);
  const { requestId, serialNumber, certificateId: id } = event;
  return { requestId, serialNumber, id };
}

/** Exchanges the subjects of two certificates, and what they are found by. */
async function exchange(one: TestCertificate, other: TestCertificate): Promise<void> {
  await attacker.execute(
    `update certificate as c set subject = o.subject, not_before = o.not_before - interval '1 day'
     from certificate as o where c.id in ($1, $2) and o.id in ($1, $2) and o.id <> c.id`,
    [one.id, other.id],
  );
  await attacker.execute(
    `update certificate_word set certificate_id = case when certificate_id = $1 then $2::uuid else $1::uuid end
     where certificate_id in ($1, $2)`,
    [one.id, other.id],
  );
}

let count = 0;
/** Letters alone, and other ones for each pair: names have no digits. */
function newName(): string {
  count += 1;
  return `QUIROZ${String.fromCharCode(64 + count)}`;
}

async function exchanged() {
  const surname = newName();
  const thief = await issuedTo('LADRÓN', surname);
  const victim = await issuedTo('VÍCTIMA', surname);
  await exchange(thief, victim);
  return { surname, thief, victim };
}
const toThief = expect.stringContaining('CN=LADRÓN');
const toVictim = expect.stringContaining('CN=VÍCTIMA');

describe('whoever exchanges the subjects of two certificates by the role of the database', () => {
  it('has no name find the certificate of another, and raises an alarm', async () => {
    const { surname, thief, victim } = await exchanged();
    const before = await alarms();
    const { search } = admin().certificates;
    expect((await search.query({ name: `ladron ${surname}` })).items).toEqual([]);
    expect(await alarms()).toBe(before + 1);
    expect((await search.query({ name: surname })).items).toMatchObject([
      { id: victim.id, subject: toVictim },
      { id: thief.id, subject: toThief },
    ]);
    expect(await alarms()).toBe(before + 2);
  });

  it('has each shown with the name and the dates that the authority signed', async () => {
    const { thief, victim } = await exchanged();
    const { get, search } = admin().certificates;
    for (const [{ id, serialNumber }, subject] of [
      [thief, toThief],
      [victim, toVictim],
    ] as const) {
      const found = (await search.query({ serialNumber })).items;
      const shown = await get.query({ id });
      const [{ at: issuedAt = '' } = {}] = shown.history;
      expect(found).toMatchObject([{ id, subject, notBefore: shown.notBefore }]);
      expect(shown.subject).toEqual(subject);
      const age = Date.parse(issuedAt) - Date.parse(shown.notBefore);
      expect(age).toBeLessThan(86_400_000);
    }
  });

  it('has an administrator who revokes or holds told whose it is', async () => {
    const { thief, victim } = await exchanged();
    const { hold, revoke } = admin().certificates;
    expect(await hold.mutate({ id: victim.id })).toMatchObject({ id: victim.id, subject: toVictim });
    const revoked = await revoke.mutate({ serialNumber: thief.serialNumber });
    expect(revoked).toMatchObject({ id: thief.id, status: 'REVOKED', subject: toThief });
  });

  it('has both administrators shown whose it is in what waits for the second', async () => {
    const { victim } = await exchanged();
    const { certificates, approvals } = admin();
    await certificates.hold.mutate({ id: victim.id });
    const { approvalId = '', subject } = await certificates.release.mutate({ id: victim.id });
    expect(subject).toEqual(toVictim);
    expect((await approvals.get.query({ id: approvalId })).before).toMatchObject({
      serialNumber: victim.serialNumber,
      subject: toVictim,
      notBefore: expect.any(String),
      notAfter: expect.any(String),
    });
  });

  it('has nothing of another revoked with all certificates of a name', async () => {
    const { surname, victim } = await exchanged();
    const { certificates, approvals } = admin();
    const wanted = { revocationReason: 'keyCompromise', reason: 'stolen' } as const;
    const many = (name: string, count: number) => certificates.revokeMany.mutate({ name, count, ...wanted });
    expect(await codeOf(many(`ladron ${surname}`, 1))).toBe('REQUEST_STATE_NOT_ALLOWED');
    expect((await certificates.get.query({ id: victim.id })).status).toBe('VALID');

    const { approvalId = '' } = await many(surname, 2);
    const { before } = await approvals.get.query({ id: approvalId });
    expect(before).toMatchObject({ certificates: 2, subjects: expect.arrayContaining([toThief, toVictim]) });
  });

  it('has what lies behind a false hit revoked all the same', async () => {
    const surname = newName();
    const [older, newer, other] = [
      await issuedTo('ADELA', surname),
      await issuedTo('ADELA', surname),
      await issuedTo('BERTA', newName()),
    ];
    await attacker.execute(
      `insert into certificate_word (word, issued_at, certificate_id, name)
       select word, (select issued_at from certificate where id = $2), $2, name
       from certificate_word where certificate_id = $1`,
      [newer.id, other.id],
    );
    const { certificates, approvals } = admin();
    const { approvalId = '' } = await certificates.revokeMany.mutate({
      name: surname,
      count: 2,
      revocationReason: 'superseded',
      reason: 'replaced',
    });
    const { before } = await approvals.get.query({ id: approvalId });
    const serialNumbers = expect.arrayContaining([older.serialNumber, newer.serialNumber]);
    expect(before).toMatchObject({ certificates: 2, serialNumbers });
  });
});

it('a certificate whose stored file no authority signed has no name, no file, and an alarm', async () => {
  const surname = newName();
  const { id, serialNumber } = await issuedTo('CARLA', surname);
  await attacker.execute(
    `update certificate set der = set_byte(der, length(der) - 1, (get_byte(der, length(der) - 1) + 1) % 256) where id = $1`,
    [id],
  );
  const before = await alarms();
  const { certificates } = admin();
  expect((await certificates.search.query({ name: surname })).items).toEqual([]);
  expect(await alarms()).toBe(before + 1);
  expect((await certificates.search.query({ serialNumber })).items).toMatchObject([
    { id, subject: 'not known' },
  ]);
  expect(await certificates.get.query({ id })).toMatchObject({ subject: 'not known', pem: null });
  expect(await certificates.revoke.mutate({ id })).toMatchObject({ subject: 'not known', status: 'REVOKED' });
});
