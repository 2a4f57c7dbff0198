import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { emit, runnerOf } from '@rubrica/database';
import type { Keyring } from '@rubrica/service';
import type { Request } from '../request/request.entity.ts';
import { MailMessageEntity } from './mail-message.entity.ts';

export interface ClaimToken {
  readonly sha256: string;
  /** Only the notifier can read it, to write it into the mail. */
  readonly sealed: string;
}

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A fresh 256-bit token. Made before the transaction that stores it: sealing has no place inside one. */
export const makeClaimToken = async (keyring: Pick<Keyring, 'sealTo'>): Promise<ClaimToken> => {
  const token = randomBytes(32).toString('base64url');
  return { sha256: sha256Hex(token), sealed: await keyring.sealTo('notifier', token) };
};

/** Puts a claim mail on its way and lets every earlier link die. Belongs to the caller's transaction. */
export const sendClaimMail = async (
  em: EntityManager,
  request: Request,
  options: { token: ClaimToken; id: string; now: Date },
): Promise<void> => {
  const { token, id, now } = options;
  await runnerOf(em).execute('update mail_message set sealed_token = null where request_id = $1', [
    request.id,
  ]);
  request.claimTokenSha256 = token.sha256;
  request.linkSentAt = now;
  em.create(MailMessageEntity, {
    id,
    requestId: request.id,
    template: 'claim',
    recipient: String(request.details.email ?? request.details.emailAddress),
    sealedToken: token.sealed,
    createdAt: now,
  });
  await emit(em, { subject: 'jobs.mail.send', id: `mail:${id}`, payload: { messageId: id } });
};

/** `jane@mail.com` → `j***@m***.com` */
export const maskEmail = (email: string): string => {
  const [local = '', domain = ''] = email.split('@');
  const dot = domain.lastIndexOf('.');
  const top = dot === -1 ? '' : domain.slice(dot);
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}***${top}`;
};
