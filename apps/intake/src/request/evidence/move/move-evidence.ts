import { setTimeout as delay } from 'node:timers/promises';
import type { Status } from '@rubrica/contracts/shared/enumerations';
import type { Database } from '@rubrica/database';
import { EvidenceStoreError, type EvidenceStores } from '@rubrica/evidence-store';
import type { Clock, Logger } from '@rubrica/process';
import { copyTo, leaveCopy, sha256Of } from './copy-evidence.ts';
import type { MoveSettings } from './move-settings.ts';
import {
  batchFiles,
  moveLeaseSeconds,
  moveLeases,
  nextInline,
  placeMoved,
  takeMove,
  writeMove,
} from './move-sql.ts';

const ended: readonly Status[] = ['GENERATED', 'REFUSED', 'CANCELLED', 'EXPIRED'];
export const statusesAfter: Readonly<Record<MoveSettings['after'], readonly Status[]>> = {
  never: [],
  end: ended,
  validation: [...ended, 'APPROVED', 'GENERATING'],
};
/** Failures in a row after which a store counts as away: the rest waits. */
const mostFailures = 3;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** `left`: erased or changed while it was copied. */
export type MoveOutcome = 'moved' | 'left' | 'failed';

export interface MoveDeps {
  readonly database: Pick<Database, 'statement'>;
  readonly stores: Pick<EvidenceStores, 'current' | 'get'>;
  readonly settings: MoveSettings;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  /** @param bytes as they are encrypted */
  readonly onMoved: (outcome: MoveOutcome, bytes: number) => void;
}

/** @returns true where more rows follow, false at the end of them, where another copy is at it, or a store failed */
export type Move = (signal: AbortSignal) => Promise<boolean>;

/**
 * Takes the bytes of evidence whose request has ended out of their rows, as they are, in the order of ids: writes them into the
 * store, reads them back, and only then lets the row go over. A crash leaves the row as it was and at most one object that no
 * row names, which the sweep removes. One copy does it at a time.
 */
export function createMove(deps: MoveDeps): Move {
  const { database } = deps;
  return async (signal) => {
    const [taken] = await takeMove.run(database, { leaseSeconds: moveLeaseSeconds });
    if (taken === undefined) return false;
    const leased = { id: taken.id, fence: taken.fence, leaseSeconds: moveLeaseSeconds };
    return moveLeases.whileRenewing(database, leased, async () => {
      const { lastId, isCut, isEnd } = await moveBatch(deps, taken.lastId, signal);
      const written = await writeMove.run(database, { ...taken, lastId: isEnd ? beforeAll : lastId });
      return written.length > 0 && !isCut && !isEnd;
    });
  };
}

async function moveBatch(deps: MoveDeps, after: string, signal: AbortSignal) {
  const { settings } = deps;
  const statuses = statusesAfter[settings.after];
  const files = await nextInline.run(deps.database, { lastId: after, statuses });
  let lastId = after;
  let failures = 0;
  for (const { id, content, endsAt } of files) {
    if (signal.aborted || failures === mostFailures) return { lastId, isCut: true, isEnd: false };
    // Also where it fails: those behind it are not held up, and it comes again with the next round.
    lastId = id;
    if (content === null) continue;
    const ends = endsAt === null ? null : new Date(endsAt);
    const isMoved = await moveFile(deps, { id, content, endsAt: ends, statuses });
    failures = isMoved ? 0 : failures + 1;
    const pauseMs = content.length / (settings.megabytesPerSecond * 1_000);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return { lastId, isCut: failures === mostFailures, isEnd: files.length < batchFiles };
}

interface Moving {
  readonly id: string;
  readonly content: Buffer;
  /** Of its retention. */
  readonly endsAt: Date | null;
  readonly statuses: readonly Status[];
}

/** @returns false where the store could not do it */
async function moveFile(
  { database, stores, clock, logger, onMoved }: MoveDeps,
  { id, content, endsAt, statuses }: Moving,
): Promise<boolean> {
  const sha256 = sha256Of(content);
  const copying = { database, store: stores.current, read: stores.get, clock };
  try {
    const copy = await copyTo(copying, { id, content, endsAt });
    const isPlaced = await placeMoved(database, { id, sha256, statuses, ...copy });
    if (!isPlaced) await leaveCopy(copying, id, copy);
    onMoved(isPlaced ? 'moved' : 'left', content.length);
    return true;
  } catch (err) {
    if (!(err instanceof EvidenceStoreError)) throw err;
    onMoved('failed', content.length);
    logger.warn({ err, subject: id }, 'an evidence could not be moved; it stays in its row');
    return false;
  }
}
