import { createText } from '../error-texts/create-text.ts';
import type { ErrorText } from '../error-texts/error-text.ts';

/** RFC 5322 §3.2.3. */
const atom = String.raw`[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+`;
/** RFC 1123 §2.1, RFC 5321 §4.5.3.1.2. */
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const lastLabel = '[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]';

const maxLocalOctets = 64;
const maxLabelOctets = 63;

/** Mailbox of RFC 5321 without quotes and in ASCII: few mail servers accept others. */
export const emailPattern = new RegExp(
  `^(?=[^@]{1,${maxLocalOctets}}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${lastLabel}$`,
);

/** Describes the rule that a text breaks, as a continuation of the field's name. It quotes nothing of the text. */
export function describeEmailFault(text: string): ErrorText {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (at < 1 || domain === '') return createText('field.email');
  if (/[^\x20-\x7e]/.test(domain)) return createText('field.emailDomain');
  if (local.length > maxLocalOctets)
    return createText('field.emailLocalPart', {
      count: maxLocalOctets,
    });
  if (domain.split('.').some((part) => part.length > maxLabelOctets))
    return createText('field.emailLabel', {
      count: maxLabelOctets,
    });
  return createText('field.email');
}
