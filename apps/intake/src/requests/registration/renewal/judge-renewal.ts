import { createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import { AppError, formatLocalDate } from '@rubrica/process';
import { renewalDays } from '../../request/renewals.ts';
import type { Request } from '../../request/request.entity.ts';

export interface Renewable
  extends Pick<
    Request,
    'family' | 'identificationNumber' | 'notAfter' | 'certificateStatus' | 'certificateAdvancedDays'
  > {
  /** Reference of its renewal that is open or issued. */
  readonly renewedBy: string | null;
}

interface JudgeOptions {
  readonly now: Date;
  readonly timeZone: string;
}

export function notRenewable(text: ErrorText): AppError {
  return new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED', text });
}

/**
 * Returns why an issued certificate may not be renewed at `now`; undefined if it may. Days are those of its
 * own clock.
 */
export function judgeRenewal(former: Renewable, { now, timeZone }: JudgeOptions): AppError | undefined {
  const { family, identificationNumber, certificateStatus, renewedBy, notAfter } = former;
  if (family === 'API') return notRenewable(createText('request.apiFlowNotRenewed'));
  if (certificateStatus === 'REVOKED') return notRenewable(createText('request.revokedNotRenewed'));
  // An erasure removes the number.
  if (identificationNumber === '') return notRenewable(createText('request.erased'));
  if (renewedBy !== null) return notRenewable(createText('request.renewedAs', { given: renewedBy }));
  if (notAfter === null) return notRenewable(createText('request.nothingToRenew'));
  const shownNow = now.getTime() + former.certificateAdvancedDays * DAY_MS;
  const opens = new Date(notAfter.getTime() - renewalDays * DAY_MS);
  const closes = new Date(notAfter.getTime() + renewalDays * DAY_MS);
  if (shownNow < opens.getTime())
    return notOpen(createText('request.renewalOpens', { date: formatLocalDate(opens, timeZone) }));
  if (shownNow > closes.getTime())
    return notOpen(createText('request.renewalClosed', { date: formatLocalDate(closes, timeZone) }));
  return undefined;
}

function notOpen(text: ErrorText): AppError {
  return new AppError({ code: 'RENEWAL_NOT_OPEN', text });
}
