import { statement } from '@rubrica/database';
import { AppError } from '@rubrica/process';
import type { UseCase } from '@rubrica/wiring';
import type { IntakeDeps } from '../context.ts';
import { OperatorEntity } from './operator.entity.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

type AuthenticateOperator = UseCase<'intake', 'operators.authenticate'>;

function refused(): AppError {
  return new AppError({
    code: 'UNAUTHENTICATED',
    publicMessage: 'The e-mail or the password is not correct',
  });
}

const note = statement<{ readonly actor: string; readonly action: string; readonly target: string }>({
  name: 'audit-sign-in',
  sql: 'insert into audit (actor, action, target) values (:actor, :action, :target)',
});

/**
 * An operator by e-mail and password (sealed to intake). An unknown e-mail costs the same time as a wrong password.
 * @throws AppError UNAUTHENTICATED
 */
export function createAuthenticateOperator({
  database,
  keyring,
}: Pick<IntakeDeps, 'database' | 'keyring'>): AuthenticateOperator {
  let nobody: Promise<string> | undefined;
  return async (input) => {
    const email = input.email.toLowerCase();
    const binding = { purpose: 'operator-password', owner: email } as const;
    const password = await keyring.openText(input.sealedPassword, binding);
    const operator = await database.fork().findOne(OperatorEntity, { email, enabled: true });
    nobody ??= hashPassword('nobody');
    const matches = await verifyPassword(password, operator?.passwordHash ?? (await nobody));
    // An unknown address is not recorded: it may be a password that was typed into the wrong field.
    if (operator)
      await note.run(database, {
        actor: `operator:${operator.email}`,
        action: matches ? 'auth.signIn' : 'auth.signInRefused',
        target: `operator:${operator.id}`,
      });
    if (!operator || !matches) throw refused();
    return { operatorId: operator.id, email: operator.email, role: operator.role };
  };
}
