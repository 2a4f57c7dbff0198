import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { ifIntact } from '@rubrica/database/guarded';
import { statement } from '@rubrica/database/statement';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../../deps.ts';
import { assertFactorsIntact } from '../factor-marks.ts';
import { CodeTallyEntity, type CodeTallyRow } from './code-tally.entity.ts';
import { type CodeTally, countTry } from './judge-tally.ts';

export type CountCodeDeps = Pick<AccessDeps, 'database' | 'rows' | 'clock'>;

/** Position of a code in the count of its app. */
interface CountedTry {
  readonly factorId: string;
  readonly at: string;
  readonly inRow: number;
  readonly inDay: number;
  /** True if no other code is compared after it, unless it is right. */
  readonly isLast: boolean;
}

/**
 * Code that may be compared. Only `countCode` creates it, so that no code is compared that was not counted.
 */
class CountedCode {
  readonly #made = true;
  readonly operatorId: string;
  /** Code without blanks and hyphens, in upper case. */
  readonly entered: string;
  /** Undefined if nothing can be guessed: for a recovery code of 80 bits, or without an enrolled app. */
  readonly tried: CountedTry | undefined;

  constructor(operatorId: string, entered: string, tried?: CountedTry) {
    this.operatorId = operatorId;
    this.entered = entered;
    this.tried = tried;
  }

  get isRecoveryCode(): boolean {
    return this.#made && !oneTimeCode.test(this.entered);
  }
}

export type { CountedCode };

const oneTimeCode = /^\d{6}$/;

/**
 * Counts a code as a wrong one. Its transaction ends before the code is compared, so that neither concurrent
 * calls nor a rolled-back caller get more codes compared than the rules allow.
 * @throws AppError CODES_LOCKED, FORBIDDEN if a factor was deleted in the database
 */
export async function countCode(
  { operatorId, code }: { readonly operatorId: string; readonly code: string },
  deps: CountCodeDeps,
): Promise<CountedCode> {
  const entered = code.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!oneTimeCode.test(entered)) return new CountedCode(operatorId, entered);
  const factors = await assertFactorsIntact(deps.database, operatorId, deps);
  const factor = factors.find(({ kind }) => kind === 'totp');
  if (!factor) return new CountedCode(operatorId, entered);
  return new CountedCode(operatorId, entered, await countTryFor(factor.id, deps));
}

const openTally = statement<{ readonly id: string; readonly version: number; readonly mac: string }>({
  name: 'open-operator-code-tally',
  sql: `insert into operator_code_tally (id, version, mac) values (:id, :version, :mac) on conflict do nothing`,
});

function countTryFor(factorId: string, { database, rows, clock }: CountCodeDeps): Promise<CountedTry> {
  const none = { inRow: 0, wrongAt: [], lockedAt: null };
  const opened = rows.protect(CodeTallyEntity.meta.tableName, { id: factorId, ...none });
  return database.transaction(async (em) => {
    await openTally.run(em, { id: factorId, ...opened });
    const row = await lockTally(em, factorId);
    const now = clock();
    // A row that this service did not write has no count to rely on.
    const next = row === null ? undefined : countTry(row, now);
    if (row === null || next === undefined) throw new AppError({ code: 'CODES_LOCKED' });
    writeTally(row, next);
    const { inRow, wrongAt, lockedAt } = next;
    return { factorId, at: now.toISOString(), inRow, inDay: wrongAt.length, isLast: lockedAt !== null };
  });
}

/**
 * Locks the tally. It is the last lock of a transaction, after those of operators and factors.
 * @returns null if there is none, or it was changed in the database
 */
export function lockTally(em: EntityManager, factorId: string): Promise<CodeTallyRow | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  return ifIntact(em.findOne(CodeTallyEntity, { id: factorId }, options));
}

export function writeTally(row: CodeTallyRow, { inRow, wrongAt, lockedAt }: CodeTally): void {
  row.inRow = inRow;
  row.wrongAt = wrongAt;
  row.lockedAt = lockedAt;
}
