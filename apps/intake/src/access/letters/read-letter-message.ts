import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import { ifIntact } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { AccessDeps } from '../deps.ts';
import { OperatorEntity } from '../operators/operator.entity.ts';
import { LetterEntity, type LetterTemplate } from './letter.entity.ts';

type Outgoing = messagesContract.OutgoingMessage;
type LetterMessageDeps = Pick<AccessDeps, 'database' | 'clock' | 'consoleUrl' | 'rows'>;

const invitationPage = '/invitation#';

/** Pages of the console that the links of letters open. */
const pages = {
  'operator-invitation': invitationPage,
  'operator-reset': invitationPage,
  'operator-wrong-codes': '/account#',
  'operator-app': '/account#',
  'operator-passkey': '/account#',
  'break-glass': '/audit#',
} as const satisfies Record<LetterTemplate, string>;

/** Letters whose link has no end that the reader must know. */
const withoutEnd: readonly LetterTemplate[] = ['operator-wrong-codes', 'operator-app', 'operator-passkey'];

/** Builds the address of a link by which its owner opens an account or a session. */
export function buildInvitationUrl(consoleUrl: string, token: string): string {
  return `${consoleUrl}${invitationPage}${token}`;
}

/**
 * Reads an e-mail to an operator for the notifier; undefined if there is none of that id.
 * @throws AppError SERVICE_UNAVAILABLE, with an alarm, while the letter was altered or its address is not the
 *   operator's
 */
export async function readLetterMessage(
  messageId: string,
  { database, clock, consoleUrl, rows }: LetterMessageDeps,
): Promise<Outgoing | undefined> {
  const em = database.fork();
  const letter = await ifIntact(em.findOne(LetterEntity, { id: messageId }));
  if (letter === null) {
    if ((await em.count(LetterEntity, { id: messageId })) === 0) return undefined;
    throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  }
  const operator = await ifIntact(em.findOne(OperatorEntity, { id: letter.operatorId }));
  if (operator?.email !== letter.recipient) {
    rows.reportFailed({ table: 'operator_letter', id: messageId });
    throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
  }
  const { template, language, recipient, causedBy, sealedSecret, goodUntil } = letter;
  return {
    ...{ messageId, requestId: null, channel: 'email', template, language, to: recipient },
    applicantName: '',
    partnerName: causedBy,
    linkPrefix: `${consoleUrl}${pages[template]}`,
    expiresAt: withoutEnd.includes(template) ? null : goodUntil.toISOString(),
    sealedSecret: clock() < goodUntil ? sealedSecret : null,
  };
}
