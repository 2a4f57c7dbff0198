import type { OAuthErrorCode } from '@rubrica/contracts/rest/oauth';
import { AppError, type AppErrorOptions } from '@rubrica/process/errors';

/** Refusal of the token endpoint, with a code of RFC 6749 §5.2 and our own. */
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

/** Returns the OAuth code of a fault. RFC 6749 has none for 429 and 5xx; there `error` stays the reason phrase. */
export function toOAuthCode(fault: AppError, status: number): OAuthErrorCode | undefined {
  if (fault instanceof OAuthFault) return fault.oauthCode;
  if (status === 401) return 'invalid_client';
  return status === 429 || status >= 500 ? undefined : 'invalid_request';
}
