import { recordAudit } from '@rubrica/audit/log';
import type { Operator } from '../operators/operator.entity.ts';

interface SignInNote {
  readonly action: 'auth.signIn' | 'auth.signInRefused';
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Audits that an operator has signed in, or that a sign-in in the operator's name was refused. */
export function noteSignIn(
  target: Parameters<typeof recordAudit>[0],
  { id, email }: Pick<Operator, 'id' | 'email'>,
  { action, details }: SignInNote,
): Promise<unknown> {
  return recordAudit(target, { actor: `operator:${email}`, action, target: `operator:${id}`, details });
}
