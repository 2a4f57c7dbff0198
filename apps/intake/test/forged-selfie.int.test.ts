import { createDatabase, type Database } from '@rubrica/database/connection';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, makePng } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { createOpenEvidence } from '../src/requests/evidence/open-evidence.ts';
import { createRequestLiveness } from '../src/requests/signature/request-liveness.ts';
import { flowGround } from './support/api-flow.ts';
import { ownDatabase } from './support/own-database.ts';
import { partnerIds } from './support/running-intake.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An attacker with the rights of intake's role in the database, who acts at the moment that suits them. */
const ground = await disposeAfterAll(flowGround());
const attacker = await disposeAfterAll(
  createDatabase({ url: ground.intake.ground.service.appUrl, schema, entities: [], logger }),
);

const selfie = Buffer.concat([makePng(), Buffer.alloc(3)]);
const other = Buffer.concat([makePng(), Buffer.alloc(7)]);

it('answers no address for the proof of life that another has sealed', async () => {
  const requestId = await identified();
  expect(await ground.liveness(requestId)).toMatchObject({ attemptNumber: 1 });
  const { keyring } = await ground.intake.ground.peer('gateway');
  const elsewhere = await keyring.sealTo('gateway', 'https://evil.example/face', {
    purpose: 'liveness-url',
    owner: requestId,
  });
  await attacker.execute('update liveness_session set sealed_url = $2 where request_id = $1', [
    requestId,
    elsewhere,
  ]);
  await expect(ground.liveness(requestId)).rejects.toMatchObject({
    data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' },
  });
});

async function identified(): Promise<string> {
  const requestId = await ground.register();
  await ground.identity(requestId, {
    contents: { identificationBack: other, identificationSelfie: selfie },
  });
  return requestId;
}
/** Gives each of two files the other's field. */
async function swap(requestId: string): Promise<void> {
  const swapped = await attacker.execute(
    `update evidence set field = case field when 'identificationSelfie' then 'identificationBack' else 'identificationSelfie' end
     where request_id = $1 and field in ('identificationSelfie', 'identificationBack') returning 1`,
    [requestId],
  );
  expect(swapped).toHaveLength(2);
}

/** Asks for a proof of life as intake does. @param meanwhile runs once the request was verified and is leased */
async function ask(requestId: string, meanwhile: () => Promise<void>) {
  await using own = await ownDatabase(ground.intake.ground);
  const { database, rows, keyring } = own;
  const pictures: Buffer[] = [];
  const compared: Database = {
    ...database,
    async transaction(work) {
      const result = await database.transaction(work);
      if (pictures.length === 0) await meanwhile();
      return result;
    },
  };
  const request = createRequestLiveness({
    ...{ database: compared, rows, keyring, clock: ground.clock, newId: uuidv7 },
    rules: { errorWindowDays: 50 },
    openEvidence: createOpenEvidence({ keyring, stores: undefined } as never),
    liveness: {
      createSession: async (order: { readonly selfie: { readonly content: Buffer } }) => {
        pictures.push(Buffer.from(order.selfie.content));
        const expiresAt = new Date(Date.now() + 60_000);
        return {
          outcome: 'created',
          session: { sessionId: uuidv7(), livenessUrl: 'https://l.example', expiresAt },
        };
      },
    },
  } as never);
  const caller = { caller: { partnerId: partnerIds.sandbox } } as never;
  const error = await Promise.resolve(request({ requestId }, caller)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { pictures, error, alarms: rows.failed() };
}

it('the proof of life is compared with the selfie that was registered', async () => {
  expect(await ask(await identified(), async () => {})).toEqual({
    pictures: [selfie],
    error: undefined,
    alarms: [],
  });
});

it('a picture that takes the place of the selfie after the request was verified goes to no provider', async () => {
  const requestId = await identified();
  const asked = await ask(requestId, () => swap(requestId));
  expect(asked).toMatchObject({ pictures: [], error: { code: 'REQUEST_STATE_NOT_ALLOWED' } });
  expect(asked.alarms).toContainEqual({ table: 'request', id: requestId });
  await swap(requestId);
  expect(await ask(requestId, async () => {})).toMatchObject({ pictures: [selfie], error: undefined });
});
