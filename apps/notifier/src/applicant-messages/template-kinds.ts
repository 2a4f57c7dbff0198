import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type { SealedPurpose } from '@rubrica/contracts/shared/sealed-purposes';

type MessageTemplate = messagesContract.MessageTemplate;

export type MessageKind = 'letter' | 'code';

/** A code is waited for and dies within minutes; a letter may take hours where a mail server is away. */
export const kinds: Readonly<Record<MessageTemplate, MessageKind>> = {
  claim: 'letter',
  'claim-reminder': 'letter',
  'certificate-ready': 'letter',
  'claim-code': 'code',
  'download-code': 'code',
};

/** What is sealed for a message of that kind. */
export const secretOf = { letter: 'claim-link', code: 'claim-code' } as const satisfies Record<
  MessageKind,
  SealedPurpose
>;

export const allTemplates = Object.keys(kinds) as MessageTemplate[];

export function templatesOf(kind: MessageKind): MessageTemplate[] {
  return allTemplates.filter((template) => kinds[template] === kind);
}
