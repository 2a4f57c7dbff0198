import { connectBus, objectStore } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import { HOUR_MS } from '@rubrica/contracts/shared/durations';
import { createDatabase } from '@rubrica/database';
import { createLogger, uuidv7 } from '@rubrica/process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { sweepEvidenceObjects } from '../src/request/evidence/sweep-evidence.ts';
import { asPartner, makeRegistration, type RunningIntake, runningIntake } from './support/running-intake.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
let intake: RunningIntake;
beforeAll(async () => {
  intake = await runningIntake();
});
afterAll(() => intake?.[Symbol.asyncDispose]());

describe('the evidence sweep, as the user that intake has on the bus', () => {
  it('keeps what a request can still open and removes orphans and what lost its key', async () => {
    const gatewayBus = await connectBus(await intake.ground.peer('gateway'));
    const intakeBus = await connectBus(await intake.ground.peer('intake'));
    const requests = intake.client(asPartner('sandbox')).requests;
    const withObject = async (identificationNumber: string) => {
      const requestId = uuidv7();
      const [evidenceId, objectName] = [uuidv7(), `${requestId}/1`];
      await objectStore(gatewayBus, evidenceBucket).put(objectName, Buffer.from('noise'));
      const file = { mediaType: 'image/png', size: 5, sha256: 'a'.repeat(64), objectName };
      const evidence = { key: 'sealed', items: [{ evidenceId, file }], errors: [] };
      await requests.register.mutate(makeRegistration({ identificationNumber }, { requestId, evidence }));
      return { requestId, objectName };
    };
    const kept = await withObject('2450001504');
    const keyless = await withObject('2450001504');
    await intake.query('update intake.request set evidence_key = null where id = $1', [keyless.requestId]);
    await objectStore(gatewayBus, evidenceBucket).put('nobody/1', Buffer.from('noise'));

    const store = objectStore(intakeBus, evidenceBucket);
    const sql = createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger: quiet });
    expect(await sweepEvidenceObjects({ store, sql }, { olderThanMs: HOUR_MS })).toBe(0);
    expect(await sweepEvidenceObjects({ store, sql }, { olderThanMs: -1_000 })).toBe(2);
    expect((await store.info(kept.objectName))?.name).toBe(kept.objectName);
    expect(await store.info(keyless.objectName)).toBeUndefined();
    await Promise.all([gatewayBus.drain(), intakeBus.drain(), sql.close()]);
  });
});
