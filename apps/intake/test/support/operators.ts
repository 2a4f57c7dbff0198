import type { Caller } from '@rubrica/contracts/shared/caller';
import type { OperatorRole } from '@rubrica/contracts/shared/enumerations';
import { uuidv7 } from '@rubrica/process/time';
import { OperatorEntity } from '../../src/access/operators/operator.entity.ts';
import { ownDatabase } from './own-database.ts';
import type { RunningIntake } from './running-intake.ts';

export type PlayedOperator = Extract<Caller, { kind: 'operator' }>;

/** An operator who has been there for long, made by nobody who is. */
export async function addOperator(
  { ground }: Pick<RunningIntake, 'ground'>,
  role: OperatorRole,
): Promise<PlayedOperator> {
  await using own = await ownDatabase(ground);
  const id = uuidv7();
  const email = `${role}-${id.slice(-12)}@example.com`;
  await own.database.transaction(async (em) => {
    const createdAt = new Date();
    em.create(OperatorEntity, { id, email, passwordHash: 'none', role, enabled: true, createdAt });
  });
  return { kind: 'operator', operatorId: id, email, role };
}
