import type * as messagesContract from '@rubrica/contracts/services/schemas/applicant-messages';
import type { Details } from '../request/request.entity.ts';

export type Channel = messagesContract.OutgoingMessage['channel'];

export interface CodeTarget {
  readonly channel: Channel;
  readonly recipient: string;
  /** Recipient as the page shows it. */
  readonly masked: string;
}

/** Returns the address to which the link of a request is sent. */
export function getLinkRecipient(details: Details): string {
  return String(details.email ?? details.emailAddress);
}

/**
 * Returns the recipient of a request's codes: the telephone, or the second e-mail and failing that the first.
 */
export function selectCodeTarget(details: Details, channel: Channel): CodeTarget {
  if (channel === 'sms') {
    const recipient = String(details.cellphoneNumber ?? '');
    return { channel, recipient, masked: maskTelephone(recipient) };
  }
  const recipient = typeof details.secondEmail === 'string' ? details.secondEmail : getLinkRecipient(details);
  return { channel, recipient, masked: maskEmail(recipient) };
}

/** Masks an address: `jane@mail.com` → `j***@m***.com`. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  const dot = domain.lastIndexOf('.');
  const top = dot === -1 ? '' : domain.slice(dot);
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}***${top}`;
}

/** Masks a telephone number: `+593991234567` → `+593*****567`. */
function maskTelephone(number: string): string {
  return `${number.slice(0, 4)}*****${number.slice(-3)}`;
}

/** Masks an identification number: `1712345678` → `******5678`. */
export function maskIdentification(number: string): string {
  return number.slice(-4).padStart(number.length, '*');
}
