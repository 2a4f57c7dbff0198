import { connectBus, objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database/connection';
import { createLogger } from '@rubrica/process/log';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { chooseAreas, sweepEvidenceObjects } from '../src/requests/evidence/sweep-evidence.ts';
import { asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';
import { putObject } from './support/seal-files.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
const intake = await disposeAfterAll(runningIntake());
const gatewayBus = await disposeAfterAll(connectBus((await intake.ground.peer('gateway')).streams));
const intakeBus = await disposeAfterAll(connectBus((await intake.ground.peer('intake')).streams));
const sql = await disposeAfterAll(
  createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger: quiet }),
);

function sweep(olderThanMs: number) {
  const store = objectStore(intakeBus, evidenceBucket);
  return sweepEvidenceObjects({ stores: [store], sql }, { olderThanMs });
}

/** A registered request whose evidence lies in the bucket. */
async function withObject(identificationNumber: string) {
  const requestId = uuidv7();
  const object = await putObject(gatewayBus, Buffer.from('noise'));
  const file = { mediaType: 'image/png', size: 5, sha256: 'a'.repeat(64), object };
  const evidence = { key: 'sealed', items: [{ evidenceId: uuidv7(), file }], errors: [] };
  const registration = makeRegistration({ identificationNumber }, { requestId, evidence });
  await intake.client(asPartner('sandbox')).requests.register.mutate(registration);
  return { requestId, object };
}

describe('the evidence sweep, as the user that intake has on the bus', () => {
  it('keeps what a request can still open and removes orphans and what lost its key', async () => {
    const store = objectStore(intakeBus, evidenceBucket);
    const kept = await withObject('2450001504');
    const keyless = await withObject('2450001504');
    await intake.query('update intake.request set evidence_key = null where id = $1', [keyless.requestId]);
    const orphan = await putObject(gatewayBus, Buffer.alloc(300_000));
    // Of an upload that never ended only some chunks are there, and nobody was ever told of them.
    objectStore(gatewayBus, evidenceBucket).upload().write(Buffer.alloc(300_000));
    await gatewayBus.nc.flush();

    expect(await sweep(HOUR_MS)).toEqual({ removed: 0, foreign: 0 });
    expect(await sweep(-1_000)).toEqual({ removed: 3, foreign: 0 });
    expect(String(await store.get(kept.object).bytes())).toBe('noise');
    for (const object of [keyless.object, orphan])
      await expect(store.get(object).bytes()).rejects.toMatchObject({ code: 'missing' });
  });

  it('removes nothing else where a chunk was written with the gateway’s credentials whose id is a wildcard', async () => {
    const store = objectStore(intakeBus, evidenceBucket);
    const kept = await withObject('2450001504');
    for (const subject of ['*.0', '*.*', '>.0', '*.>'])
      gatewayBus.nc.publish(`$O.EVIDENCE.C.${subject}`, Buffer.from('x'));
    await gatewayBus.nc.flush();
    const { removed } = await sweep(-1_000);
    expect(removed).toBe(0);
    expect(String(await store.get(kept.object).bytes())).toBe('noise');
  });
});

it('looks through what is kept for years in one round of a day’s, whenever a copy was started', () => {
  const lots = Array.from({ length: 1_440 }, (_, index) => index / 1_440);
  const all = lots.map(chooseAreas).filter((areas) => areas.includes('kept'));
  expect(all).toHaveLength(10);
  expect(lots.map(chooseAreas).every((areas) => areas.includes('incoming'))).toBe(true);
});
