import type { OAuthErrorCode } from '@rubrica/contracts/rest/oauth';
import { AppError, type AppErrorOptions } from '@rubrica/process';

/** A refusal of the token endpoint: with RFC 6749 §5.2's code and one of our own. */
export class OAuthFault extends AppError {
  readonly oauthCode: OAuthErrorCode;

  constructor(
    oauthCode: OAuthErrorCode,
    options: Pick<AppErrorOptions, 'code' | 'text' | 'publicMessage' | 'cause'>,
  ) {
    super(options);
    this.oauthCode = oauthCode;
  }
}

/** RFC 6749 has no code for 429 and 5xx: there `error` stays the status' reason phrase. */
export function oauthCodeOf(fault: AppError, status: number): OAuthErrorCode | undefined {
  if (fault instanceof OAuthFault) return fault.oauthCode;
  if (status === 401) return 'invalid_client';
  return status === 429 || status >= 500 ? undefined : 'invalid_request';
}
