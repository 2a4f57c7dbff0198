import type { CrlEntry } from '@rubrica/pki';
import { formatCrlName } from '../certificate/crl-shard.ts';
import type { ProvenStatus } from '../certificate/proven-status.ts';
import { toRevocation } from '../certificate/status-fields.ts';
import type { StatusProof } from '../certificate/status-proof.ts';
import type { Shard } from './crl-statements.ts';
import type { PreviousList } from './previous-list.ts';

/** Number of serial numbers per proof. */
const proofRows = 100;

export interface ListScope extends Shard {
  /** Certificates that expired earlier are left out (RFC 5280 §3.3). */
  readonly since: Date;
}

export interface CheckedEntriesDeps {
  readonly proof: Pick<StatusProof, 'prove' | 'proveByCertificate'>;
  /** Undefined where no list can be compared; then the whole audit log is read. */
  readonly previous: PreviousList | undefined;
  /** Serial numbers of changes in the audit log that the previous list may lack. */
  readonly changed: AsyncIterable<readonly string[]>;
}

/** Refusal of a list that would lose entries without an explanation. */
export class ListWouldLoseEntries extends Error {
  readonly list: string;
  readonly serials: readonly string[];
  constructor({ issuer, shard }: Shard, serials: readonly string[]) {
    super('the list would lose entries of the list before it');
    this.list = formatCrlName({ issuer, shard, isDelta: false });
    this.serials = serials;
  }
}

/**
 * Generates the entries of a complete list. Rows propose entries; an entry of the previous list is accepted unchanged,
 * any other is proven. Entries that only the previous list or the audit log has are added, unless they have expired or
 * were released. An entry that leaves the list, or is missing because it expired, is proven by its certificate. The
 * cost grows with the changes, not with the list.
 * @throws ListWouldLoseEntries
 */
export async function* generateCompleteEntries(
  scope: ListScope,
  proposed: AsyncIterable<readonly CrlEntry[]>,
  { proof, previous, changed }: CheckedEntriesDeps,
): AsyncIterable<readonly CrlEntry[]> {
  const added = new Set<string>();
  const isFresh = (serial: string) => !added.has(serial);
  const track = (judged: Judged): Judged => {
    for (const { serial } of judged.entries) added.add(serial);
    return judged;
  };
  const proveByCertificate = async (serials: readonly string[]) =>
    track(judge(serials, await proof.proveByCertificate(serials), scope));
  const prove = async (serials: readonly string[]): Promise<readonly CrlEntry[]> => {
    const fresh = serials.filter(isFresh);
    const { entries, expired } = track(judge(fresh, await proof.prove(fresh), scope));
    if (expired.length === 0) return entries;
    return [...entries, ...(await proveByCertificate(expired)).entries];
  };
  for await (const page of proposed) {
    const unknown: string[] = [];
    const known = page.filter((entry) => previous?.keep(entry) || !unknown.push(entry.serial));
    yield known;
    for (const serials of pages(unknown)) yield await prove(serials);
  }
  for (const serials of previous?.missing(proofRows) ?? []) {
    const { entries, unproven, good } = await proveByCertificate(serials.filter(isFresh));
    const lost = [
      ...unproven,
      ...good.filter(({ changedAt }) => changedAt === null).map(({ serial }) => serial),
    ];
    if (lost.length > 0) throw new ListWouldLoseEntries(scope, lost);
    yield entries;
  }
  // A serial number appears as often as its status changed, and the role of the database can add any number of changes.
  const seen = new Set<string>();
  for await (const page of changed) {
    const missing = page.filter(
      (serial) => !previous?.hasKept(serial) && !seen.has(serial) && seen.add(serial),
    );
    for (const serials of pages(missing)) yield await prove(serials);
  }
}

interface Judged {
  readonly entries: readonly CrlEntry[];
  readonly unproven: readonly string[];
  /** Expired before the list begins, by their rows. */
  readonly expired: readonly string[];
  /** Certificates without an entry in the list. An entry of the previous list ends only by a proven change. */
  readonly good: readonly ProvenStatus[];
}

function judge(
  serials: readonly string[],
  proven: ReadonlyMap<string, ProvenStatus>,
  scope: ListScope,
): Judged {
  const entries: CrlEntry[] = [];
  const unproven: string[] = [];
  const expired: string[] = [];
  const good: ProvenStatus[] = [];
  for (const serial of serials) {
    const status = proven.get(serial);
    if (status === undefined) unproven.push(serial);
    else if (isInScope(status, scope)) {
      if (status.notAfter < scope.since) {
        expired.push(serial);
        continue;
      }
      const entry = toEntry(status);
      if (entry === undefined) good.push(status);
      else entries.push(...entry);
    }
  }
  return { entries, unproven, expired, good };
}

/**
 * Returns whether the list covers the certificate. One whose authority or shard nothing proves belongs to each list.
 */
function isInScope({ issuer, crlShard }: ProvenStatus, scope: ListScope): boolean {
  if (issuer !== undefined && issuer !== scope.issuer) return false;
  return scope.shard === 0 || crlShard === undefined || crlShard === scope.shard;
}

function toEntry(status: ProvenStatus): [CrlEntry] | undefined {
  const revocation = toRevocation(status);
  return revocation && [{ serial: status.serial, revokedAt: revocation.at, reason: revocation.reason }];
}

/**
 * Generates the entries of a delta: all certificates with a changed status, as proven. One that is valid again is
 * `removeFromCRL`, even if no list named its hold.
 */
export async function* generateDeltaEntries(
  { issuer }: Shard,
  { proof, changed }: Pick<CheckedEntriesDeps, 'proof' | 'changed'>,
): AsyncIterable<readonly CrlEntry[]> {
  const seen = new Set<string>();
  for await (const page of changed) {
    const fresh = page.filter((serial) => !seen.has(serial) && seen.add(serial));
    for (const serials of pages(fresh)) {
      const proven = await proof.prove(serials);
      yield [...proven.values()].filter((status) => (status.issuer ?? issuer) === issuer).map(toChanged);
    }
  }
}

function toChanged(status: ProvenStatus): CrlEntry {
  const { serial, changedAt, notAfter } = status;
  const [revoked] = toEntry(status) ?? [];
  return revoked ?? { serial, revokedAt: changedAt ?? notAfter, reason: 'removeFromCRL' };
}

function* pages(serials: readonly string[]): Iterable<readonly string[]> {
  for (let at = 0; at < serials.length; at += proofRows) yield serials.slice(at, at + proofRows);
}
