import { formatName, formatSerial, type ParsedCertificate, parseCrl } from '@rubrica/pki';
import {
  type AuthorityFile,
  type AuthorityRecord,
  readAuthorityFile,
} from '../issuers/authorities/authority-file.ts';
import { parsedCertificate } from '../issuers/authorities/certify.ts';
import { crlNoticeMs } from '../issuers/open-issuers.ts';
import { activeOf, type Ceremony, CeremonyError, formatInstant, placeOf } from './ceremony.ts';

type Shown = Pick<Ceremony, 'config' | 'now' | 'line'>;

/** Needs no key: it says where each is. */
export async function status(shown: Shown): Promise<number> {
  const file = await readAuthorityFile(shown.config.authority.directory);
  if (file === undefined) throw new CeremonyError('There are no authorities yet: "init" makes the first.');
  return showAuthorities(shown, file);
}

/** @returns exit code: 1 when an operator must act */
export function showAuthorities({ config, now, line }: Shown, file: AuthorityFile): number {
  const active = activeOf(file, now);
  line(`\n  ${config.authority.directory}, revision ${file.revision}`);
  for (const record of file.authorities) showAuthority({ record, active, now, line });
  const faults = file.authorities.flatMap((record) => faultsOf(record, now));
  if (active === undefined) faults.push('No authority signs now.');
  for (const fault of faults) line(`\n  ✘ ${fault}`);
  line();
  return faults.length === 0 ? 0 : 1;
}

function showAuthority(shown: {
  record: AuthorityRecord;
  active: AuthorityRecord | undefined;
  now: Date;
  line: Ceremony['line'];
}): void {
  const { record, line } = shown;
  const certificate = parsedCertificate(record.name, record.certificate);
  line(`\n  ${record.name}  ${roleOf(shown)}`);
  line(`    name       ${formatName(certificate.subject)}`);
  line(`    serial     ${formatSerial(certificate.serial)}`);
  line(`    valid      ${validityOf(certificate)}`);
  line(`    key        ${placeOf(record.key)}`);
  if (record.crl !== undefined) line(`    CRL        ${crlOf(record.crl)}`);
  if (record.responder === null) return;
  const responder = parsedCertificate(`${record.name}'s responder`, record.responder.certificate);
  line(
    `    responder  until ${formatInstant(responder.notAfter.date)}, its key ${placeOf(record.responder.key)}`,
  );
}

function crlOf(encoded: string): string {
  const crl = parseCrl(Buffer.from(encoded, 'base64'));
  if (!crl.ok) return 'cannot be read';
  const { number, nextUpdate, thisUpdate } = crl.value;
  return `number ${number}, until ${formatInstant(nextUpdate ?? thisUpdate)}`;
}

function roleOf({
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

function validityOf({ notBefore, notAfter }: ParsedCertificate) {
  return `${formatInstant(notBefore.date)} to ${formatInstant(notAfter.date)}`;
}

function faultsOf({ name, kind, certificate, responder, crl }: AuthorityRecord, now: Date): string[] {
  const ended = (encoded: string) => parsedCertificate(name, encoded).notAfter.date <= now;
  if (kind === 'root')
    return [...(ended(certificate) ? ['The root has ended.'] : []), ...crlFaults(crl, now)];
  if (ended(certificate)) return [];
  if (responder === null) return [`${name} has no OCSP responder: "renew" makes one.`];
  return ended(responder.certificate) ? [`${name}'s OCSP responder has ended: "renew" makes the next.`] : [];
}

function crlFaults(encoded: string | undefined, now: Date): string[] {
  if (encoded === undefined) return [];
  const crl = parseCrl(Buffer.from(encoded, 'base64'));
  const end = crl.ok ? crl.value.nextUpdate : undefined;
  if (end === undefined) return ['The CRL of the root cannot be read.'];
  if (end.getTime() > now.getTime() + crlNoticeMs) return [];
  return [`The CRL of the root is valid until ${formatInstant(end)}: "root crl" there, "install" here.`];
}
