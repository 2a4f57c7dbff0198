import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import { pollFor } from '@rubrica/testkit';
import type { z } from 'zod';
import { createClaimToken } from '../../src/requests/claim/claim-link.ts';
import { protectRenewalLink } from '../../src/requests/claim/link-mac.ts';
import { computeKnownUntil } from '../../src/requests/renewal/renewal-link.ts';
import { type ClaimGround, claimGround } from './claims.ts';
import { ownDatabase } from './own-database.ts';
import { playService } from './play-service.ts';
import { asOperator, asPartner, makeRegistration, partnerIds, type RunningIntake } from './running-intake.ts';

export type RenewalGround = Awaited<ReturnType<typeof renewalGround>>;
export type RenewalLink = Awaited<ReturnType<RenewalGround['reminded']>>;
type Renewed = z.output<typeof claimsContract.claimOutput>;

const serialOf = (requestId: string) => requestId.replaceAll('-', '').toUpperCase();

/** A partner that lets subscribers renew, with generation and terms beside intake. */
export async function renewalGround(env: Record<string, string> = {}) {
  await using owned = new AsyncDisposableStack();
  const ground: ClaimGround = owned.use(await claimGround(env));
  const { intake } = ground;
  await offerRenewal(intake, true);
  const revoked = new Set<string>();
  const certified = new Set<string>();
  /** Ends of certificates that are other than `notAfter`. */
  const ends = new Map<string, string>();
  const notBefore = new Date(Date.now() - 335 * DAY_MS).toISOString();
  const notAfter = new Date(Date.now() + 30 * DAY_MS).toISOString();
  const generation = owned.use(
    await playService(intake.ground, 'generation', {
      'certificates.byRequest': ({ requestId }) => {
        if (!certified.has(requestId)) throw new AppError({ code: 'CERTIFICATE_NOT_FOUND' });
        return {
          ...{ serialNumber: serialOf(requestId), notBefore, notAfter: ends.get(requestId) ?? notAfter },
          ...(revoked.has(requestId)
            ? { status: 'REVOKED', version: 2, revokedAt: notBefore, revocationReason: 'unspecified' }
            : { status: 'VALID', version: 1, revokedAt: null, revocationReason: null }),
        };
      },
    }),
  );
  const own = owned.use(await ownDatabase(intake.ground));
  const { keyring: intakeKeys } = await intake.ground.peer('intake');
  const { keyring: notifierKeys } = await intake.ground.peer('notifier');
  const { renewals } = intake.client({ kind: 'service', name: 'gateway' });
  const client = intake.client(asPartner('sandbox'));
  const held = owned.move();

  const statusOf = (requestId: string, family: Family = 'TV') =>
    client.requests.status.query({ family, requestId });
  const reaches = (requestId: string, status: string, family?: Family) =>
    pollFor(async () => (await statusOf(requestId, family)).status === status, { what: status });
  const issue = async (requestId: string, attempt = 1, family?: Family) => {
    await reaches(requestId, 'GENERATING', family);
    certified.add(requestId);
    await intake.tell('events.certificate.issued', {
      ...{ requestId, attempt, certificateId: uuidv7(), serialNumber: serialOf(requestId) },
      ...{ notBefore, notAfter, cappedBy: null, truncated: [] },
    });
    await reaches(requestId, 'GENERATED', family);
  };
  return {
    ...ground,
    client,
    renewals,
    generation,
    statusOf,
    reaches,
    issue,
    serialOf,
    ends,
    revoke: (requestId: string) => void revoked.add(requestId),
    /** From now on generation knows a certificate of it. */
    certify: (requestId: string) => void certified.add(requestId),
    /** A link as a reminder carries it. */
    async link(requestId: string) {
      const { sha256, sealed } = await createClaimToken(intakeKeys, requestId);
      const knownUntil = computeKnownUntil({ notAfter: new Date(notAfter), certificateAdvancedDays: 0 });
      await intake.query(
        'insert into intake.renewal_link (token_sha256, request_id, expires_at, mac) values ($1, $2, $3, $4)',
        [sha256, requestId, knownUntil, protectRenewalLink(own.rows, { requestId, tokenSha256: sha256 })],
      );
      const token = await notifierKeys.openText(sealed, { purpose: 'claim-link', owner: requestId });
      return { requestId, token, sealedToken: await ground.sealToken(token) };
    },
    /** An issued request of the partner's, and the link by which its subscriber renews. */
    async reminded(fields: Record<string, string | undefined> = {}) {
      const input = makeRegistration(fields);
      await client.requests.register.mutate(input);
      await issue(input.requestId);
      const referenceTransaction = String(input.fields.referenceTransaction);
      return { ...(await this.link(input.requestId)), referenceTransaction };
    },
    async sendRenewalCode({ requestId, sealedToken }: { requestId: string; sealedToken: string }) {
      await renewals.sendCode.mutate({ sealedToken, language: 'en' });
      return ground.secretOf(requestId, 'renewal-code');
    },
    async renew(
      { token, sealedToken }: { token: string; sealedToken: string },
      code: string,
      overrides: Partial<Parameters<typeof renewals.renew.mutate>[0]> = {},
    ): Promise<Renewed> {
      return renewals.renew.mutate({
        sealedToken,
        requestId: uuidv7(),
        sealedCode: await ground.seal(code, token),
        sealedPassword: 'sealed.to.generation',
        termsId: ground.terms.activeId(),
        language: 'en',
        remoteAddress: '192.0.2.7',
        userAgent: 'A browser',
        ...overrides,
      });
    },
    /** As the notifier of the renewal's e-mail opens it. */
    openMail: async (requestId: string) => {
      const mail = await ground.messageOf(requestId, 'certificate-ready');
      const binding = { purpose: 'claim-link', owner: requestId } as const;
      return { mail, token: await notifierKeys.openText(mail.sealedSecret ?? '', binding) };
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Whether the partner lets its subscribers renew: its setting. */
export async function offerRenewal(intake: RunningIntake, isOffered: boolean): Promise<void> {
  const id = partnerIds.sandbox;
  await intake.operators(asOperator('admin')).partners.update.mutate({ id, holderRenewal: isOffered });
}

/** How many requests renew that of the link. */
export async function renewalsOf(ground: Pick<RenewalGround, 'intake'>, requestId: string) {
  return ground.intake.query<{ id: string; reference_transaction: string; status: string }>(
    'select id, reference_transaction, status from intake.request where renewal_of = $1 order by id',
    [requestId],
  );
}
