import { AppError } from '@rubrica/process/errors';
import { type ClaimGround, claimGround } from './claims.ts';
import { type PlayedService, playService } from './play-service.ts';

export const revokedAt = '2026-11-22T00:00:00.000Z';

/** A certificate by the link of its claim, or by numbers that any signed document shows. */
export type Target = { sealedToken: string } | { identificationNumber: string; serialNumber: string };

/** A browser at an address; a gateway of the release before says neither. */
export interface Browser {
  readonly value: string;
  readonly address: string;
}

export type RevocationGround = Awaited<ReturnType<typeof revocationGround>>;

/** Intake with a fake generation that revokes each serial number once. */
export async function revocationGround(env: Record<string, string> = {}) {
  await using owned = new AsyncDisposableStack();
  const ground: ClaimGround = owned.use(await claimGround(env));
  const revoked: { readonly serialNumber: string; readonly reason: string }[] = [];
  const generation: PlayedService = owned.use(
    await playService(ground.intake.ground, 'generation', {
      'certificates.revokeForSubscriber': ({ serialNumber, reason }) => {
        const isRepeated = revoked.some((one) => one.serialNumber === serialNumber);
        if (isRepeated) throw new AppError({ code: 'CERTIFICATE_ALREADY_REVOKED' });
        revoked.push({ serialNumber, reason });
        return {
          ...{ serialNumber, status: 'REVOKED' as const, revokedAt, revocationReason: reason, version: 2 },
          ...{ notBefore: '2026-11-21T00:00:00.000Z', notAfter: '2099-11-20T23:59:59.000Z' },
        };
      },
    }),
  );
  const { keyring } = await ground.intake.ground.peer('gateway');
  const { revocations } = ground.intake.client({ kind: 'service', name: 'gateway' });
  const held = owned.move();
  let serials = 0;

  const asker = async (browser: Browser | undefined) => {
    if (browser === undefined) return {};
    const binding = { purpose: 'revocation-browser', owner: 'gateway' } as const;
    return {
      sealedBrowser: await keyring.sealTo('intake', browser.value, binding),
      address: browser.address,
    };
  };
  return {
    ground,
    generation,
    revoked,
    /** A certificate that its applicant has claimed; with a telephone of its own, because codes are limited by it. */
    async issued(fields: Record<string, string> = {}) {
      serials += 1;
      const link = await ground.approved({
        ...{ certificateType: 'TRANSACTIONAL_SIGNATURE', period: undefined },
        identificationNumber: '1710034065',
        cellphoneNumber: `+59399${String(serials).padStart(7, '0')}`,
        ...fields,
      });
      await ground.claim(link, await ground.sendCode(link));
      const serialNumber = `AB${String(serials).padStart(14, '0')}`;
      await ground.issue(link.requestId, 1, serialNumber);
      await ground.reaches(link.requestId, 'GENERATED');
      const { requestId, sealedToken } = link;
      const pair = { identificationNumber: '1710034065', serialNumber };
      return { requestId, serialNumber, pair, link: { sealedToken } };
    },
    async send(target: Target, browser?: Browser) {
      return revocations.sendCode.mutate({ target, language: 'es', ...(await asker(browser)) });
    },
    async revoke(
      target: Target,
      code: string,
      {
        reason = 'unspecified',
        browser,
      }: { reason?: 'unspecified' | 'keyCompromise'; browser?: Browser } = {},
    ) {
      const sealedCode = await keyring.sealTo('intake', code, {
        purpose: 'revocation-code',
        owner: 'gateway',
      });
      return revocations.revoke.mutate({ target, sealedCode, reason, ...(await asker(browser)) });
    },
    /** The newest that went to the telephone. */
    codeOf: (requestId: string) => ground.secretOf(requestId, 'revoke-code'),
    async sentTo(requestId: string): Promise<number> {
      const sql = "select 1 from intake.message where request_id = $1 and template = 'revoke-code'";
      return (await ground.intake.query(sql, [requestId])).length;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

let addresses = 0;
/** A browser of its own, at an address of its own unless one is given. */
export function newBrowser(address?: string): Browser {
  addresses += 1;
  return {
    value: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url'),
    address: address ?? `192.0.2.${addresses % 256}-${addresses}`,
  };
}
