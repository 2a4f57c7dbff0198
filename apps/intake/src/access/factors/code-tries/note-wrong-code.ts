import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { AccessDeps } from '../../deps.ts';
import { sendLetter } from '../../letters/send-letter.ts';
import type { Operator } from '../../operators/operator.entity.ts';
import type { CountedCode } from './count-code.ts';
import { codeRules } from './judge-tally.ts';

type NoteWrongCodeDeps = Pick<AccessDeps, 'keyring' | 'newId' | 'clock'>;

/** Section of the console's account page at which the letter's link ends. */
const changePassword = 'password';

/** Records that a code locked the codes of its operator, and mails the operator at the third wrong one in a row. */
export async function noteWrongCode(
  em: EntityManager,
  { operator, tried }: { readonly operator: Operator } & Pick<CountedCode, 'tried'>,
  deps: NoteWrongCodeDeps,
): Promise<void> {
  if (tried?.isLast) {
    const details = { inRow: tried.inRow, inDay: tried.inDay };
    await noteLock(em, operator, { action: 'auth.lockCodes', details });
  }
  if (tried?.inRow !== codeRules.mailedAt) return;
  const goodUntil = new Date(deps.clock().getTime() + DAY_MS);
  const letter = {
    template: 'operator-wrong-codes',
    causedBy: '',
    secret: changePassword,
    goodUntil,
  } as const;
  await sendLetter(em, { ...letter, operator, language: operator.language }, deps);
}

interface LockNote {
  readonly action: 'auth.lockCodes' | 'auth.unlockCodes';
  readonly details: Readonly<Record<string, unknown>>;
}

export function noteLock(
  em: EntityManager,
  { id, email }: Pick<Operator, 'id' | 'email'>,
  { action, details }: LockNote,
): Promise<unknown> {
  return recordAudit(em, { actor: `operator:${email}`, action, target: `operator:${id}`, details });
}
