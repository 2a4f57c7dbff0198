import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@rubrica/database/connection';
import { toAppError } from '@rubrica/process/errors';
import type { Logger } from '@rubrica/process/log';
import type { Clock } from '@rubrica/process/time';
import type { OpenEvidence } from '../open-evidence.ts';
import { type FaultyOutcome, judgeEvidence, type ScrubbedFile, type ScrubOutcome } from './judge-evidence.ts';
import { advancePosition } from './scrub-position.ts';
import type { ScrubSettings } from './scrub-settings.ts';
import {
  batchFiles,
  closeDay,
  countLeft,
  nextFiles,
  sameFile,
  scrubLeaseSeconds,
  scrubLeases,
  type TakenScrub,
  takeScrub,
  writeScrub,
} from './scrub-sql.ts';

export interface ScrubDeps {
  readonly database: Pick<Database, 'statement' | 'transaction'>;
  readonly openEvidence: OpenEvidence;
  readonly settings: ScrubSettings;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Callback for each file; `unread`: its store does not answer. */
  readonly onRead: (outcome: ScrubOutcome | 'unread') => void;
}

interface JudgedFile {
  readonly file: ScrubbedFile;
  readonly outcome: ScrubOutcome | undefined;
}

interface Batch {
  readonly judged: readonly JudgedFile[];
  /** True if not all of it was read: the process ends, or a store does not answer. */
  readonly isCut: boolean;
}

/** @returns true if a batch was read to its end, so that more may be due at once */
export type Scrub = (signal: AbortSignal) => Promise<boolean>;

/**
 * Reads the evidence that is due, in the order of ids, at most one batch, and compares it with its row. One
 * copy does it at a time; a crash repeats a batch. A store that does not answer stops the scrub where it is:
 * the evidence is not at fault.
 */
export function createScrub(deps: ScrubDeps): Scrub {
  const { database, settings, clock, timeZone } = deps;
  return async (signal) => {
    const takeParams = { now: clock(), timeZone, days: settings.days, leaseSeconds: scrubLeaseSeconds };
    const [taken] = await takeScrub.run(database, takeParams);
    if (taken === undefined) return false;
    const { id, fence } = taken;
    const leased = { id, fence, leaseSeconds: scrubLeaseSeconds };
    return scrubLeases.whileRenewing(database, leased, async () => {
      if (taken.isDayOver)
        await database.transaction((em) => closeDay(em, { id, fence, now: clock(), timeZone }));
      if (taken.isDue) return scrubBatch(deps, taken, signal);
      await scrubLeases.release(database, leased);
      return false;
    });
  };
}

async function scrubBatch(deps: ScrubDeps, taken: TakenScrub, signal: AbortSignal): Promise<boolean> {
  const { database, settings, clock } = deps;
  const files = await nextFiles.run(database, { lastId: taken.lastId });
  const { judged, isCut } = await readFiles(deps, files, signal);
  const position = { ...taken, beganAt: new Date(taken.beganAt), dueAt: new Date(taken.dueAt) };
  const lastId = judged.at(-1)?.file.id;
  const read = judged.length;
  const isEnd = !isCut && files.length < batchFiles;
  const countParams = { lastId: lastId ?? taken.lastId, read: taken.read + read };
  const [counted] = isEnd ? [] : await countLeft.run(database, countParams);
  const now = clock();
  const next =
    isCut && lastId === undefined
      ? position
      : advancePosition(position, { lastId, read, left: counted?.left ?? 0 }, { now, days: settings.days });
  const { id, fence } = taken;
  const written = await writeScrub.run(database, { id, fence, now, ...next, ...findings(judged) });
  return written.length > 0 && !isCut;
}

async function readFiles(
  deps: ScrubDeps,
  files: readonly ScrubbedFile[],
  signal: AbortSignal,
): Promise<Batch> {
  const judged: JudgedFile[] = [];
  const lookAgain = async (evidenceId: string) => (await sameFile.run(deps.database, { evidenceId })).at(0);
  for (const file of files) {
    if (signal.aborted) return { judged, isCut: true };
    try {
      const outcome = await judgeEvidence({ openEvidence: deps.openEvidence, lookAgain }, file);
      judged.push({ file, outcome });
      report(deps, file, outcome);
    } catch (err) {
      if (toAppError(err).code !== 'SERVICE_UNAVAILABLE') throw err;
      deps.onRead('unread');
      deps.logger.warn({ err, subject: file.id }, 'evidence not read; scrub paused until its store answers');
      return { judged, isCut: true };
    }
    const pauseMs = storedBytes(file) / (toBytesPerSecond(deps.settings) / 1_000);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return { judged, isCut: false };
}

function report(
  { onRead, logger }: ScrubDeps,
  { id }: ScrubbedFile,
  outcome: ScrubOutcome | undefined,
): void {
  if (outcome === undefined) return;
  onRead(outcome);
  if (outcome !== 'sound') logger.error({ subject: id, outcome }, 'evidence found faulty');
}

function toBytesPerSecond({ megabytesPerSecond }: ScrubSettings): number {
  return megabytesPerSecond * 1_000_000;
}

function storedBytes({ object, content }: ScrubbedFile): number {
  return object?.sizeBytes ?? content?.length ?? 0;
}

function findings(judged: readonly JudgedFile[]) {
  const found = judged.filter(
    (entry): entry is JudgedFile & { outcome: ScrubOutcome } => entry.outcome !== undefined,
  );
  const faulty = found.filter(
    (entry): entry is JudgedFile & { outcome: FaultyOutcome } => entry.outcome !== 'sound',
  );
  return {
    soundIds: found.filter(({ outcome }) => outcome === 'sound').map(({ file }) => file.id),
    faultyIds: faulty.map(({ file }) => file.id),
    outcomes: faulty.map(({ outcome }) => outcome),
    bytes: found.reduce((sum, { file }) => sum + storedBytes(file), 0),
  };
}
