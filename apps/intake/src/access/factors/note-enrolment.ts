import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import type { FactorKind } from '@rubrica/contracts/operators/factors';
import { DAY_MS } from '@rubrica/contracts/shared/durations';
import type { OperatorCaller } from '@rubrica/process/trpc';
import type { AccessDeps } from '../deps.ts';
import { sendLetter } from '../letters/send-letter.ts';
import { OperatorEntity } from '../operators/operator.entity.ts';

export type NoteEnrolmentDeps = Pick<AccessDeps, 'keyring' | 'newId' | 'clock'>;

interface Enrolment {
  readonly kind: FactorKind;
  readonly reason: string | undefined;
  readonly details: { readonly factorId: string; readonly name?: string };
}

const records = {
  totp: { action: 'auth.enrolTotp', template: 'operator-app' },
  passkey: { action: 'auth.enrolPasskey', template: 'operator-passkey' },
} as const satisfies Record<FactorKind, object>;

/** Section of the console's account page to which the letter's link leads. */
const section = 'factors';

/** Audits an enrolment and mails the operator, who may not know of it. */
export async function noteEnrolment(
  em: EntityManager,
  { operatorId, email }: OperatorCaller,
  { enrolment, deps }: { readonly enrolment: Enrolment; readonly deps: NoteEnrolmentDeps },
): Promise<void> {
  const { kind, reason, details } = enrolment;
  const { action, template } = records[kind];
  const target = `operator:${operatorId}`;
  await recordAudit(em, { actor: `operator:${email}`, action, target, reason, details });
  const operator = await em.findOneOrFail(OperatorEntity, { id: operatorId });
  const goodUntil = new Date(deps.clock().getTime() + DAY_MS);
  const letter = { template, causedBy: '', secret: section, goodUntil };
  await sendLetter(em, { ...letter, operator, language: operator.language }, deps);
}
