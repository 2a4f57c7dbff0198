import { formatName, formatSerial, type ParsedCertificate, parseCrl } from '@rubrica/pki';
import {
  type AuthorityFile,
  type AuthorityRecord,
  readAuthorityFile,
} from '../issuers/authorities/authority-file.ts';
import { parseAuthorityCertificate } from '../issuers/authorities/lint-and-sign.ts';
import { crlNoticeMs } from '../issuers/open-issuers.ts';
import {
  type Ceremony,
  CeremonyError,
  findActiveAuthority,
  formatInstant,
  formatKeyLocation,
} from './ceremony.ts';

type StatusContext = Pick<Ceremony, 'config' | 'now' | 'line'>;

/** Prints the authorities and where each key is. Needs no key. */
export async function status(context: StatusContext): Promise<number> {
  const file = await readAuthorityFile(context.config.authority.directory);
  if (file === undefined) throw new CeremonyError('There are no authorities yet: "init" makes the first.');
  return showAuthorities(context, file);
}

/**
 * Prints the authorities of a file.
 * @returns exit code: 1 when an operator must act
 */
export function showAuthorities({ config, now, line }: StatusContext, file: AuthorityFile): number {
  const active = findActiveAuthority(file, now);
  line(`\n  ${config.authority.directory}, revision ${file.revision}`);
  for (const record of file.authorities) showAuthority({ record, active, now, line });
  const faults = file.authorities.flatMap((record) => findFaults(record, now));
  if (active === undefined) faults.push('No authority signs now.');
  for (const fault of faults) line(`\n  ✘ ${fault}`);
  line();
  return faults.length === 0 ? 0 : 1;
}

function showAuthority(options: {
  record: AuthorityRecord;
  active: AuthorityRecord | undefined;
  now: Date;
  line: Ceremony['line'];
}): void {
  const { record, line } = options;
  const certificate = parseAuthorityCertificate(record.name, record.certificate);
  line(`\n  ${record.name}  ${formatRole(options)}`);
  line(`    name       ${formatName(certificate.subject)}`);
  line(`    serial     ${formatSerial(certificate.serial)}`);
  line(`    valid      ${formatValidity(certificate)}`);
  line(`    key        ${formatKeyLocation(record.key)}`);
  if (record.crl !== undefined) line(`    CRL        ${formatCrl(record.crl)}`);
  if (record.responder === null) return;
  const responder = parseAuthorityCertificate(`${record.name}'s responder`, record.responder.certificate);
  line(
    `    responder  until ${formatInstant(responder.notAfter.date)}, its key ${formatKeyLocation(record.responder.key)}`,
  );
}

function formatCrl(encoded: string): string {
  const crl = parseCrl(Buffer.from(encoded, 'base64'));
  if (!crl.ok) return 'cannot be read';
  const { number, nextUpdate, thisUpdate } = crl.value;
  return `number ${number}, until ${formatInstant(nextUpdate ?? thisUpdate)}`;
}

function formatRole({
  record,
  active,
  now,
}: {
  record: AuthorityRecord;
  active: AuthorityRecord | undefined;
  now: Date;
}): string {
  if (record.kind === 'root') return 'root';
  if (record === active) return 'active: signs new certificates';
  const from = new Date(record.activeFrom ?? 0);
  return from > now ? `takes over at ${formatInstant(from)}` : 'signs CRLs and OCSP answers only';
}

function formatValidity({ notBefore, notAfter }: ParsedCertificate) {
  return `${formatInstant(notBefore.date)} to ${formatInstant(notAfter.date)}`;
}

function findFaults({ name, kind, certificate, responder, crl }: AuthorityRecord, now: Date): string[] {
  const hasEnded = (encoded: string) => parseAuthorityCertificate(name, encoded).notAfter.date <= now;
  if (kind === 'root')
    return [...(hasEnded(certificate) ? ['The root has ended.'] : []), ...findCrlFaults(crl, now)];
  if (hasEnded(certificate)) return [];
  if (responder === null) return [`${name} has no OCSP responder: "renew" makes one.`];
  return hasEnded(responder.certificate)
    ? [`${name}'s OCSP responder has ended: "renew" makes the next.`]
    : [];
}

function findCrlFaults(encoded: string | undefined, now: Date): string[] {
  if (encoded === undefined) return [];
  const crl = parseCrl(Buffer.from(encoded, 'base64'));
  const end = crl.ok ? crl.value.nextUpdate : undefined;
  if (end === undefined) return ['The CRL of the root cannot be read.'];
  if (end.getTime() > now.getTime() + crlNoticeMs) return [];
  return [`The CRL of the root is valid until ${formatInstant(end)}: "root crl" there, "install" here.`];
}
