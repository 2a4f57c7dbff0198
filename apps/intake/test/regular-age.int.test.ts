import { asProduction, disposeAfterAll, pollFor } from '@rubrica/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { json, startOutsideServer, status } from './support/outside-server.ts';
import { identity, makeCorrection, makeRegular } from './support/regular.ts';
import { asPartner, runningIntake } from './support/running-intake.ts';

let now = new Date();
const civil = await disposeAfterAll(startOutsideServer());
const intake = await disposeAfterAll(
  runningIntake(
    {
      ...asProduction,
      CONSOLE_URL: 'https://console.example.org',
      TIME_ZONE: 'America/Guayaquil',
      REGISTRY_URL: civil.url,
      REGISTRY_TOKEN: 'civil-token',
      TAX_REGISTRY_URL: 'http://127.0.0.1:9',
      TAX_REGISTRY_TOKEN: 'tax-token',
      LIVENESS_URL: 'http://127.0.0.1:9',
      LIVENESS_TOKEN: 'liveness-token',
    },
    { clock: () => now },
  ),
);

beforeEach(() => {
  civil.calls.length = 0;
  civil.faults.length = 0;
});

function bornOn(birthDate: string, deceased = false) {
  return json({
    birthDate,
    deceased,
    fingerCodeMatches: true,
    namesMatch: true,
    names: { given: 'MARÍA JOSÉ', surname: 'ÑÚÑEZ', secondSurname: null },
  });
}

function requests() {
  return intake.client(asPartner('sandbox')).requests;
}

function until(requestId: string, wanted: string) {
  return pollFor(async () => {
    const record = await requests().status.query({ family: 'FR', requestId });
    return record.status === wanted && record;
  });
}

const withVideo = { ...identity, authorizationVideo: 'video/mp4' };
const videoRequired = { data: { appCode: 'AUTHORIZATION_VIDEO_REQUIRED', httpStatus: 412 } };

/** Local times of Guayaquil, five hours behind UTC, with the dates of birth of those who need a video then. */
describe.each([
  ['the day before the birthday', '2026-03-10T23:59:59', '1961-03-11', false],
  ['the birthday, from its first second', '2026-03-11T00:00:00', '1961-03-11', true],
  ['the birthday, in its last second', '2026-03-11T23:59:59', '1961-03-11', true],
  ['born on 29 February, 28 February of a common year', '2025-02-28T23:59:59', '1960-02-29', false],
  ['born on 29 February, 1 March of a common year', '2025-03-01T00:00:00', '1960-02-29', true],
  ['born on 1 March, 29 February of a leap year', '2024-02-29T23:59:59', '1959-03-01', false],
  ['born on 1 March, 1 March of a leap year', '2024-03-01T00:00:00', '1959-03-01', true],
  ['born on 28 February, 28 February of a leap year', '2024-02-28T00:00:00', '1959-02-28', true],
  ['born on 28 February, 27 February of a leap year', '2024-02-27T23:59:59', '1959-02-28', false],
  ['born on 31 December, New Year’s Eve', '2026-12-31T00:00:00', '1961-12-31', true],
  ['born on 1 January, New Year’s Eve', '2026-12-31T23:59:59', '1962-01-01', false],
])('%s', (_when, local, birthDate, isNeeded) => {
  it(`a video is ${isNeeded ? 'needed' : 'not needed'} at registration`, async () => {
    now = new Date(`${local}-05:00`);
    civil.usual = bornOn(birthDate);
    const registered = requests().register.mutate(makeRegular());
    if (!isNeeded) await until((await registered).requestId, 'APPROVED');
    else await expect(registered).rejects.toMatchObject(videoRequired);
  });

  it(`it is ${isNeeded ? 'needed' : 'not needed'} in validation, where the registry was silent at registration`, async () => {
    now = new Date(`${local}-05:00`);
    civil.usual = bornOn(birthDate);
    // Heard as no answer, and no reason to leave the registry alone.
    civil.faults.push(status(400));
    const { requestId } = await requests().register.mutate(makeRegular());
    if (!isNeeded) await until(requestId, 'APPROVED');
    else
      expect(await until(requestId, 'ERROR')).toMatchObject({
        observation: { code: 'AUTHORIZATION_VIDEO_REQUIRED' },
        correctableFields: ['authorizationVideo'],
      });
  });
});

describe('the look-up at registration', () => {
  it('is not waited for longer than the registration allows, and the video sent later mends the error', async () => {
    now = new Date();
    civil.usual = bornOn('1950-01-01');
    civil.faults.push((response) => setTimeout(() => bornOn('1950-01-01')(response), 5_000).unref());
    const { requestId } = await requests().register.mutate(makeRegular());
    await until(requestId, 'ERROR');
    const record = await requests().correct.mutate(
      makeCorrection(requestId, { files: { authorizationVideo: 'video/mp4' } }),
    );
    expect(record).toMatchObject({ status: 'REGISTERED', validationStatus: 'PENDING', observation: null });
    await until(requestId, 'APPROVED');
  });

  it('is not made where the video is there, on a repeat, or for a body that is refused anyway', async () => {
    now = new Date();
    civil.usual = bornOn('1990-01-01');
    const input = makeRegular({}, { files: withVideo });
    const atRegistration = () =>
      civil.calls.filter(({ headers }) => String(headers['idempotency-key']).endsWith(':0'));
    await requests().register.mutate(input);
    expect(atRegistration()).toEqual([]);
    const again = makeRegular({ referenceTransaction: input.fields.referenceTransaction });
    await expect(requests().register.mutate(again)).rejects.toMatchObject({ data: { httpStatus: 409 } });
    await expect(requests().register.mutate(makeRegular({ city: 'Atlantis' }))).rejects.toMatchObject({
      data: { httpStatus: 400 },
    });
    expect(atRegistration()).toEqual([]);
    await requests().register.mutate(makeRegular());
    expect(atRegistration()).toHaveLength(1);
  });

  it('decides nothing but the video: who died is refused in validation', async () => {
    now = new Date();
    civil.usual = bornOn('1990-01-01', true);
    const { requestId } = await requests().register.mutate(makeRegular());
    expect(await until(requestId, 'REFUSED')).toMatchObject({ observation: { code: 'APPLICANT_DECEASED' } });
  });
});
