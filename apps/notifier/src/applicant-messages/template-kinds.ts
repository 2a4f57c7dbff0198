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
  'revoke-code': 'code',
  'renewal-code': 'code',
  'end-reminder': 'letter',
  'renewal-reminder': 'letter',
  'operator-invitation': 'letter',
  'operator-reset': 'letter',
  'operator-wrong-codes': 'letter',
  'operator-app': 'letter',
  'operator-passkey': 'letter',
  'break-glass': 'letter',
};

/** What is sealed for a message by that template; undefined: nothing is. */
export function secretOf(template: MessageTemplate): SealedPurpose | undefined {
  if (template === 'end-reminder') return undefined;
  if (kinds[template] === 'code') return 'claim-code';
  return operatorTemplates.includes(template) ? 'operator-link' : 'claim-link';
}

/** Any service can seal a text for the notifier: one that is no code and no token would stand in the authority's messages. */
const forms: Partial<Record<SealedPurpose, RegExp>> = {
  'claim-code': /^\d{6}$/,
  'claim-link': /^[\w.~-]{1,200}$/,
  'operator-link': /^[\w.~-]{1,200}$/,
};

/** Tells whether an opened secret has the form of its purpose. */
export function hasFormOf(purpose: SealedPurpose, secret: string): boolean {
  return forms[purpose]?.test(secret) ?? false;
}

const operatorTemplates: readonly MessageTemplate[] = [
  'operator-invitation',
  'operator-reset',
  'operator-wrong-codes',
  'operator-app',
  'operator-passkey',
  'break-glass',
];

export const allTemplates = Object.keys(kinds) as MessageTemplate[];

/** Codes that revoke: they have connections that no other message takes. */
export const revocationCodes: readonly MessageTemplate[] = ['revoke-code'];

export function templatesOf(kind: MessageKind): MessageTemplate[] {
  return allTemplates.filter((template) => kinds[template] === kind);
}
