import type { RevocationRequester } from '@rubrica/contracts/services/schemas/revocations';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { findEntryGuard } from '@rubrica/database/entries';
import { type StatementTarget, statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import { hashLinkToken } from '../../../base/hash-link-token.ts';
import {
  isAuthentic,
  registeredSql,
  type StoredRegistration,
} from '../../request/registered/registered-data.ts';
import { historySql, type RequestHistory } from '../../request/registered/request-history.ts';
import type { Request } from '../../request/request.entity.ts';
import { codeHistorySql, groupRevocations, type StoredCodeHistory, toCodeHistory } from '../code-history.ts';
import { type CodeHistory, codesCountForMs } from '../code-rules.ts';
import type { LinkGuard } from '../find-claim.ts';
import { claimLinkSql, isLinkAuthentic, type StoredLink } from '../link-mac.ts';
import { type RevocationCaller, readRevocationCaller } from './revocation-caller.ts';

/** Issued certificate, with the proof that its subscriber calls. */
export interface Subscriber
  extends Pick<Request, 'partnerId' | 'details' | 'status' | 'validationStatus' | 'certificateVersion'> {
  readonly requestId: string;
  readonly serialNumber: string;
  /**
   * Revocation codes of this caller and their tries. Those of other callers do not count against it, except
   * in the timeline.
   */
  readonly codeHistory: CodeHistory;
}

/** Certificate as the tables name it, and the caller. */
export interface CertificateReference {
  readonly asker: RevocationCaller;
  readonly tokenSha256: string | null;
  readonly identificationNumber: string | null;
  readonly serialNumber: string | null;
}

interface StoredSubscriber extends Omit<Subscriber, 'codeHistory'> {
  readonly codeHistory: StoredCodeHistory;
  readonly stored: StoredRegistration;
  readonly history: RequestHistory;
  readonly link: StoredLink;
}

const find = statement<
  Omit<CertificateReference, 'asker'> & Omit<RevocationCaller, 'addressSha256'> & { readonly since: Date },
  StoredSubscriber
>({
  name: 'find-subscriber',
  sql: `
select request.id as "requestId", partner_id as "partnerId", details, status, validation_status as "validationStatus",
  serial_number as "serialNumber", certificate_version as "certificateVersion",
  ${codeHistorySql({
    codes:
      "purpose = 'revoke' and way = :way::text and browser_sha256 is not distinct from :browserSha256::text",
    sendings: "trigger = 'sendRevokeCode'",
  })} as "codeHistory",
  ${registeredSql('request')} as stored, ${historySql('request.id')} as history,
  ${claimLinkSql} as link
from request
where serial_number is not null and (claim_token_sha256 = :tokenSha256::text
  or (serial_number = :serialNumber::text and identification_number = :identificationNumber::text))`,
});

const lock = statement<{ readonly requestId: string }>({
  name: 'lock-subscriber',
  sql: 'select 1 from request where id = :requestId for update',
});

/** Reads the reference to a certificate that the caller gives, and the data of the browser. */
export async function readCertificateReference(
  input: RevocationRequester,
  { keyring, peer }: { readonly keyring: Pick<Keyring, 'openText'>; readonly peer: ServiceName },
): Promise<CertificateReference> {
  const { target } = input;
  const asker = await readRevocationCaller(input, { keyring, peer });
  if (!('sealedToken' in target)) {
    const serialNumber = target.serialNumber.replaceAll(/[\s:]/g, '').toUpperCase();
    return { ...target, serialNumber, tokenSha256: null, asker };
  }
  const tokenSha256 = await hashLinkToken({ keyring }, target.sealedToken, { purpose: 'claim-token', peer });
  return { tokenSha256, identificationNumber: null, serialNumber: null, asker };
}

/**
 * @throws AppError CLAIM_LINK_INVALID if nothing is found, also for a link without a certificate; with an
 *   alarm, if this service did not write the request last: its telephone may be another person's
 */
export async function findSubscriber(
  database: StatementTarget,
  { asker, ...names }: CertificateReference,
  { now, rows }: { readonly now: Date; readonly rows: LinkGuard },
): Promise<Subscriber> {
  const since = new Date(now.getTime() - codesCountForMs);
  const { way, browserSha256 } = asker;
  const [row] = await find.run(database, { ...names, way, browserSha256, since });
  if (!row) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  const { stored, history, link, ...subscriber } = row;
  const isAuthenticRow =
    isAuthentic(rows, stored, history) &&
    (names.tokenSha256 === null || isLinkAuthentic(rows, 'claim_link', link));
  if (!isAuthenticRow) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  const group = groupRevocations(asker);
  const entries = findEntryGuard(database);
  return { ...subscriber, codeHistory: toCodeHistory(subscriber.codeHistory, { rows, group, entries }) };
}

/** Finds the same with the request locked, so that each guess is counted before the next is compared. */
export async function lockSubscriber(
  em: StatementTarget,
  names: CertificateReference,
  options: {
    readonly requestId: string;
    readonly clock: () => Date;
    readonly rows: LinkGuard;
  },
): Promise<Subscriber & { readonly now: Date }> {
  await lock.run(em, options);
  const now = options.clock();
  return { ...(await findSubscriber(em, names, { ...options, now })), now };
}
