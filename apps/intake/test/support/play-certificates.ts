import type { Message, MessageSubject } from '@rubrica/contracts/messages/messages';
import type { CertificateState } from '@rubrica/contracts/services/schemas/generation';
import { AppError } from '@rubrica/process/errors';
import type { TestGround } from '@rubrica/testkit';
import { playByDefault } from './play-service.ts';

type EventSubject = Extract<MessageSubject, `events.certificate.${string}`>;

export interface FakeCertificates extends AsyncDisposable {
  /** Makes an event true: what is told of a certificate is what generation says of it. */
  record<S extends EventSubject>(subject: S, message: Message<S>): void;
}

/** Generation's register as the events tell of it: a certificate that none was told of does not exist. */
export async function fakeCertificates(ground: TestGround): Promise<FakeCertificates> {
  const states = new Map<string, CertificateState>();
  const played = await playByDefault(ground, 'generation', {
    'certificates.byRequest': ({ requestId }) => {
      const state = states.get(requestId);
      if (state === undefined) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
      return state;
    },
  });
  const valid = { status: 'VALID', version: 1, revokedAt: null, revocationReason: null } as const;
  return {
    record(subject, message) {
      if (subject === 'events.certificate.issued') {
        const { requestId, serialNumber, notBefore, notAfter } =
          message as Message<'events.certificate.issued'>;
        if (!states.has(requestId)) states.set(requestId, { serialNumber, notBefore, notAfter, ...valid });
      } else if (subject === 'events.certificate.status') {
        const { requestId, version, status, reason, at } = message as Message<'events.certificate.status'>;
        const known = states.get(requestId) ?? { ...unknownCertificate, ...valid };
        // An event that comes late tells of what is over.
        if (version < known.version) return;
        const isGood = status === 'VALID';
        states.set(requestId, {
          ...known,
          version,
          status: isGood ? 'VALID' : 'REVOKED',
          revokedAt: at,
          revocationReason: reason,
        });
      }
    },
    [Symbol.asyncDispose]: () => played[Symbol.asyncDispose](),
  };
}

const unknownCertificate = {
  serialNumber: 'ABCDEF0123456789',
  notBefore: '2026-11-21T00:00:00.000Z',
  notAfter: '2027-11-20T23:59:59.000Z',
} as const;
