import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DAY_MS, MINUTE_MS } from '@rubrica/contracts/shared/durations';
import { statement } from '@rubrica/database/statement';
import { sha256Hex } from '../../base/sha256-hex.ts';
import type { AccessDeps } from '../deps.ts';
import { sendLetter } from '../letters/send-letter.ts';
import type { Operator } from '../operators/operator.entity.ts';
import { InvitationEntity, type InvitationKind } from './invitation.entity.ts';

const lifeMs = {
  invite: DAY_MS,
  reset: DAY_MS,
  breakGlass: 15 * MINUTE_MS,
} as const satisfies Record<InvitationKind, number>;

const templates = { invite: 'operator-invitation', reset: 'operator-reset' } as const;

type OpenInvitationDeps = Pick<AccessDeps, 'keyring' | 'newId' | 'clock'>;

interface InvitationOptions {
  readonly operator: Pick<Operator, 'id' | 'email'>;
  readonly kind: InvitationKind;
}

interface MailedInvitation extends InvitationOptions {
  readonly operator: Operator;
  readonly kind: Exclude<InvitationKind, 'breakGlass'>;
  readonly language: 'es' | 'en';
  readonly causedBy: string;
}

/**
 * Creates a link that works once and replaces any other link of the operator.
 * @returns its token and its end
 */
export async function openInvitation(
  em: EntityManager,
  { operator, kind }: InvitationOptions,
  { newId, clock }: OpenInvitationDeps,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  await endInvitation(em, operator.id);
  const token = randomBytes(32).toString('base64url');
  const createdAt = clock();
  const expiresAt = new Date(createdAt.getTime() + lifeMs[kind]);
  em.create(InvitationEntity, {
    id: newId(),
    operatorId: operator.id,
    kind,
    tokenSha256: sha256Hex(token),
    expiresAt,
    createdAt,
  });
  await em.flush();
  return { token, expiresAt };
}

/** Creates such a link and mails it to the operator. */
export async function mailInvitation(
  em: EntityManager,
  invitation: MailedInvitation,
  deps: OpenInvitationDeps,
): Promise<Date> {
  const { kind, operator, language, causedBy } = invitation;
  operator.language = language;
  const { token: secret, expiresAt: goodUntil } = await openInvitation(em, invitation, deps);
  const template = templates[kind];
  await sendLetter(em, { operator, template, language, causedBy, secret, goodUntil }, deps);
  return goodUntil;
}

const endLetters = statement<{ readonly operatorId: string }>({
  name: 'end-operator-letters',
  sql: `update operator_letter set sealed_secret = null
    where operator_id = :operatorId and template in ('operator-invitation', 'operator-reset')`,
});

/** Ends the operator's link, and removes it from letters that were not sent yet. */
export async function endInvitation(em: EntityManager, operatorId: string): Promise<void> {
  await em.nativeDelete(InvitationEntity, { operatorId });
  await endLetters.run(em, { operatorId });
}
