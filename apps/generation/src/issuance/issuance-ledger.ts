import type { Message } from '@rubrica/contracts/messages/messages';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { type Database, FenceLost, outboxInsert, outboxValues } from '@rubrica/database';
import type { ParsedCertificate } from '@rubrica/pki';
import { formatName } from '@rubrica/pki';
import type { LeasedIssuance } from './lease-issuance.ts';
import type { CertificatePlan } from './plan-certificate.ts';

export interface IssuedCertificate {
  readonly id: string;
  readonly serial: string;
  readonly issuer: string;
  readonly crlShard: number;
  readonly keyAlgorithm: string;
  readonly plan: CertificatePlan;
  readonly certificate: ParsedCertificate;
  readonly sealedBundle: string;
  readonly bundleRetentionDays: number;
  /** For so many days the applicant or the partner may fetch the file, delivered or not; null where neither may. */
  readonly keepDays: number | null;
  /** For so long a webhook may hand it over; null where there is none. */
  readonly deliverDays: number | null;
  readonly issuedAt: Date;
}

/** What is written down of an issuance. Each method is one statement, so one commit, under the fence. */
export interface IssuanceLedger {
  /** Before the number is used for anything. @throws FenceLost */
  reserveSerial(leased: LeasedIssuance, serial: string): Promise<void>;
  /** The linted bytes, before anything is signed with the authority's key. @throws FenceLost */
  storeIntent(leased: LeasedIssuance, serial: string, tbs: Uint8Array): Promise<void>;
  /** Certificate, bundle, end of the attempt, audit and event, all or nothing. @throws FenceLost */
  recordIssued(leased: LeasedIssuance, issued: IssuedCertificate): Promise<void>;
  /** @throws FenceLost */
  recordFailed(
    leased: LeasedIssuance,
    failure: { code: ErrorCode; reason: string | undefined },
  ): Promise<void>;
  /** Intake no longer wants this attempt. @throws FenceLost */
  recordObsolete(leased: LeasedIssuance): Promise<void>;
  /** Frees the attempt for another try; `isCounted` false takes the start back, as nothing of ours went wrong. */
  postpone(leased: LeasedIssuance, options: { isCounted: boolean }): Promise<void>;
}

const actor = 'service:generation';

/** Parameters $1 to $3 of every statement. */
const fenceOf = (leased: LeasedIssuance) => [leased.requestId, leased.attempt, leased.fence];
const isLeased = `select from issuance where request_id = $1 and attempt = $2 and fence = $3 and state = 'PENDING'`;
const end = (change: string) => `
  leased as (
    update issuance set ${change}, lease_until = null, finished_at = now()
    where request_id = $1 and attempt = $2 and fence = $3 and state = 'PENDING' returning request_id
  )`;
const abandon = `
  abandoned as (
    update serial_number set state = 'ABANDONED'
    where request_id = $1 and attempt = $2 and state in ('RESERVED', 'INTENDED') and exists (select from leased)
  )`;
const audit = (action: string, serial: string, detail: string) => `
  audited as (
    insert into audit_entry (action, actor, request_id, attempt, serial, detail)
    select '${action}', '${actor}', $1, $2, ${serial}, ${detail} from leased
  )`;
const done = 'select 1 as done from leased';

const statements = {
  'reserve-serial': `
    insert into serial_number (serial, request_id, attempt, fence)
    select $4, $1::uuid, $2::integer, $3::integer where exists (${isLeased}) returning 1 as done`,
  'store-intent': `
    with leased as (
      update serial_number set state = 'INTENDED', tbs = $5, intended_at = now()
      where serial = $4 and state = 'RESERVED' and exists (${isLeased}) returning serial
    ), ${audit('certificate.intended', '$4::text', `'{}'`)}
    ${done}`,
  'record-issued': `
    with ${end(`state = 'ISSUED', certificate_id = $4`)},
    certified as (
      insert into certificate (id, request_id, attempt, serial, issuer, profile, key_algorithm, subject,
        not_before, not_after, requested_not_after, capped_by, der, issued_at, truncated, crl_shard)
      select $4, $1, $2, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $19::text[], $20::integer from leased
    ), bundled as (
      insert into bundle (certificate_id, sealed, purge_at, keep_until, deliver_until)
      select $4, $16, now() + make_interval(days => $17), now() + make_interval(days => $21::integer),
        now() + make_interval(days => $22::integer) from leased
    ), used as (
      update serial_number set state = 'ISSUED' where serial = $5 and exists (select from leased)
    ), ${audit('certificate.issued', '$5', '$18::jsonb')},
    told as (${outboxInsert({ firstParam: 23, from: 'leased' })})
    ${done}`,
  'record-failed': `
    with ${end(`state = 'FAILED', code = $4`)}, ${abandon},
    ${audit('certificate.refused', 'null', '$5::jsonb')},
    told as (${outboxInsert({ firstParam: 6, from: 'leased' })})
    ${done}`,
  'record-obsolete': `
    with ${end(`state = 'OBSOLETE'`)}, ${abandon}, ${audit('certificate.obsolete', 'null', `'{}'`)}
    ${done}`,
  'postpone-issuance': `
    update issuance set lease_until = null, attempts = attempts - $4::integer
    where request_id = $1 and attempt = $2 and fence = $3 and state = 'PENDING' returning 1 as done`,
} as const;

/** The ledger on the service's database. */
export function createIssuanceLedger(database: Pick<Database, 'statement'>): IssuanceLedger {
  const write = async (
    leased: LeasedIssuance,
    name: keyof typeof statements,
    { params = [], emits = false }: { params?: readonly unknown[]; emits?: boolean },
  ) => {
    const all = [...fenceOf(leased), ...params];
    const rows = await database.statement({ name, text: statements[name], params: all, emits });
    if (rows.length === 0) {
      throw new FenceLost({
        table: 'issuance',
        key: `${leased.requestId}.${leased.attempt}`,
        fence: leased.fence,
      });
    }
  };
  return {
    reserveSerial: (leased, serial) => write(leased, 'reserve-serial', { params: [serial] }),
    storeIntent: (leased, serial, tbs) =>
      write(leased, 'store-intent', { params: [serial, Buffer.from(tbs)] }),
    recordIssued: (leased, issued) =>
      write(leased, 'record-issued', { params: issuedParams(leased, issued), emits: true }),
    recordFailed: (leased, { code, reason }) => {
      const detail = JSON.stringify({ code, reason });
      const params = [code, detail, ...outboxValues(failedEvent(leased, code))];
      return write(leased, 'record-failed', { params, emits: true });
    },
    recordObsolete: (leased) => write(leased, 'record-obsolete', {}),
    postpone: (leased, { isCounted }) => write(leased, 'postpone-issuance', { params: [isCounted ? 0 : 1] }),
  };
}

function issuedParams(leased: LeasedIssuance, issued: IssuedCertificate): unknown[] {
  const { id, serial, issuer, crlShard, keyAlgorithm, plan, certificate, issuedAt } = issued;
  const { validity, profile, truncated } = plan;
  const data = {
    requestId: leased.requestId,
    attempt: leased.attempt,
    certificateId: id,
    serialNumber: serial,
    notBefore: validity.notBefore.toISOString(),
    notAfter: validity.notAfter.toISOString(),
    cappedBy: validity.cappedBy,
    truncated: [...truncated],
  } satisfies Message<'events.certificate.issued'>;
  return [
    id,
    serial,
    issuer,
    `${profile.person}/${profile.signature}`,
    keyAlgorithm,
    formatName(certificate.subject),
    validity.notBefore,
    validity.notAfter,
    validity.requestedNotAfter,
    validity.cappedBy,
    Buffer.from(certificate.raw),
    issuedAt,
    issued.sealedBundle,
    issued.bundleRetentionDays,
    JSON.stringify({ certificateId: id, issuer, truncated, cappedBy: validity.cappedBy }),
    truncated,
    crlShard,
    issued.keepDays,
    issued.deliverDays,
    ...outboxValues({
      subject: 'events.certificate.issued',
      id: eventId('issued', leased),
      payload: data,
    }),
  ];
}

const failedEvent = (leased: LeasedIssuance, code: ErrorCode) => ({
  subject: 'events.certificate.failed',
  id: eventId('failed', leased),
  payload: {
    requestId: leased.requestId,
    attempt: leased.attempt,
    code,
  } satisfies Message<'events.certificate.failed'>,
});

/** One end of one attempt is one message, however often it is written down. */
export const eventId = (
  kind: 'issued' | 'failed',
  { requestId, attempt }: { requestId: string; attempt: number },
) => `${kind}:${requestId}:${attempt}`;
