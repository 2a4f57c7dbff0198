import { type Bus, serveRouter } from '@rubrica/bus';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import { fakeHandlers, serveFake } from '@rubrica/testkit/fakes';
import { implement, type ServiceRouters } from '@rubrica/wiring';
import { approvalUseCases } from './fake-approvals.ts';
import { auditUseCase } from './fake-audit.ts';
import { releaseBundle } from './fake-claims.ts';
import { fakeIntake, note } from './fake-intake.ts';
import { certificateCalls, fakeNotifier } from './fake-lists.ts';
import type { FakeState } from './fake-state.ts';
import { at } from './fake-time.ts';

const termsContent = `TÉRMINOS Y CONDICIONES

1. Objeto. El certificado vincula unos datos de verificación de firma con la persona titular.
2. Custodia. La contraseña y la clave privada son personales <y secretas>.
3. Vigencia. El certificado es válido durante el período solicitado, salvo revocación anterior.`;

function fakeTerms() {
  return implement(
    'terms',
    fakeHandlers({
      calls: {
        'terms.active': ({ type }) => {
          if (type === 'TRANSACTIONAL_SIGNATURE') throw new AppError({ code: 'NO_ACTIVE_TERMS' });
          const id = '0197a000-0000-7000-8000-0000000000cc';
          return { id, version: '1', content: termsContent, type, active: true, createdDate: at };
        },
      },
      operators: { 'audit.list': auditUseCase('terms'), ...approvalUseCases('terms') },
    }),
  );
}

export const certificateBytes = Buffer.from('not really a certificate');
export const ocspBytes = Buffer.from('not really an OCSP response');
const ocspCaching = {
  maxAgeSeconds: 4,
  etag: '"xyz"',
  lastModified: at,
  expires: '2026-03-02T05:00:00.000Z',
};

function fakeGeneration(state: FakeState, keyring: Keyring) {
  return implement(
    'generation',
    fakeHandlers({
      calls: {
        'bundles.release': releaseBundle(state.claim, keyring),
        ...certificateCalls,
        'pki.file': (input, call) => {
          note(state, 'pki.file', input, call);
          if (input.file === 'large.crl') return state.largeFile.piece(input.from);
          if (input.file !== 'root.cer' && input.file !== 'issuing.crl')
            throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
          return {
            content: certificateBytes.toString('base64'),
            octets: certificateBytes.length,
            mediaType: 'application/pkix-cert',
            maxAgeSeconds: 3600,
            etag: 'abc',
            lastModified: at,
          };
        },
        'pki.ocsp': (input, call) => {
          note(state, 'pki.ocsp', input, call);
          return {
            response: ocspBytes.toString('base64'),
            caching: input.request === Buffer.from('fresh').toString('base64') ? null : ocspCaching,
          };
        },
      },
      operators: { 'audit.list': auditUseCase('generation'), ...approvalUseCases('generation') },
    }),
  );
}

interface ServeFakesOptions {
  readonly bus: Bus;
  readonly state: FakeState;
  readonly keyrings: Readonly<Record<'intake' | 'generation' | 'terms' | 'notifier', Keyring>>;
}

/** Serves all of them on the bus; the result stops one of them, as if it were down. */
export async function serveFakes({ bus, state, keyrings }: ServeFakesOptions) {
  const serve = (service: keyof typeof keyrings, part: ServiceRouters) =>
    serveFake(serveRouter, { service, bus, keyring: keyrings[service] }, part);
  const intake = await serve('intake', fakeIntake(state, keyrings.intake));
  const terms = await serve('terms', fakeTerms());
  await serve('generation', fakeGeneration(state, keyrings.generation));
  const notifier = await serve('notifier', fakeNotifier());
  return {
    stopIntake: () => intake.stop(),
    stopTerms: () => terms.stop(),
    stopNotifier: () => notifier.stop(),
  };
}
