import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type { IntakeDeps } from '../../context.ts';
import { LetterEntity, type LetterTemplate } from './letter.entity.ts';

type Outgoing = messagesContract.OutgoingMessage;
type Needs = Pick<IntakeDeps, 'database' | 'clock' | 'consoleUrl'>;

const invitationPage = '/invitation#';

/** The page of the console that the letter's link opens. */
const pages = {
  'operator-invitation': invitationPage,
  'operator-reset': invitationPage,
  'operator-app': '/account#',
  'operator-passkey': '/account#',
  'break-glass': '/audit#',
} as const satisfies Record<LetterTemplate, string>;

/** Letters whose link has no end that its reader must know. */
const withoutEnd: readonly LetterTemplate[] = ['operator-app', 'operator-passkey'];

/** The address of a link that its owner opens an account or a session by. */
export function invitationUrl(consoleUrl: string, token: string): string {
  return `${consoleUrl}${invitationPage}${token}`;
}

/** An e-mail to an operator as the notifier writes it; undefined where there is none of that id. */
export async function letterMessage(
  messageId: string,
  { database, clock, consoleUrl }: Needs,
): Promise<Outgoing | undefined> {
  const letter = await database.fork().findOne(LetterEntity, { id: messageId });
  if (!letter) return undefined;
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
