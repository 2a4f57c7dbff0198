import type * as claimsContract from '@rubrica/contracts/services/schemas/claims';
import type {
  ApplicationType,
  CertificateType,
  Period,
  Status,
} from '@rubrica/contracts/shared/enumerations';
import type { SqlRunner } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { Details } from '../request/request.entity.ts';
import { claimStateOf, type LinkedRequest } from './claim-state.ts';
import { codesCountForMs, type SentCode } from './code-rules.ts';

/** A link with everything that decides what can be done with it now. */
export interface FoundClaim extends LinkedRequest {
  readonly requestId: string;
  readonly state: claimsContract.ClaimState;
  readonly validationStatus: string;
  readonly applicationType: ApplicationType;
  readonly certificateType: CertificateType;
  readonly period: Period;
  readonly identificationNumber: string;
  readonly details: Details;
  readonly partnerName: string;
  readonly serialNumber: string | null;
  readonly notAfter: Date | null;
  /** Of the last day, old to new. */
  readonly codes: readonly SentCode[];
}

interface CodeRow extends Omit<SentCode, 'sentAt' | 'expiresAt' | 'usedAt'> {
  readonly sentAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
}

interface Row {
  readonly request_id: string;
  readonly status: Status;
  readonly validation_status: string;
  readonly password_origin: LinkedRequest['passwordOrigin'];
  readonly application_type: ApplicationType;
  readonly certificate_type: CertificateType;
  readonly period: Period;
  readonly identification_number: string;
  readonly details: Details;
  readonly partner_name: string;
  readonly claim_expires_at: string | null;
  readonly download_until: string | null;
  readonly serial_number: string | null;
  readonly not_after: string | null;
  readonly codes: CodeRow[];
}

const text = `
select request.id as request_id, status, validation_status, password_origin, application_type, certificate_type,
  period, identification_number, details, partner.name as partner_name, claim_expires_at, download_until,
  serial_number, not_after, coalesce((
    select jsonb_agg(jsonb_build_object('id', id, 'purpose', purpose, 'sentAt', sent_at, 'expiresAt', expires_at,
      'digest', digest, 'sealedKey', sealed_key, 'wrongTries', wrong_tries, 'usedAt', used_at) order by sent_at, id)
    from claim_code where claim_code.request_id = request.id and sent_at > $2
  ), '[]') as codes
from request join partner on partner.id = request.partner_id
where claim_token_sha256 = $1`;

function date(value: string | null): Date | null {
  return value === null ? null : new Date(value);
}

/**
 * Whose a link is and what it is good for at `now`: one look-up by a unique index. A link that a newer one
 * replaced cannot be told from one that was never given out.
 * @throws AppError CLAIM_LINK_INVALID, CLAIM_LINK_EXPIRED
 */
export async function findClaim(sql: SqlRunner, tokenSha256: string, now: Date): Promise<FoundClaim> {
  const since = new Date(now.getTime() - codesCountForMs);
  const [row] = await sql.execute<Row>(text, [tokenSha256, since]);
  if (!row) throw new AppError({ code: 'CLAIM_LINK_INVALID' });
  const linked = {
    status: row.status,
    passwordOrigin: row.password_origin,
    claimExpiresAt: date(row.claim_expires_at),
    downloadUntil: date(row.download_until),
  };
  return {
    ...linked,
    state: claimStateOf(linked, now),
    requestId: row.request_id,
    validationStatus: row.validation_status,
    applicationType: row.application_type,
    certificateType: row.certificate_type,
    period: row.period,
    identificationNumber: row.identification_number,
    details: row.details,
    partnerName: row.partner_name,
    serialNumber: row.serial_number,
    notAfter: date(row.not_after),
    codes: row.codes.map((code) => ({
      ...code,
      sentAt: new Date(code.sentAt),
      expiresAt: new Date(code.expiresAt),
      usedAt: date(code.usedAt),
    })),
  };
}

/**
 * The same inside a transaction, with the request locked first: what others did meanwhile is seen, and nothing can
 * change until the end. Two statements, because a statement that waited for a lock still sees other tables as of
 * when it began.
 */
export async function lockClaim(
  sql: SqlRunner,
  tokenSha256: string,
  clock: () => Date,
): Promise<FoundClaim & { readonly now: Date }> {
  await sql.execute('select 1 from request where claim_token_sha256 = $1 for update', [tokenSha256]);
  // After the wait: a claim that queued past the end of the window is late.
  const now = clock();
  return { ...(await findClaim(sql, tokenSha256, now)), now };
}
