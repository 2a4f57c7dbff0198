import { formatName, formatSerial } from '@rubrica/pki';
import type { AuthorityRecord } from '../issuers/authorities/authority-file.ts';
import { changeAuthorities, renewResponders } from '../issuers/authorities/change-authorities.ts';
import { toPublicKey } from '../issuers/authorities/lint-and-sign.ts';
import { makeResponder } from '../issuers/authorities/make-responder.ts';
import { type Ceremony, CeremonyError, formatInstant, refuseWhilePending } from './ceremony.ts';
import { type CheckedAnswer, checkAnswer } from './check-answer.ts';
import { readPem } from './files.ts';
import { deletePendingRequest, readPendingRequests } from './pending-request.ts';
import { showAuthorities } from './status.ts';

export interface InstallOptions {
  /** Path of the root's answer. */
  readonly file: string;
  readonly rootDigest: string | undefined;
  readonly afterSeconds: number | undefined;
}

/** Installs an answer of the root: the requested certificate and a CRL, or a CRL alone. */
export async function install(ceremony: Ceremony, options: InstallOptions): Promise<number> {
  const { config, now, line } = ceremony;
  const { directory } = config.authority;
  const blocks = await readPem(options.file);
  const pending = await readPendingRequests(directory);
  let answer: CheckedAnswer | undefined;
  const change = await changeAuthorities(directory, async (records) => {
    if (records.some(({ kind, key }) => kind === 'root' && key.kind !== 'elsewhere')) {
      throw new CeremonyError('The key of the root is here: no other place can answer for it.');
    }
    const { rootDigest } = options;
    const known = { records, pending, rootDigest, pkiBaseUrl: config.address.pki, now };
    answer = checkAnswer(blocks, known);
    return applyAnswer(ceremony, { records, answer, afterSeconds: options.afterSeconds });
  });
  if (answer === undefined || change.file === undefined) throw new Error('no authorities were written');
  await ceremony.audit(chooseAction(change.before, answer), change);
  if (answer.issued) await deletePendingRequest(directory, answer.issued.pending.name);
  printAnswer(answer, line);
  return showAuthorities(ceremony, change.file);
}

function chooseAction(existing: readonly AuthorityRecord[], { issued }: CheckedAnswer) {
  if (issued === undefined) return 'authorities.crl';
  return existing.length === 0 ? 'authorities.init' : 'authorities.rotate';
}

async function applyAnswer(
  ceremony: Ceremony,
  {
    records,
    answer,
    afterSeconds,
  }: { records: readonly AuthorityRecord[]; answer: CheckedAnswer; afterSeconds: number | undefined },
): Promise<AuthorityRecord[]> {
  const { keys, now } = ceremony;
  const root = rootRecord(answer);
  const others = records.filter(({ kind }) => kind !== 'root');
  if (answer.issued === undefined) return [root, ...others];
  const { name } = answer.issued.pending;
  // The process may have crashed between writing the revision and dropping the request.
  if (records.some((record) => record.name === name))
    throw new CeremonyError(`${name} is installed already.`);
  refuseWhilePending(records, now);
  const next = await issuingRecord(ceremony, answer, activeFrom(ceremony, records, afterSeconds));
  const responders = { keys, responders: keys.local, now };
  const existing = [root, ...others];
  return [...((await renewResponders(existing, responders)) ?? existing), next];
}

/** Returns when the new authority starts to sign: at once where none signs yet, otherwise when every copy knows it. */
function activeFrom(
  { config, now }: Ceremony,
  records: readonly AuthorityRecord[],
  afterSeconds: number | undefined,
): Date {
  const defaultSeconds = records.length === 0 ? 0 : 2 * config.authority.refreshSeconds;
  return new Date(now.getTime() + (afterSeconds ?? defaultSeconds) * 1_000);
}

function rootRecord({ root, crl }: CheckedAnswer): AuthorityRecord {
  return {
    name: 'root',
    kind: 'root',
    parent: null,
    certificate: Buffer.from(root.raw).toString('base64'),
    crl: Buffer.from(crl.raw).toString('base64'),
    key: { kind: 'elsewhere' },
    activeFrom: null,
    responder: null,
  };
}

/**
 * Creates the record of the new authority. Before anything is written, the key must sign and its token must hold no key
 * of the root.
 */
async function issuingRecord(
  { keys, now }: Ceremony,
  { root, issued }: CheckedAnswer,
  activeFrom: Date,
): Promise<AuthorityRecord> {
  if (issued === undefined) throw new Error('nothing was issued');
  const { pending, certificate } = issued;
  const publicKey = toPublicKey(certificate);
  const sign = await keys.open(pending.key, publicKey, { notBeside: [toPublicKey(root)] });
  const authority = { name: pending.name, certificate, publicKey, sign };
  return {
    name: pending.name,
    kind: 'issuing',
    parent: 'root',
    certificate: Buffer.from(certificate.raw).toString('base64'),
    key: pending.key,
    activeFrom: activeFrom.toISOString(),
    responder: await makeResponder(authority, { keys: keys.local, now }),
  };
}

function printAnswer({ root, crl, issued }: CheckedAnswer, line: Ceremony['line']): void {
  line(`\n  The answer is from ${formatName(root.subject)} and was installed.`);
  if (issued) {
    const { certificate, pending } = issued;
    line(
      `    ${pending.name}  ${formatName(certificate.subject)}, serial ${formatSerial(certificate.serial)}`,
    );
  }
  line(`    CRL of the root  number ${crl.number}, until ${formatInstant(crl.nextUpdate ?? crl.thisUpdate)}`);
  line('  Running services take it up by themselves. Nothing is to be carried back.');
}
