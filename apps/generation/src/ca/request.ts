import { join } from 'node:path';
import {
  certificationRequestTbs,
  detectKeyAlgorithm,
  formatName,
  keyAlgorithms,
  parseCertificationRequest,
  signCertificationRequest,
} from '@rubrica/pki';
import { type AuthorityRecord, readAuthorityFile } from '../issuers/authorities/authority-file.ts';
import { parseAuthorityCertificate } from '../issuers/authorities/lint-and-sign.ts';
import { buildAuthorityName, formatIssuingName } from '../issuers/authorities/make-authority.ts';
import { listRootKeys } from '../issuers/authorities/open-authorities.ts';
import { createCheckedSigner } from '../issuers/checked-signer.ts';
import {
  type Ceremony,
  CeremonyError,
  findLastIssuing,
  formatKeyLocation,
  nextAuthorityNumber,
  refuseWhilePending,
} from './ceremony.ts';
import { type Difference, refuseDifferences, toAuthorityTraits } from './differences.ts';
import { formatDigest, pem, writeThrough } from './files.ts';
import {
  type PendingRequest,
  pendingRequestPath,
  readPendingRequests,
  storePendingRequest,
} from './pending-request.ts';

export interface RequestOptions {
  /** Folder for the exported request. */
  readonly folder: string;
  readonly mayDiffer: readonly Difference[];
  /**
   * Number of the authority; the next one by default. Required when the root already used the next number for a request
   * whose key was lost.
   */
  readonly number: number | undefined;
}

/** Creates an issuing key and its request for the root. An existing request is written again. */
export async function request(ceremony: Omit<Ceremony, 'audit'>, options: RequestOptions): Promise<number> {
  const { config, now, line } = ceremony;
  const { directory } = config.authority;
  const records = (await readAuthorityFile(directory))?.authorities ?? [];
  if (records.some(({ kind, key }) => kind === 'root' && key.kind !== 'elsewhere')) {
    throw new CeremonyError('The key of the root is here: "rotate" makes the next authority at once.');
  }
  refuseWhilePending(records, now);
  const [existing] = (await readPendingRequests(directory)).filter(
    ({ name }) => !records.some((record) => record.name === name),
  );
  const pending = existing ?? (await createRequest(ceremony, records, options));
  const file = join(options.folder, `${pending.name}-request.pem`);
  await writeThrough(file, pem('CERTIFICATE REQUEST', pending.request.raw));
  const { subject, publicKey, raw } = pending.request;
  line(`\n  ${existing ? 'The request that waits was written again' : 'A key and its request were made'}.`);
  line(`    name     ${formatName(subject)}`);
  line(`    key      ${detectKeyAlgorithm(publicKey)}, ${formatKeyLocation(pending.key)}`);
  line(`    SHA-256  ${formatDigest(raw)}`);
  line(`\n  Carry ${file} to the root, and the SHA-256 on paper, not with the file.`);
  line('  There: npm run ca -- root sign <the file> --sha256 <the SHA-256>');
  line(
    `  ${pendingRequestPath(directory, pending.name)} remembers the key; removing it gives the request up.\n`,
  );
  return 0;
}

async function createRequest(
  { config, keys }: Pick<Ceremony, 'config' | 'keys'>,
  records: readonly AuthorityRecord[],
  { mayDiffer, number = nextAuthorityNumber(records) }: RequestOptions,
): Promise<PendingRequest> {
  const { directory, organization, commonName: prefix, keyAlgorithm } = config.authority;
  const { name, commonName } = formatIssuingName(prefix, number);
  if (number < nextAuthorityNumber(records))
    throw new CeremonyError(`The next authority is ${nextAuthorityNumber(records)}.`);
  const last = findLastIssuing(records);
  if (last !== undefined) {
    const previous = toAuthorityTraits(parseAuthorityCertificate(last.name, last.certificate));
    refuseDifferences({ former: previous, formerName: last.name, next: config.authority }, mayDiffer);
  }
  const key = await keys.make(name, keyAlgorithm, { notBeside: listRootKeys(records) });
  const spki = key.publicKey.export({ type: 'spki', format: 'der' });
  const tbs = certificationRequestTbs({ subject: buildAuthorityName(organization, commonName), spki });
  const sign = createCheckedSigner(key.sign, key.publicKey);
  const der = await signCertificationRequest(tbs, keyAlgorithms[keyAlgorithm].signature, sign);
  const parsed = parseCertificationRequest(der);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  const pending = { name, key: key.reference, request: parsed.value };
  await storePendingRequest(directory, pending);
  return pending;
}
