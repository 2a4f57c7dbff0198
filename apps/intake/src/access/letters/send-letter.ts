import type { EntityManager } from '@mikro-orm/postgresql';
import { emit } from '@rubrica/database/outbox';
import { messageJob } from '../../base/jobs.ts';
import type { AccessDeps } from '../deps.ts';
import type { Operator } from '../operators/operator.entity.ts';
import { LetterEntity, type LetterTemplate } from './letter.entity.ts';

export interface NewLetter {
  readonly operator: Pick<Operator, 'id' | 'email'>;
  readonly template: LetterTemplate;
  readonly language: 'es' | 'en';
  readonly causedBy: string;
  /** Last part of the link's address. */
  readonly secret: string;
  readonly goodUntil: Date;
}

/** Sends an e-mail to an operator if and only if the transaction commits. */
export async function sendLetter(
  em: EntityManager,
  { operator, secret, ...letter }: NewLetter,
  { keyring, newId, clock }: Pick<AccessDeps, 'keyring' | 'newId' | 'clock'>,
): Promise<void> {
  const id = newId();
  const sealedSecret = await keyring.sealTo('notifier', secret, { purpose: 'operator-link', owner: id });
  em.create(LetterEntity, {
    ...letter,
    id,
    operatorId: operator.id,
    recipient: operator.email,
    sealedSecret,
    createdAt: clock(),
  });
  await em.flush();
  await emit(em, messageJob('email', id));
}
