import { createHash } from 'node:crypto';
import { type Bus, serveRouter } from '@rubrica/bus';
import type * as auditContract from '@rubrica/contracts/operators/audit';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { serviceCalls } from '@rubrica/contracts/services/calls';
import * as generationContract from '@rubrica/contracts/services/schemas/generation';
import * as intakeContract from '@rubrica/contracts/services/schemas/intake';
import { statuses } from '@rubrica/contracts/shared/enumerations';
import type { errorDetailSchema } from '@rubrica/contracts/shared/errors';
import { termsRecordSchema } from '@rubrica/contracts/shared/terms';
import {
  AppError,
  type BaseContext,
  createCallContext,
  createLogger,
  createServiceTrpc,
  type Keyring,
} from '@rubrica/process';
import type { z } from 'zod';
import { bundlesRouter, claimsRouter } from './fake-claims.ts';
import { retrievalProcedures } from './fake-retrieval.ts';
import { operatorReviewsRouter, reviewsRouter } from './fake-reviews.ts';
import { signatureRouter } from './fake-signature.ts';
import { type FakeState, operator, partner } from './fake-state.ts';
import { at } from './fake-time.ts';

const { router, procedure, asService, asPartner, asOperator, asAnyone } = createServiceTrpc<BaseContext>();
function sha256(text: string) {
  return createHash('sha256').update(text).digest('hex');
}

export function intakeRouter(state: FakeState, keyring: Keyring) {
  const changed = { referenceTransaction: 'TX-1', validationStatus: 'ERROR' as const, updatedAt: at };
  return router({
    claims: claimsRouter(state.claim, keyring),
    reviews: reviewsRouter(state.reviews, keyring),
    signature: signatureRouter(state.signature, keyring),
    requests: router({
      register: procedure
        .use(asPartner('collector:write'))
        .input(intakeContract.registerInput)
        .output(intakeContract.registerOutput)
        .mutation(({ ctx, input }) => {
          state.registered.push({ input, caller: ctx.caller });
          const failure = state.registerFailures.shift();
          if (failure !== undefined) throw failure;
          const [fault] = input.faults;
          if (fault)
            throw new AppError({ code: fault.code, publicMessage: fault.message, details: input.faults });
          const errors = input.evidence?.errors ?? [];
          return {
            requestId: input.requestId,
            referenceTransaction: String(input.fields.referenceTransaction),
            status: errors.length > 0 ? ('ERROR' as const) : ('REGISTERED' as const),
            validationStatus: errors.length > 0 ? ('ERROR' as const) : ('PENDING' as const),
            createdAt: at,
            errors,
            ...(state.requestEnds === undefined ? {} : { expiresAt: state.requestEnds }),
          };
        }),
      retry: procedure
        .use(asPartner('manager:write'))
        .input(intakeContract.retryInput)
        .output(intakeContract.retryOutput)
        .mutation(({ input }) => {
          state.retried.push(input);
          refuse(input.faults);
          return {
            requestId: state.status.requestId,
            status: 'REGISTERED',
            retryCount: 1,
            retriesRemaining: 1,
            ...changed,
          };
        }),
      correct: procedure
        .use(asPartner('collector:write'))
        .input(intakeContract.correctInput)
        .output(intakeContract.statusOutput)
        .mutation(({ input }) => {
          state.corrected.push(input);
          refuse(input.faults);
          return { ...state.status, status: 'REGISTERED', validationStatus: 'PENDING' };
        }),
      cancel: procedure
        .use(asPartner('manager:write'))
        .input(intakeContract.cancelInput)
        .output(intakeContract.cancelOutput)
        .mutation(({ input }) => {
          refuse(input.faults);
          return { requestId: state.status.requestId, status: 'CANCELLED', ...changed };
        }),
      resendLink: procedure
        .use(asPartner('manager:write'))
        .input(intakeContract.resendInput)
        .output(intakeContract.resendOutput)
        .mutation(({ input }) => {
          refuse(input.faults);
          if (state.resent) return state.resent;
          throw new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: 42 });
        }),
      status: procedure
        .use(asPartner('status:read'))
        .input(intakeContract.requestIdentifier)
        .output(intakeContract.statusOutput)
        .query(({ input }) => {
          if (input.referenceTransaction === 'nobody') throw new AppError({ code: 'REQUEST_NOT_FOUND' });
          return state.status;
        }),
      ...retrievalProcedures(state.retrieval),
    }),
    certificates: router({
      revoke: procedure
        .use(asPartner('certificates:revoke'))
        .input(intakeContract.revokeCertificateInput)
        .output(generationContract.certificateState)
        .mutation(({ ctx, input, path }) => {
          const { caller, requestId, traceparent } = ctx;
          state.asked.push({ path, input, caller, requestId, traceparent });
          if (input.serialNumber === 'FFFF') throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
          if (input.serialNumber === 'EEEE') throw new AppError({ code: 'CERTIFICATE_ALREADY_REVOKED' });
          return {
            serialNumber: '4AB1',
            notBefore: at,
            notAfter: at,
            status: 'REVOKED',
            revokedAt: at,
            revocationReason: input.reason,
            version: 2,
          };
        }),
    }),
    partners: router({
      authenticateClient: procedure
        .use(asService('gateway'))
        .input(intakeContract.authenticateClientInput)
        .output(intakeContract.partnerIdentity)
        .query(({ input }) => {
          if (input.clientId !== partner.clientId || input.secretSha256 !== sha256(partner.clientSecret)) {
            throw new AppError({ code: 'UNAUTHENTICATED' });
          }
          return { partnerId: partner.partnerId, clientId: partner.clientId, scopes: state.scopes };
        }),
      resolveToken: procedure
        .use(asService('gateway'))
        .input(intakeContract.resolveTokenInput)
        .output(intakeContract.partnerIdentity)
        .query(({ ctx, input, path }) => {
          state.asked.push({
            path,
            input,
            caller: ctx.caller,
            requestId: ctx.requestId,
            traceparent: ctx.traceparent,
          });
          if (state.tokenRevoked || input.tokenSha256 !== sha256(partner.apiToken)) {
            throw new AppError({ code: 'UNAUTHENTICATED' });
          }
          return { partnerId: partner.partnerId, clientId: partner.clientId, scopes: state.scopes };
        }),
    }),
    operators: router({
      authenticate: procedure
        .use(asService('gateway'))
        .input(intakeContract.authenticateOperatorInput)
        .output(intakeContract.operatorIdentity)
        .mutation(async ({ input }) => {
          const password = await keyring.openText(input.sealedPassword);
          if (input.email !== operator.email || password !== operator.password) {
            throw new AppError({
              code: 'UNAUTHENTICATED',
              publicMessage: 'The e-mail or the password is not correct',
            });
          }
          return { operatorId: operator.operatorId, email: operator.email, role: state.operatorRole };
        }),
    }),
  });
}

function refuse(faults: z.output<typeof errorDetailSchema>[]): void {
  const [fault] = faults;
  if (fault) throw new AppError({ code: fault.code, publicMessage: fault.message, details: faults });
}

function countsOf() {
  return Object.fromEntries(statuses.map((status) => [status, 1])) as Record<
    (typeof statuses)[number],
    number
  >;
}

/** Two procedures are enough: one that is read, one whose answer comes sealed. */
export function intakeOperatorRouter(state: FakeState, keyring: Keyring) {
  const { overview, 'partners.create': create } = operatorProcedures;
  return router({
    audit: auditRouter('intake'),
    reviews: operatorReviewsRouter(keyring),
    overview: procedure
      .use(asOperator('viewer'))
      .input(overview.input)
      .output(overview.output)
      .query(({ ctx, path, input }) => {
        state.asked.push({
          path,
          input,
          caller: ctx.caller,
          requestId: ctx.requestId,
          traceparent: ctx.traceparent,
        });
        return { requests: countsOf(), registeredLastDay: 7, generatedLastDay: 5, oldestUnfinishedAt: null };
      }),
    partners: router({
      create: procedure
        .use(asOperator('admin'))
        .input(create.input)
        .output(create.output)
        .mutation(async ({ input }) => ({
          id: partner.partnerId,
          clientId: input.name,
          clientSecret: await keyring.sealTo('gateway', 'the client secret'),
          webhookSecret: await keyring.sealTo('gateway', 'whsec_abc'),
        })),
    }),
  });
}

/** Several services answer the same paths; each says which it is. */
function auditRouter(service: auditContract.AuditService) {
  const { 'audit.list': list } = operatorProcedures;
  const at = '2026-11-21T00:00:00.000Z';
  const item = { service, id: '1', sequence: 1, hash: null, at, actor: 'a', action: 'b' };
  return router({
    list: procedure
      .use(asOperator('viewer'))
      .input(list.input)
      .output(list.output)
      .query(() => ({
        items: [{ ...item, target: null, requestId: null, reason: null, details: {} }],
        nextCursor: null,
      })),
  });
}

export const termsContent = `TÉRMINOS Y CONDICIONES

1. Objeto. El certificado vincula unos datos de verificación de firma con la persona titular.
2. Custodia. La contraseña y la clave privada son personales <y secretas>.
3. Vigencia. El certificado es válido durante el período solicitado, salvo revocación anterior.`;

export function termsRouter() {
  return router({
    terms: router({
      active: procedure
        .use(asAnyone())
        .input(serviceCalls.terms['terms.active'].input)
        .output(termsRecordSchema)
        .query(({ input }) => {
          if (input.type === 'TRANSACTIONAL_SIGNATURE') throw new AppError({ code: 'NO_ACTIVE_TERMS' });
          const id = '0197a000-0000-7000-8000-0000000000cc';
          return { id, version: '1', content: termsContent, type: input.type, active: true, createdDate: at };
        }),
    }),
  });
}

export const certificateBytes = Buffer.from('not really a certificate');
export const ocspBytes = Buffer.from('not really an OCSP response');
export const ocspCaching = {
  maxAgeSeconds: 4,
  etag: '"xyz"',
  lastModified: at,
  expires: '2026-03-02T05:00:00.000Z',
};

export function generationRouter(state: FakeState, keyring: Keyring) {
  return router({
    bundles: bundlesRouter(state.claim, keyring),
    pki: router({
      file: procedure
        .use(asAnyone())
        .input(generationContract.pkiFileInput)
        .output(generationContract.pkiFile)
        .query(({ ctx, path, input }) => {
          state.asked.push({
            path,
            input,
            caller: ctx.caller,
            requestId: ctx.requestId,
            traceparent: ctx.traceparent,
          });
          if (input.file !== 'root.cer') throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
          return {
            content: certificateBytes.toString('base64'),
            mediaType: 'application/pkix-cert',
            maxAgeSeconds: 3600,
            etag: 'abc',
          };
        }),
      ocsp: procedure
        .use(asAnyone())
        .input(generationContract.ocspInput)
        .output(generationContract.ocspAnswer)
        .query(({ ctx, path, input }) => {
          const { caller, requestId, traceparent } = ctx;
          state.asked.push({ path, input, caller, requestId, traceparent });
          return {
            response: ocspBytes.toString('base64'),
            caching: input.request === Buffer.from('fresh').toString('base64') ? null : ocspCaching,
          };
        }),
    }),
  });
}

interface ServeFakesOptions {
  readonly bus: Bus;
  readonly state: FakeState;
  readonly keyrings: Readonly<Record<'intake' | 'generation' | 'terms', Keyring>>;
}

/** Serves all of them on the bus; the result stops intake alone, as if it were down. */
export async function serveFakes({ bus, state, keyrings }: ServeFakesOptions) {
  const logger = createLogger({ service: 'fake', level: 'silent', format: 'json' });
  const serve = (
    prefix: string,
    service: keyof typeof keyrings,
    routerOf: Parameters<typeof serveRouter>[1]['router'],
  ) =>
    serveRouter(bus, {
      router: routerOf,
      subjectPrefix: `${prefix}.${service}`,
      queue: service,
      createContext: createCallContext(keyrings[service], logger),
    });
  const intake = await serve('rpc.v1', 'intake', intakeRouter(state, keyrings.intake));
  await serve('ops.v1', 'intake', intakeOperatorRouter(state, keyrings.intake));
  await serve('rpc.v1', 'terms', termsRouter());
  await serve('rpc.v1', 'generation', generationRouter(state, keyrings.generation));
  for (const name of ['generation', 'terms'] as const) {
    await serve('ops.v1', name, router({ audit: auditRouter(name) }));
  }
  return { stopIntake: () => intake.stop() };
}
