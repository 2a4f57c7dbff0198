import { createHash } from 'node:crypto';
import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type { TermsRecord } from '@rubrica/contracts/shared/terms';
import { createDatabase } from '@rubrica/database/connection';
import { createSweeper } from '@rubrica/database/sweeper';
import { AppError } from '@rubrica/process/errors';
import { createLogger } from '@rubrica/process/log';
import { uuidv7 } from '@rubrica/process/time';
import { pollFor } from '@rubrica/testkit';
import type { z } from 'zod';
import { schema } from '../../src/entities.ts';
import { sweeperTasks } from '../../src/sweeper-tasks.ts';
import { openEntries } from './own-database.ts';
import { playService } from './play-service.ts';
import { asPartner, makeRegistration, type RunningIntake, runningIntake } from './running-intake.ts';

const quiet = createLogger({ service: 'test', level: 'silent', format: 'json' });

/** The terms service's part, by the real contract: one version for every type, until it is withdrawn. */
async function serveTerms({ ground }: RunningIntake) {
  let active: Omit<TermsRecord, 'type'> | null = null;
  const activate = (version: string) => {
    active = {
      id: uuidv7(),
      version,
      content: 'Terms',
      active: true,
      createdDate: '2026-11-21T00:00:00.000Z',
    };
    return active;
  };
  activate('1.0');
  let next: Held | undefined;
  const played = await playService(ground, 'terms', {
    'terms.active': async ({ type }) => {
      const held = next;
      next = undefined;
      held?.reached.resolve();
      await held?.until.promise;
      if (active === null) throw new AppError({ code: 'NO_ACTIVE_TERMS' });
      return { ...active, type };
    },
  });
  return {
    ...played,
    activate,
    /** As in a deployment for which nobody has written terms yet. */
    withdraw() {
      active = null;
    },
    activeId: () => active?.id ?? null,
    /** The next answer waits until the test lets it go. */
    holdNext(): Held {
      next = { reached: Promise.withResolvers(), until: Promise.withResolvers() };
      return next;
    },
  };
}

interface Held {
  readonly reached: PromiseWithResolvers<void>;
  readonly until: PromiseWithResolvers<void>;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export type ClaimGround = Awaited<ReturnType<typeof claimGround>>;

/** Intake with a clock that the test moves, terms beside it, and the sweeper at the test's call. */
export async function claimGround(env: Record<string, string> = {}) {
  await using owned = new AsyncDisposableStack();
  let aheadMs = 0;
  const clock = () => new Date(Date.now() + aheadMs);
  const settings = { RESEND_INTERVAL_SECONDS: '0', CLAIM_CODE_INTERVAL_SECONDS: '0', ...env };
  const intake = owned.use(await runningIntake(settings, { clock }));
  const terms = owned.use(await serveTerms(intake));
  const entries = await openEntries(intake.ground);
  const database = createDatabase({
    ...{ url: intake.ground.service.appUrl, schema, entities: [], entries },
    logger: quiet,
  });
  owned.use(database);
  const sweeper = createSweeper({
    database,
    tasks: sweeperTasks({
      clock,
      retention: { issuedDays: 3_653, unissuedDays: 90 },
      timeZone: 'America/Guayaquil',
    }),
    logger: quiet,
  });
  const notifier = await intake.peer('notifier');
  const { keyring: notifierKeys } = await intake.ground.peer('notifier');
  const { keyring: gatewayKeys } = await intake.ground.peer('gateway');
  const claims = intake.client({ kind: 'service', name: 'gateway' }).claims;
  const otp = intake.client(asPartner('otp')).requests;
  const held = owned.move();

  const messageOf = async (requestId: string, template: string) => {
    const [row] = await intake.query<{ id: string }>(
      `select id from intake.message where request_id = $1 and template = $2 order by created_at desc, id desc limit 1`,
      [requestId, template],
    );
    return notifier.messages.get.query({ messageId: row?.id ?? '' });
  };
  const openSecret = ({ requestId, template, sealedSecret }: messagesContract.OutgoingMessage) =>
    notifierKeys.openText(sealedSecret ?? '', {
      purpose: template.endsWith('code') ? 'claim-code' : 'claim-link',
      owner: requestId ?? '',
    });
  const secretOf = async (requestId: string, template: string) =>
    openSecret(await messageOf(requestId, template));
  /** Undefined where no such message was sent, or where its secret was destroyed. */
  const findSecret = async (requestId: string, template: string): Promise<string | undefined> => {
    const message = await messageOf(requestId, template).catch(() => undefined);
    return message?.sealedSecret ? openSecret(message) : undefined;
  };
  const sealToken = (token: string) =>
    gatewayKeys.sealTo('intake', token, { purpose: 'claim-token', owner: 'gateway' });
  const seal = (code: string, token: string) =>
    gatewayKeys.sealTo('intake', code, { purpose: 'entered-code', owner: sha256(token) });
  const sealRight = (secret: string, token: string) =>
    gatewayKeys.sealTo('intake', secret, { purpose: 'claim-right', owner: sha256(token) });
  const statusOf = (requestId: string) => otp.status.query({ family: 'TV', requestId });
  const reaches = (requestId: string, status: string) =>
    pollFor(async () => (await statusOf(requestId)).status === status, { what: status });
  return {
    intake,
    terms,
    claims,
    clock,
    otp,
    statusOf,
    reaches,
    messageOf,
    secretOf,
    findSecret,
    sha256,
    sweep: () => sweeper.sweep(),
    pass: (ms: number) => {
      aheadMs += ms;
    },
    sealToken,
    seal,
    sealRight,
    /** The secret of a right that was given, as the gateway keeps it in the browser. */
    openRight: ({ sealedRight }: { readonly sealedRight: string }, token: string) =>
      gatewayKeys.openText(sealedRight, { purpose: 'new-claim-right', owner: sha256(token) }),
    /** A request that waits for its applicant, with the link's token as the mail carries it. */
    async approved(fields: Record<string, string | undefined> = {}) {
      const input = makeRegistration(fields, { sealedPassword: undefined });
      await otp.register.mutate(input);
      const { requestId } = input;
      await reaches(requestId, 'APPROVED');
      const token = await secretOf(requestId, 'claim');
      return { requestId, token, sealedToken: await sealToken(token) };
    },
    async sendCode({ requestId, sealedToken }: { requestId: string; sealedToken: string }) {
      await claims.sendCode.mutate({ sealedToken, language: 'en' });
      const { state } = await claims.view.query({ sealedToken });
      return secretOf(requestId, state === 'OPEN' ? 'claim-code' : 'download-code');
    },
    async claim(
      { token, sealedToken }: { token: string; sealedToken: string },
      code: string,
      overrides: Partial<Parameters<typeof claims.claim.mutate>[0]> = {},
    ): Promise<z.output<typeof claimsContract.claimOutput>> {
      return claims.claim.mutate({
        sealedToken,
        sealedCode: await seal(code, token),
        sealedPassword: 'sealed.to.generation',
        termsId: terms.activeId(),
        language: 'en',
        remoteAddress: '192.0.2.7',
        userAgent: 'A browser',
        ...overrides,
      });
    },
    issue: (requestId: string, attempt = 1, serialNumber = 'ABCDEF0123456789') =>
      intake.tell('events.certificate.issued', {
        requestId,
        attempt,
        certificateId: uuidv7(),
        serialNumber,
        notBefore: '2026-11-21T00:00:00.000Z',
        notAfter: '2027-11-20T23:59:59.000Z',
        cappedBy: null,
        truncated: [],
      }),
    timelineOf: async (requestId: string) => {
      const sql = 'select trigger from intake.step where request_id = $1 order by place';
      return (await intake.query<{ trigger: string }>(sql, [requestId])).map(({ trigger }) => trigger);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Any six digits but these. */
export function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

export function fault(appCode: string) {
  return { data: { appCode } };
}
