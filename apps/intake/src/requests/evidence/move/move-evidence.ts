import { setTimeout as delay } from 'node:timers/promises';
import type { EvidenceEntry } from '@rubrica/contracts/services/schemas/evidence';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database/connection';
import { EvidenceStoreError, type EvidenceStores } from '@rubrica/evidence-store';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import { switchToCopy } from '../change-store/change-store-sql.ts';
import { computeSha256, discardCopy, writeCopy } from './copy-evidence.ts';
import type { MoveSettings } from './move-settings.ts';
import {
  batchFiles,
  type FileToMove,
  moveLeaseSeconds,
  moveLeases,
  nextToMove,
  switchToMoved,
  takeMove,
  writeMove,
} from './move-sql.ts';

const ended: readonly Status[] = ['GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED'];
export const statusesAfter: Readonly<Record<MoveSettings['after'], readonly Status[]>> = {
  never: [],
  end: ended,
  validation: [...ended, 'APPROVED', 'GENERATING'],
};
/** Consecutive failures after which a store counts as unavailable: the rest waits. */
const maxFailures = 3;
const lowestId = '00000000-0000-0000-0000-000000000000';

/** `left`: erased or changed while it was copied. */
export type MoveOutcome = 'moved' | 'left' | 'failed';

export interface MoveDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly stores: Pick<EvidenceStores, 'current' | 'get'>;
  readonly settings: MoveSettings;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** @param bytes number of bytes, encrypted */
  readonly onMoved: (outcome: MoveOutcome, bytes: number) => void;
}

/**
 * @returns true if more rows follow; false at the end, while another copy moves, or after a failure of a
 *   store
 */
export type Move = (signal: AbortSignal) => Promise<boolean>;

/**
 * Moves the encrypted bytes of evidence whose request has ended out of their rows, in the order of ids. With
 * S3 it also moves the objects that the gateway put under `incoming/`. It writes them into the store, under
 * `kept/`, reads them back, and only then switches the row. The sweep removes objects under `incoming/`: a
 * reader of the earlier row still finds them. A crash leaves the row as it was, and at most one object that
 * no row names, which the sweep removes. One copy moves at a time.
 */
export function createMove(deps: MoveDeps): Move {
  const { database } = deps;
  return async (signal) => {
    const [taken] = await takeMove.run(database, { leaseSeconds: moveLeaseSeconds });
    if (taken === undefined) return false;
    const leased = { id: taken.id, fence: taken.fence, leaseSeconds: moveLeaseSeconds };
    return moveLeases.whileRenewing(database, leased, async () => {
      const { lastId, isCut, isEnd } = await moveBatch(deps, taken.lastId, signal);
      const written = await writeMove.run(database, { ...taken, lastId: isEnd ? lowestId : lastId });
      return written.length > 0 && !isCut && !isEnd;
    });
  };
}

async function moveBatch(deps: MoveDeps, after: string, signal: AbortSignal) {
  const { settings, stores } = deps;
  const statuses = statusesAfter[settings.after];
  const takesIncoming = stores.current.name === 's3';
  const files = await nextToMove.run(deps.database, { lastId: after, statuses, takesIncoming });
  let lastId = after;
  let failures = 0;
  for (const file of files) {
    if (signal.aborted || failures === maxFailures) return { lastId, isCut: true, isEnd: false };
    // Also after a failure: the later ones are not held up, and the next run tries it again.
    lastId = file.id;
    if (file.content === null && file.object === null) continue;
    failures = (await moveFile(deps, file, statuses)) ? 0 : failures + 1;
    const bytes = file.content?.length ?? file.object?.sizeBytes ?? 0;
    const pauseMs = bytes / (settings.megabytesPerSecond * 1_000);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return { lastId, isCut: failures === maxFailures, isEnd: files.length < batchFiles };
}

/** @returns false if the store failed */
async function moveFile(
  { database, stores, clock, logger, onMoved }: MoveDeps,
  { id, content: inRow, object: incoming, endsAt: ends }: FileToMove,
  statuses: readonly Status[],
): Promise<boolean> {
  const copyDeps = { database, store: stores.current, read: stores.get, clock };
  const endsAt = ends === null ? null : new Date(ends);
  try {
    const content = inRow ?? (await readBytes(stores, incoming));
    const copy = await writeCopy(copyDeps, { id, content, endsAt });
    const isPlaced =
      incoming === null
        ? await switchToMoved(database, { id, sha256: computeSha256(content), statuses, ...copy })
        : await switchToCopy(database, { id, formerId: incoming.id, ...copy });
    if (!isPlaced) await discardCopy(copyDeps, id, copy);
    onMoved(isPlaced ? 'moved' : 'left', content.length);
    return true;
  } catch (err) {
    if (!(err instanceof EvidenceStoreError)) throw err;
    onMoved('failed', 0);
    logger.warn({ err, subject: id }, 'evidence not moved');
    return false;
  }
}

async function readBytes(stores: MoveDeps['stores'], object: EvidenceEntry | null): Promise<Buffer> {
  if (object === null) throw new EvidenceStoreError('missing', 'neither bytes nor an entry');
  return stores.get(object).bytes();
}
