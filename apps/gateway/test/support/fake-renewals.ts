import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import type { UseCase } from '@rubrica/wiring';
import { claimsCalls, claimView, type FakeClaim } from './fake-claims.ts';

/** The link of a reminder, of a certificate that ends soon. */
export function renewalView(overrides: Partial<FakeClaim['view']> = {}): FakeClaim['view'] {
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
  const serialNumber = '4AB1C09F27E3D1885C6A';
  return claimView({ serialNumber, notAfter: inDays(15), expiresAt: inDays(75), ...overrides });
}

type RenewalCalls =
  | 'renewals.view'
  | 'renewals.contact'
  | 'renewals.sendCode'
  | 'renewals.ownData'
  | 'renewals.checkCode'
  | 'renewals.renew'
  | 'renewals.openDownload';

/** Intake's answers about a reminder's link: as those about a claim's, and of the same link. */
export function renewalsCalls(
  claim: FakeClaim,
  keyring: Pick<Keyring, 'openText' | 'sealTo'>,
): { readonly [Name in RenewalCalls]: UseCase<'intake', Name> } {
  const calls = claimsCalls(claim, keyring);
  return {
    'renewals.view': calls['claims.view'],
    'renewals.contact': async ({ sealedToken }) => {
      const token = await keyring.openText(sealedToken, { purpose: 'claim-token', owner: 'gateway' });
      if (token !== claim.token) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
      const { partnerName, partnerEmail, hasLogo } = claim.view;
      return { reason: claim.contactReason, partnerName, partnerEmail, hasLogo };
    },
    'renewals.sendCode': calls['claims.sendCode'],
    'renewals.ownData': calls['claims.ownData'],
    'renewals.checkCode': calls['claims.checkCode'],
    'renewals.renew': calls['claims.claim'],
    'renewals.openDownload': calls['claims.openDownload'],
  };
}
