import { deflateSync } from 'node:zlib';
import { connectBus, type ObjectEntry } from '@rubrica/bus';
import { evidenceBucket } from '@rubrica/contracts/messages/messages';
import type * as evidenceContract from '@rubrica/contracts/services/schemas/evidence';
import { createDatabase } from '@rubrica/database/connection';
import { createLogger } from '@rubrica/process/log';
import { uuidv7 } from '@rubrica/process/time';
import {
  disposeAfterAll,
  makeJpeg,
  makePdf,
  makePdfFromObjects,
  makePng,
  makePngFromParts,
  pollFor,
} from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/entities.ts';
import { requestLeaseSeconds, requestLeases } from '../src/requests/request/request-lease.ts';
import { makeAuthentic } from './support/authentic-row.ts';
import { asPartner, makeRegistration, runningIntake } from './support/running-intake.ts';
import { putObject, sealFiles } from './support/seal-files.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });
/** Goes to a person: validation runs to its end, and no other service is needed. */
const waitsForReview = { identificationNumber: '2450001504' };
const page = '<< /Type /Page /Parent 2 0 R >>';
const scripted = makePdfFromObjects([page], '/OpenAction << /S /J#61vaScript /JS (x) >>');
const encrypted = Buffer.concat([makePdf(), Buffer.from('trailer << /Encrypt 9 0 R >>')]);
const huge = makePngFromParts({ width: 50_000, height: 50_000, data: deflateSync(Buffer.alloc(50_000_000)) });
interface Sealed {
  readonly requestId: string;
  readonly evidence: evidenceContract.EvidenceBundle;
}
type Put = (content: Buffer) => Promise<ObjectEntry>;
const intake = await disposeAfterAll(runningIntake());
const gateway = await intake.ground.peer('gateway');
/** Files of a request that is yet to be registered. */
const seal: (files: readonly Uint8Array[], put?: Put) => Promise<Sealed> = async (files, put) => {
  const requestId = uuidv7();
  return { requestId, evidence: await sealFiles({ ...gateway, requestId }, files, put) };
};

function requests() {
  return intake.client(asPartner('sandbox')).requests;
}

async function register(sealed: Sealed) {
  const registration = makeRegistration(waitsForReview, sealed);
  await requests().register.mutate(registration);
  return registration.requestId;
}

function statusOf(requestId: string) {
  return requests().status.query({ family: 'TV', requestId });
}

function validated(requestId: string) {
  return pollFor(
    async () => {
      const status = await statusOf(requestId);
      return status.validationStatus === 'MANUALLY_VALIDATING' || status.status === 'ERROR'
        ? status
        : undefined;
    },
    { deadlineMs: 120_000 },
  );
}

describe('a linked partner’s evidence', () => {
  it('of every kind that is taken passes, from its row and from the object store', async () => {
    const files = [makePng(), makeJpeg(40_000), makePdf(40_000)];
    const gateway = await intake.ground.peer('gateway');
    await using bus = await connectBus(gateway.streams);
    const stored = await seal([makePng(5_000_000), ...files], (content) => putObject(bus, content));
    for (const sealed of [await seal(files), stored])
      expect(await validated(await register(sealed))).toMatchObject({
        status: 'VALIDATING',
        observations: [],
      });
  });

  it.each([
    ['a PDF with a script', scripted, 'holds a script'],
    ['an encrypted PDF', encrypted, 'is encrypted'],
    ['a picture of 50,000 a side', huge, 'has 50000 x 50000 pixels'],
  ])('that is %s sends the request back, to be mended by other evidence', async (_what, file, says) => {
    const requestId = await register(await seal([makePng(), file]));
    const failed = await validated(requestId);
    expect(failed).toMatchObject({
      status: 'ERROR',
      observation: {
        code: 'EVIDENCE_INVALID',
        message: expect.stringContaining(`evidences[1].evidenceFile ${says}`),
      },
      correctableFields: ['evidences'],
    });
    const retry = { family: 'TV' as const, requestId, corrections: {}, faults: [] };
    await requests().retry.mutate(retry);
    expect(await validated(requestId)).toMatchObject({ status: 'ERROR', retryCount: 1 });
    const gateway = await intake.ground.peer('gateway');
    await requests().retry.mutate({
      ...retry,
      evidence: await sealFiles({ ...gateway, requestId }, [makePng()]),
    });
    expect(await validated(requestId)).toMatchObject({ status: 'VALIDATING', observation: null });
  });

  it('that no program can read is taken with a warning, and so is a PDF without a page', async () => {
    const odd = [makePng(2_000).subarray(0, 900), Buffer.from('%PDF-1.4\n%%EOF'), Buffer.from('a letter')];
    const { status, observations } = await validated(await register(await seal(odd)));
    expect(status).toBe('VALIDATING');
    expect(observations.map(({ type, code, message }) => [type, code, message.split(' ')[0]])).toEqual(
      [0, 1, 2].map((index) => ['WARNING', 'EVIDENCE_UNREADABLE', `evidences[${index}].evidenceFile`]),
    );
  });

  it('that was damaged while it was kept is asked for again', async () => {
    const { requestId, evidence } = await seal([makePng()]);
    const [item] = evidence.items;
    const broken = { ...item, file: { ...item?.file, sha256: 'a'.repeat(64) } } as typeof item;
    const failed = await validated(
      await register({ requestId, evidence: { ...evidence, items: broken ? [broken] : [] } }),
    );
    expect(failed.observation).toMatchObject({
      code: 'EVIDENCE_INVALID',
      message: 'evidences[0].evidenceFile was damaged while it was kept; send it again',
    });
  });
});

describe('an attachment', () => {
  it('that cannot be read is illegible, and what to send anew is named', async () => {
    const files = {
      identificationFront: makePng().subarray(0, 60),
      identificationBack: makePng(),
      identificationSelfie: scripted,
    };
    const { requestId, evidence: bundle } = await seal(Object.values(files));
    const fields = Object.keys(files);
    const evidence = {
      ...bundle,
      items: bundle.items.map((item, index) => ({ ...item, field: fields[index] })),
    };
    const { email, ...others } = makeRegistration(waitsForReview).fields;
    const registration = makeRegistration(
      { ...others, emailAddress: email, province: 'Pichincha', countryCode: 'ECU' } as Record<string, string>,
      {
        requestId,
        family: 'FR',
        evidence,
        files: fields.map((field) => ({ field, mediaType: 'image/png' })),
      },
    );
    const { sealedPassword: _, ...regular } = registration;
    await requests().register.mutate(regular);
    const failed = await pollFor(
      async () => {
        const status = await requests().status.query({ family: 'FR', requestId });
        return status.status === 'ERROR' ? status : undefined;
      },
      { deadlineMs: 120_000 },
    );
    expect(failed.observation?.code).toBe('DOCUMENT_ILLEGIBLE');
    expect(failed.observation?.message).toMatch(
      /^identificationFront cannot be read .*identificationSelfie holds a script/,
    );
    expect(failed.correctableFields).toEqual(['identificationFront', 'identificationSelfie']);
  });
});

describe('the lease of a validation', () => {
  it('is renewed while the work goes on, and no longer by who lost the request', async () => {
    const requestId = await register(await seal([makePng()]));
    await validated(requestId);
    const sql = createDatabase({ url: intake.ground.service.appUrl, schema, entities: [], logger: quiet });
    const set = (to: string) => intake.query(`update intake.request set ${to} where id = $1`, [requestId]);
    const leaseOf = async () => {
      const [row] = await intake.query<{ fence: number; left: number }>(
        'select fence, extract(epoch from lease_until - now())::int as left from intake.request where id = $1',
        [requestId],
      );
      return row as { fence: number; left: number };
    };
    await set(`lease_until = now() + interval '2 seconds'`);
    const { fence } = await leaseOf();
    const leased = { id: requestId, fence, leaseSeconds: requestLeaseSeconds, everyMs: 20 };
    await requestLeases.whileRenewing(sql, leased, async () => {
      await pollFor(async () => (await leaseOf()).left > 20);
      await set(`fence = fence + 1, lease_until = now() + interval '2 seconds'`);
      // What was under way has ended: from now on only the new fence counts.
      await sql.statement({ name: 'nothing', text: 'select 1', params: [] });
      await set(`lease_until = now() + interval '2 seconds'`);
      expect((await leaseOf()).left).toBeLessThanOrEqual(2);
    });
    await requestLeases.giveBack(sql, { id: requestId, fence });
    expect((await leaseOf()).left).toBeLessThanOrEqual(2);
    await requestLeases.giveBack(sql, { id: requestId, fence: fence + 1 });
    expect(await leaseOf()).toMatchObject({ fence: fence + 2, left: null });
    await sql.close();
  });
});

describe('while the object store is away', () => {
  it('a validation comes again without being counted, loses nothing, and goes on once the file is there', async () => {
    const gateway = await intake.ground.peer('gateway');
    await using bus = await connectBus(gateway.streams);
    const whole = await seal([makePng()]);
    const stored = await sealFiles({ ...gateway, requestId: whole.requestId }, [makePng()], (content) =>
      putObject(bus, content),
    );
    await using observer = await connectBus({ ...intake.ground.observer, name: 'observer' });
    const manager = await observer.nc.jetstreamManager();
    await manager.streams.delete(`OBJ_${evidenceBucket}`);
    const requestId = await register({ ...whole, evidence: { ...whole.evidence, items: stored.items } });
    const rowOf = async () => {
      const [row] = await intake.query<{ fence: number; attempts: number; status: string }>(
        'select fence, attempts, status from intake.request where id = $1',
        [requestId],
      );
      return row;
    };
    // Taken up and given back three times.
    const row = await pollFor(async () => (((await rowOf())?.fence ?? 0) >= 6 ? rowOf() : undefined), {
      deadlineMs: 120_000,
    });
    expect(row?.status).toBe('VALIDATING');
    expect(row?.attempts).toBeLessThanOrEqual(1);
    const [item] = whole.evidence.items;
    await intake.query(
      'update intake.evidence set object = null, content = $2, sha256 = $3, size = $4 where request_id = $1',
      [requestId, item?.file?.content, item?.file?.sha256, item?.file?.size],
    );
    await makeAuthentic(intake.ground, requestId);
    expect(await validated(requestId)).toMatchObject({ status: 'VALIDATING', observation: null });
  });
});
