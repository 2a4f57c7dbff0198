import type * as generationContract from '@rubrica/contracts/services/schemas/generation';
import type { CertificateStatus } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import type { PartnerCaller } from '@rubrica/process/trpc';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { playService } from './support/play-service.ts';
import {
  asPartner,
  makeRegistration,
  partnerIds,
  type RunningIntake,
  runningIntake,
} from './support/running-intake.ts';

const intake = await disposeAfterAll(runningIntake());
const generation = await disposeAfterAll(serveGeneration(intake));

type State = generationContract.CertificateState;

/** Generation's part, by the real contract: certificates by request, and who asked for what. */
async function serveGeneration({ ground }: RunningIntake) {
  const states = new Map<string, State>();
  const revocations: (generationContract.RevokeForPartner & { caller: PartnerCaller })[] = [];
  const stateOf = (requestId: string) => {
    const state = states.get(requestId);
    if (state === undefined) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
    return state;
  };
  const played = await playService(ground, 'generation', {
    'certificates.byRequest': ({ requestId }) => stateOf(requestId),
    'certificates.revoke': (input, { caller }) => {
      revocations.push({ ...input, caller });
      const before = stateOf(input.requestId);
      if (before.status === 'REVOKED') throw new AppError({ code: 'CERTIFICATE_ALREADY_REVOKED' });
      const after = makeState(before.serialNumber, 'REVOKED', before.version + 1);
      states.set(input.requestId, after);
      return after;
    },
  });
  return { ...played, states, revocations };
}

function makeState(serialNumber: string, status: CertificateStatus, version = 1): State {
  return {
    serialNumber,
    notBefore: '2026-11-21T00:00:00.000Z',
    notAfter: '2099-11-20T23:59:59.000Z',
    status,
    revokedAt: status === 'REVOKED' ? '2026-11-22T00:00:00.000Z' : null,
    revocationReason: status === 'REVOKED' ? 'keyCompromise' : null,
    version,
  };
}

function own(requestId: string) {
  return { family: 'TV' as const, requestId };
}

function statusOf(requestId: string) {
  return intake.client(asPartner('sandbox')).requests.status.query(own(requestId));
}

function revoking(key: 'sandbox' | 'other' = 'sandbox') {
  const partner = asPartner(key);
  if (partner.kind !== 'partner') throw new TypeError(partner.kind);
  return intake.client({ ...partner, scopes: ['certificates:revoke'] }).certificates.revoke;
}

let drawn = 0;
async function generated() {
  const input = makeRegistration();
  const { requestId } = input;
  await intake.client(asPartner('sandbox')).requests.register.mutate(input);
  await pollFor(async () => (await statusOf(requestId)).status === 'GENERATING');
  const serialNumber = `4A${String(++drawn).padStart(38, '0')}`;
  generation.states.set(requestId, makeState(serialNumber, 'VALID'));
  await intake.tell('events.certificate.issued', {
    requestId,
    attempt: 1,
    certificateId: uuidv7(),
    serialNumber,
    notBefore: '2026-11-21T00:00:00.000Z',
    notAfter: '2099-11-20T23:59:59.000Z',
    cappedBy: null,
    truncated: [],
  });
  await pollFor(async () => (await statusOf(requestId)).status === 'GENERATED');
  return { requestId, serialNumber, referenceTransaction: String(input.fields.referenceTransaction) };
}

describe('a partner’s revocation', () => {
  it.each(['serialNumber', 'referenceTransaction'] as const)(
    'by %s reaches generation with the request, its serial number and who asked',
    async (name) => {
      const certificate = await generated();
      const wanted = { [name]: certificate[name], reason: 'keyCompromise', comment: 'stolen' } as const;
      expect(await revoking().mutate(wanted)).toMatchObject({ status: 'REVOKED' });
      expect(generation.revocations.at(-1)).toEqual({
        caller: {
          kind: 'partner',
          partnerId: partnerIds.sandbox,
          clientId: 'client-sandbox',
          scopes: ['certificates:revoke'],
        },
        requestId: certificate.requestId,
        serialNumber: certificate.serialNumber,
        reason: 'keyCompromise',
        comment: 'stolen',
      });
      expect((await statusOf(certificate.requestId)).certificateStatus).toBe('REVOKED');
      await expect(revoking().mutate(wanted)).rejects.toMatchObject({
        data: { appCode: 'CERTIFICATE_ALREADY_REVOKED' },
      });
    },
  );

  it('takes the serial number in lower case', async () => {
    const { serialNumber } = await generated();
    const answer = await revoking().mutate({
      serialNumber: serialNumber.toLowerCase(),
      reason: 'unspecified',
    });
    expect(answer.serialNumber).toBe(serialNumber);
  });

  it('of another partner’s certificate finds nothing, whichever way it is named, and asks nobody', async () => {
    const { serialNumber, referenceTransaction } = await generated();
    const mine = await generated();
    const before = generation.revocations.length;
    const reason = 'unspecified' as const;
    await expect(revoking('other').mutate({ serialNumber, reason })).rejects.toMatchObject({
      data: { appCode: 'CERTIFICATE_NOT_FOUND', httpStatus: 404 },
    });
    await expect(revoking('other').mutate({ referenceTransaction, reason })).rejects.toMatchObject({
      data: { appCode: 'REQUEST_NOT_FOUND', httpStatus: 404 },
    });
    // Both names are the partner's own, but not of one certificate.
    await expect(
      revoking().mutate({ serialNumber, referenceTransaction: mine.referenceTransaction, reason }),
    ).rejects.toMatchObject({ data: { appCode: 'CERTIFICATE_NOT_FOUND' } });
    // No name at all names nobody's.
    await expect(revoking().mutate({ reason })).rejects.toMatchObject({
      data: { appCode: 'REQUEST_NOT_FOUND' },
    });
    expect(generation.revocations).toHaveLength(before);
  });

  it.each([`'AA' || substr(serial_number, 3)`, 'null'])(
    'by reference reaches the certificate that generation has, whatever the row says (serial_number = %s)',
    async (altered) => {
      const { requestId, serialNumber, referenceTransaction } = await generated();
      await intake.query(`update intake.request set serial_number = ${altered} where id = $1`, [requestId]);
      const wanted = { referenceTransaction, reason: 'keyCompromise' } as const;
      expect(await revoking().mutate(wanted)).toMatchObject({ status: 'REVOKED', serialNumber });
    },
  );

  it('by a reference that was given to another request revokes nothing', async () => {
    const [one, other] = [await generated(), await generated()];
    const exchange = async (first: string, second: string) => {
      const give = `update intake.request set reference_transaction = $2 where id = $1`;
      await intake.query(give, [one.requestId, 'for-a-while']);
      await intake.query(give, [other.requestId, second]);
      await intake.query(give, [one.requestId, first]);
    };
    await exchange(other.referenceTransaction, one.referenceTransaction);
    const before = generation.revocations.length;
    const wanted = { referenceTransaction: one.referenceTransaction, reason: 'keyCompromise' } as const;
    await expect(revoking().mutate(wanted)).rejects.toThrow(/^The stored data of this/);
    expect(generation.revocations).toHaveLength(before);
    await exchange(one.referenceTransaction, other.referenceTransaction);
    expect(await revoking().mutate(wanted)).toMatchObject({ serialNumber: one.serialNumber });
  });

  it('by a serial number that was given to another request revokes nothing', async () => {
    const [one, other] = [await generated(), await generated()];
    await intake.query(
      `update intake.request set serial_number = case id when $1 then $4 else $3 end where id in ($1, $2)`,
      [one.requestId, other.requestId, one.serialNumber, other.serialNumber],
    );
    const before = generation.revocations.length;
    await expect(
      revoking().mutate({ serialNumber: one.serialNumber, reason: 'keyCompromise' }),
    ).rejects.toMatchObject({ data: { appCode: 'CERTIFICATE_NOT_FOUND' } });
    expect(generation.revocations).toHaveLength(before);
  });

  it('of a request that has no certificate yet is refused', async () => {
    const input = makeRegistration({ identificationNumber: '2450001504' });
    await intake.client(asPartner('sandbox')).requests.register.mutate(input);
    const referenceTransaction = String(input.fields.referenceTransaction);
    await expect(revoking().mutate({ referenceTransaction, reason: 'superseded' })).rejects.toMatchObject({
      data: { appCode: 'REQUEST_STATE_NOT_ALLOWED' },
    });
  });

  it('needs its scope', async () => {
    const { serialNumber } = await generated();
    const { certificates } = intake.client(asPartner('sandbox'));
    await expect(certificates.revoke.mutate({ serialNumber, reason: 'superseded' })).rejects.toMatchObject({
      data: { appCode: 'FORBIDDEN' },
    });
  });
});

describe('the certificate in the status record', () => {
  it('is what generation says, and while that is away what it last said', async () => {
    const { requestId, serialNumber } = await generated();
    expect((await statusOf(requestId)).certificateStatus).toBe('VALID');
    // An operator's doing, of which intake hears by asking alone.
    generation.states.set(requestId, makeState(serialNumber, 'REVOKED', 2));
    expect((await statusOf(requestId)).certificateStatus).toBe('REVOKED');
    await generation.away(async () => {
      expect(await statusOf(requestId)).toMatchObject({ serialNumber, certificateStatus: 'REVOKED' });
    });
    generation.states.set(requestId, makeState(serialNumber, 'VALID', 3));
    expect((await statusOf(requestId)).certificateStatus).toBe('VALID');
    await generation.away(async () => {
      expect((await statusOf(requestId)).certificateStatus).toBe('VALID');
    });
  });

  it('is not set back by a word that was under way for long', async () => {
    const { requestId, serialNumber } = await generated();
    generation.states.set(requestId, makeState(serialNumber, 'REVOKED', 5));
    await statusOf(requestId);
    generation.states.set(requestId, makeState(serialNumber, 'VALID', 4));
    await statusOf(requestId);
    await generation.away(async () => {
      expect((await statusOf(requestId)).certificateStatus).toBe('REVOKED');
    });
  });

  it('revoked by the partner is known without asking again', async () => {
    const { requestId, serialNumber } = await generated();
    await revoking().mutate({ serialNumber, reason: 'superseded' });
    await generation.away(async () => {
      expect((await statusOf(requestId)).certificateStatus).toBe('REVOKED');
    });
  });
});
