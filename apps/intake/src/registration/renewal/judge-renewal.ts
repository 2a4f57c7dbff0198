import { say } from '@rubrica/contracts/error-texts/say';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { AppError, formatLocalDate } from '@rubrica/process';
import { renewalDays } from '../../request/renewals.ts';
import type { Request } from '../../request/request.entity.ts';

export interface Renewable
  extends Pick<
    Request,
    'family' | 'identificationNumber' | 'notAfter' | 'certificateStatus' | 'certificateAdvancedDays'
  > {
  /** The reference of its renewal that is open or issued. */
  readonly renewedBy: string | null;
}

interface At {
  readonly now: Date;
  readonly timeZone: string;
}

export function notRenewable(publicMessage: string): AppError {
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', publicMessage });
}

/** Why an issued certificate may not be renewed at `now`; undefined: it may. Days are those of its own clock. */
export function judgeRenewal(former: Renewable, { now, timeZone }: At): AppError | undefined {
  const { family, identificationNumber, certificateStatus, renewedBy, notAfter } = former;
  if (family === 'API')
    return notRenewable(say('A certificate of the API flow is not renewed: its steps prove presence anew'));
  if (certificateStatus === 'REVOKED')
    return notRenewable(say('The certificate is revoked or on hold and cannot be renewed'));
  // An erasure leaves none.
  if (identificationNumber === '')
    return notRenewable(say('The data of the request were erased; register a new request'));
  if (renewedBy !== null)
    return notRenewable(
      say('The certificate is renewed already, by referenceTransaction "{given}"', { given: renewedBy }),
    );
  if (notAfter === null) return notRenewable(say('The request has no certificate to renew'));
  const shownNow = now.getTime() + former.certificateAdvancedDays * DAY_MS;
  const opens = new Date(notAfter.getTime() - renewalDays * DAY_MS);
  const closes = new Date(notAfter.getTime() + renewalDays * DAY_MS);
  if (shownNow < opens.getTime())
    return notOpen(say('Renewal opens on {date}', { date: formatLocalDate(opens, timeZone) }));
  if (shownNow > closes.getTime())
    return notOpen(say('Renewal closed on {date}', { date: formatLocalDate(closes, timeZone) }));
  return undefined;
}

function notOpen(publicMessage: string): AppError {
  return new AppError({ code: 'RENEWAL_NOT_OPEN', publicMessage });
}
