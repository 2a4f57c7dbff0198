import type { ObjectEntry } from '@rubrica/bus';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { AppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { makeReference, pollFor } from '@rubrica/testkit';
import { type PlayedService, playService } from './play-service.ts';
import { asPartner, makeRegistration, type RunningIntake } from './running-intake.ts';
import { sealFiles } from './seal-files.ts';

const notBefore = new Date(Date.now() - 335 * DAY_MS).toISOString();
const notAfter = new Date(Date.now() + 30 * DAY_MS).toISOString();

interface Issued {
  readonly requestId: string;
  readonly referenceTransaction: string;
}

export interface PlayedRenewals extends AsyncDisposable {
  readonly generation: PlayedService;
  /** Serial numbers of those that were superseded. */
  readonly revoked: readonly string[];
  /** Ids of requests whose certificate intake asked for. */
  readonly asked: readonly string[];
  serialOf(requestId: string): string;
  /** Leads a request that is being generated to its certificate. */
  issue(requestId: string): Promise<void>;
  /** Has the certificate made, and waits for nothing. */
  tellIssued(requestId: string): Promise<void>;
  reaches(requestId: string, status: string): Promise<void>;
  /** A request with these files that has its certificate; `put` takes the files to a store. */
  issued(files: readonly Uint8Array[], put?: (content: Buffer) => Promise<ObjectEntry>): Promise<Issued>;
  /** @returns the id of the renewal, whose certificate is not there yet */
  renew(
    former: Pick<Issued, 'referenceTransaction'>,
    supersede?: boolean,
    newReferenceTransaction?: string,
  ): Promise<string>;
}

/** Generation as far as renewals need it, and certificates that are about to end. */
export async function playRenewals(intake: RunningIntake): Promise<PlayedRenewals> {
  const revoked: string[] = [];
  const asked: string[] = [];
  const withCertificate = new Set<string>();
  const serialOf = (requestId: string) => requestId.replaceAll('-', '').toUpperCase();
  const stateOf = (serialNumber: string) => {
    const isRevoked = revoked.includes(serialNumber);
    return {
      ...{ serialNumber, notBefore, notAfter, version: isRevoked ? 2 : 1 },
      status: isRevoked ? ('REVOKED' as const) : ('VALID' as const),
      revokedAt: isRevoked ? notBefore : null,
      revocationReason: isRevoked ? ('superseded' as const) : null,
    };
  };
  const generation = await playService(intake.ground, 'generation', {
    'certificates.byRequest': ({ requestId }) => {
      asked.push(requestId);
      if (!withCertificate.has(requestId)) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
      return stateOf(serialOf(requestId));
    },
    'certificates.revokeSuperseded': ({ serialNumber }) => {
      const isRepeat = revoked.includes(serialNumber);
      revoked.push(serialNumber);
      if (isRepeat) throw new AppError({ code: 'CERTIFICATE_ALREADY_REVOKED' });
      return stateOf(serialNumber);
    },
  });
  const client = () => intake.client(asPartner('sandbox'));
  const statusOf = async (requestId: string) =>
    (await client().requests.status.query({ family: 'TV', requestId })).status;
  const reaches = async (requestId: string, status: string) =>
    void (await pollFor(async () => (await statusOf(requestId)) === status, { what: status }));
  const tellIssued = async (requestId: string) => {
    withCertificate.add(requestId);
    await intake.tell('events.certificate.issued', {
      ...{ requestId, attempt: 1, certificateId: uuidv7(), serialNumber: serialOf(requestId) },
      ...{ notBefore, notAfter, cappedBy: null, truncated: [] },
    });
  };
  const issue = async (requestId: string) => {
    await reaches(requestId, 'GENERATING');
    await tellIssued(requestId);
    await reaches(requestId, 'GENERATED');
  };
  return {
    generation,
    revoked,
    asked,
    serialOf,
    issue,
    tellIssued,
    reaches,
    async issued(files, put) {
      const requestId = uuidv7();
      const { keyring } = await intake.ground.peer('gateway');
      const evidence = await sealFiles({ keyring, requestId }, files, put);
      const input = makeRegistration({}, { requestId, evidence });
      await client().requests.register.mutate(input);
      await issue(requestId);
      return { requestId, referenceTransaction: String(input.fields.referenceTransaction) };
    },
    async renew({ referenceTransaction }, supersede = false, newReferenceTransaction = makeReference()) {
      const { sealedPassword } = makeRegistration();
      const renewed = await client().certificates.renew.mutate({
        requestId: uuidv7(),
        referenceTransaction,
        newReferenceTransaction,
        ...{ fields: {}, faults: [], files: [], supersede },
        ...(sealedPassword === undefined ? {} : { sealedPassword }),
      });
      return renewed.requestId;
    },
    [Symbol.asyncDispose]: () => generation[Symbol.asyncDispose](),
  };
}
