import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type { SealedPurpose } from '@rubrica/contracts/shared/sealed-purposes';

type MessageTemplate = messagesContract.MessageTemplate;

export type MessageKind = 'letter' | 'code';

/**
 * Kinds of the templates. The applicant waits for a code, which expires within minutes; a letter may take hours while a
 * mail server is down.
 */
export const templateKinds: Readonly<Record<MessageTemplate, MessageKind>> = {
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

/** Returns the purpose of a message's sealed secret; undefined for a template without one. */
export function secretPurpose(template: MessageTemplate): SealedPurpose | undefined {
  if (template === 'end-reminder') return undefined;
  if (templateKinds[template] === 'code') return 'claim-code';
  return operatorTemplates.includes(template) ? 'operator-link' : 'claim-link';
}

/**
 * Forms of opened secrets. Any service can seal a text for the notifier; without this check it would appear in the
 * authority's messages.
 */
const forms: Partial<Record<SealedPurpose, RegExp>> = {
  'claim-code': /^\d{6}$/,
  'claim-link': /^[\w.~-]{1,200}$/,
  'operator-link': /^[\w.~-]{1,200}$/,
};

/** Returns whether an opened secret has the form of its purpose. */
export function isValidSecret(purpose: SealedPurpose, secret: string): boolean {
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

export const allTemplates = Object.keys(templateKinds) as MessageTemplate[];

/** Codes for revocation, which have reserved connections. */
export const revocationCodes: readonly MessageTemplate[] = ['revoke-code'];

export function listTemplates(kind: MessageKind): MessageTemplate[] {
  return allTemplates.filter((template) => templateKinds[template] === kind);
}
